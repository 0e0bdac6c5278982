"""A live feed that has said everything and keeps quiet: what a picture is taken of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence

from ...core.hub import Hello, Link, LinkState, Live, Received, Unreadable
from ...core.rounds import Event
from ..source import SourceItem

SERVER = "roundwatch/test"
"""What the hub calls itself: no version in it, so that a new one changes no picture."""


class StillSource:
    """A source that sends its items and then keeps quiet, as a live hub does."""

    is_recording = False

    def __init__(self, items: Iterable[SourceItem]) -> None:
        """Send ``items`` once."""
        self._items = list(items)
        self.sent = asyncio.Event()
        """Set when everything was handed over."""

    async def items(self) -> AsyncGenerator[SourceItem]:
        """Yield the items, then nothing more and no end."""
        for item in self._items:
            yield item
        self.sent.set()
        await asyncio.Event().wait()


def received(items: Iterable[Event | Unreadable], first: int = 1) -> list[SourceItem]:
    """Return the events as a hub's client hands them on, numbered from ``first``."""
    return [
        item if isinstance(item, Unreadable) else Received(item, "", number)
        for number, item in enumerate(items, start=first)
    ]


def live(items: Sequence[Event | Unreadable]) -> list[SourceItem]:
    """Return a feed that has caught up with ``items`` and is live."""
    hello = Hello(stream="s1", first=1, last=len(items), server=SERVER)
    return [Link(LinkState.CONNECTING), hello, *received(items), Live(), Link(LinkState.LIVE)]
