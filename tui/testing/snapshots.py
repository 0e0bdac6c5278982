"""Comparisons of pictures with those kept beside a test: a banner, a timeline, the whole screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from textual.app import App

from ...core.rounds import Outcome
from ..source import SourceItem
from ..themes import DARK
from .live_feed import live
from .pieces import PieceApp, banner_app, timeline_app
from .recording import WITHOUT_A_MOMENT, Recording
from .stage import press as pressing
from .stage import still_app

SCREEN = (120, 40)
"""Columns and rows of a whole screen, where a test does not say."""
PIECE_WIDTH = 80

Compare = Callable[..., bool]
"""What pytest-textual-snapshot's ``snap_compare`` is."""


class Snapshots:
    """Says whether something still looks as it did; ``pytest --snapshot-update`` keeps its new looks."""

    def __init__(self, compare: Compare) -> None:
        """Compare by ``snap_compare``."""
        self._compare = compare

    def banner(
        self,
        shown: Recording | Outcome,
        round_: str | None = None,
        *,
        locale: str = "en",
        width: int = PIECE_WIDTH,
        theme: str = DARK.name,
    ) -> bool:
        """Compare the banner of a recorded round, or of an outcome.

        Args:
            round_: the id of the recording's round; the first one by default.
            locale: ``en`` or ``de``.
            width: cells.
            theme: a theme's name, as in the settings.

        Raises:
            RecordingError: the recording has no such round.
            ValueError: there is no such language, theme or width.
        """
        outcome = shown if isinstance(shown, Outcome) else shown.outcome(round_)
        return self._piece(banner_app([outcome], locale, width, theme))

    def timeline(
        self,
        recording: Recording,
        round_: str | None = None,
        *,
        locale: str = "en",
        width: int = PIECE_WIDTH,
        theme: str = DARK.name,
    ) -> bool:
        """Compare a recorded round's timeline: facts, calls, tools and events, the banner at the end.

        The arguments and errors are those of ``banner``.
        """
        return self._piece(timeline_app(recording, recording.round(round_), locale, width, theme))

    def screen(
        self,
        shown: Recording | Iterable[SourceItem],
        *,
        locale: str = "en",
        size: tuple[int, int] = SCREEN,
        theme: str = DARK.name,
        press: Sequence[str] = (),
        now: datetime | None = None,
    ) -> bool:
        """Compare the whole screen, after some keys.

        Args:
            shown: a recording, or what a source sends, link states and gaps included.
            size: columns and rows.
            press: keys by Textual's names, such as ``("n", "enter", "ctrl+p")``.
            now: where the viewer's clock stands; the recording's last moment by default.

        Raises:
            ValueError: there is no such language or theme.
        """
        if isinstance(shown, Recording):
            now, items = now or shown.now, live(shown.items)
        else:
            now, items = now or WITHOUT_A_MOMENT, list(shown)
        return self.app(still_app(items, locale, theme=theme, clock=lambda: now), size=size, press=press)

    def app(self, app: App[Any], *, size: tuple[int, int] = SCREEN, press: Sequence[str] = ()) -> bool:
        """Compare any Textual app, after some keys.

        Raises:
            RuntimeError: the test is ``async``: a picture runs an event loop of its own.
        """
        if _runs_in_a_loop():
            raise RuntimeError("roundwatch_snapshot runs an event loop of its own: make the test a plain def")
        return self._compare(app, terminal_size=size, run_before=pressing(*press))

    def _piece(self, piece: PieceApp) -> bool:
        return self.app(piece, size=piece.piece_size)


def _runs_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
