"""A wish to stop: asked once, seen by everything that works for the round, sub-rounds included."""

from __future__ import annotations

import asyncio

from ..rounds.base import CancelledBy


class Cancellation:
    """Carries the first request to stop; later ones change nothing."""

    def __init__(self) -> None:
        self.by: CancelledBy | None = None
        self.limit_s: float | None = None
        self._event = asyncio.Event()
        self._below: list[Cancellation] = []

    @property
    def requested(self) -> bool:
        """Somebody asked to stop."""
        return self.by is not None

    def request(self, by: CancelledBy, limit_s: float | None = None) -> None:
        """Ask the round, and every round below it, to stop.

        Args:
            by: who asks.
            limit_s: the limit that was reached when ``by`` is a limit; seconds.
        """
        if self.by is None:
            self.by = by
            self.limit_s = limit_s
            self._event.set()
        for below in self._below:
            below.request(by, limit_s)

    def link(self, below: Cancellation) -> None:
        """Pass requests on to ``below`` too."""
        self._below.append(below)
        if self.by is not None:
            below.request(self.by, self.limit_s)

    def unlink(self, below: Cancellation) -> None:
        """Stop passing requests on."""
        self._below.remove(below)

    async def wait(self) -> None:
        """Return when somebody asks to stop."""
        await self._event.wait()

    async def sleep(self, seconds: float) -> bool:
        """Wait; return True as soon as somebody asks to stop, False when the time is over."""
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            return False
        return True
