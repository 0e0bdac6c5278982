"""When garbage is looked for, and how soon threads get their turn: so that nobody who types waits for either."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

YOUNG, MIDDLE, NEVER = 5_000, 5, 1_000_000
"""Thresholds: objects made, youngest collections, middle ones. Python's own full collection would stop a screen with
many rounds for a tenth of a second every few seconds; hardly anything that events make needs it."""
QUIET_S = 3.0
"""So long nothing has come: a pause is noticed by nobody."""
BUSY_S = 300.0
"""So long it may go without a quiet moment. What was kept then is not looked through again, so the pause is short."""
AGAIN_S = 3600.0
"""So often, in a quiet moment, everything is looked through: what was kept may have become garbage since."""
SWITCH_S = 0.001
"""How long a thread that reads keys or writes to the terminal waits for one that is busy; Python's own is five times
that, and there are three such waits between a key and its paint."""


class Collector:
    """Looks for garbage in quiet moments and lets what is kept be; knows no clock, times are seconds."""

    def __init__(self) -> None:
        """Do nothing yet."""
        self._last = self._whole = float("-inf")
        self._heard: float | None = None
        self._is_due = True

    @contextmanager
    def at_work(self) -> Generator[None]:
        """Take full collections over from Python inside; a collector that is off stays off."""
        before = gc.get_threshold()
        if gc.isenabled():
            gc.set_threshold(YOUNG, MIDDLE, NEVER)
        try:
            yield
        finally:
            gc.set_threshold(*before)

    def tick(self, now: float, *, is_quiet: bool) -> None:
        """Look for garbage when it is time to: called every second or so.

        Args:
            is_quiet: nothing has come since the last call.
        """
        if self._heard is None:
            self._heard = self._last = self._whole = now
        if not is_quiet:
            self._heard, self._is_due = now, True
        if not self._is_due or not gc.isenabled():
            return
        is_quiet_for_long = now - self._heard >= QUIET_S
        if is_quiet_for_long and now - self._whole >= AGAIN_S:
            gc.unfreeze()
            self._whole = now
        if is_quiet_for_long or now - self._last >= BUSY_S:
            gc.collect()
            gc.freeze()
            self._last, self._is_due = now, not is_quiet_for_long


@contextmanager
def prompt_threads() -> Generator[None]:
    """Let threads wait less for each other inside."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
