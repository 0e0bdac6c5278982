"""The way out for the events of one host: it can be cut, because a host that died publishes nothing more."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..rounds.events import Event
from .recorder import Publish


class Lifeline:
    """Passes events on until it is cut; knows when the last one came.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, publish: Publish, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._publish: Publish | None = publish
        self._clock = clock
        self._heard_s = clock()

    @property
    def silent_s(self) -> float:
        """How long nothing has come; seconds."""
        return self._clock() - self._heard_s

    async def __call__(self, event: Event) -> None:
        """Pass the event on, or lose it."""
        self._heard_s = self._clock()
        if self._publish is not None:
            await self._publish(event)

    def cut(self) -> None:
        """Lose everything from here on."""
        self._publish = None
