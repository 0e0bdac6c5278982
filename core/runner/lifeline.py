"""The way out for the events of one host: it can be cut, because a host that died publishes nothing more."""

from __future__ import annotations

import time

from ..rounds.events import Event
from .recorder import Publish


class Lifeline:
    """Passes events on until it is cut; knows when the last one came."""

    def __init__(self, publish: Publish) -> None:
        self._publish: Publish | None = publish
        self._heard_s = time.monotonic()

    @property
    def silent_s(self) -> float:
        """How long nothing has come; seconds."""
        return time.monotonic() - self._heard_s

    async def __call__(self, event: Event) -> None:
        """Pass the event on, or lose it."""
        self._heard_s = time.monotonic()
        if self._publish is not None:
            await self._publish(event)

    def cut(self) -> None:
        """Lose everything from here on."""
        self._publish = None
