"""Where the events on screen come from: a hub, or a recording that is played back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ..core.hub import At, Gap, Hello, Link, LinkState, Live, Received, Unreadable, watch
from ..core.rounds import Event

__all__ = [
    "At",
    "Ended",
    "Gap",
    "Hello",
    "HubSource",
    "Link",
    "LinkState",
    "Live",
    "Playing",
    "Received",
    "ReplaySource",
    "Source",
    "SourceItem",
    "Unreadable",
]


@dataclass(frozen=True, slots=True)
class Ended:
    """The recording is at its end: nothing more will come."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A recording begins to play."""

    speed: float
    """How many recorded seconds a second takes; 0 = all at once."""


SourceItem = Hello | Gap | Received | Live | At | Unreadable | Link | Playing | Ended


class Source(Protocol):
    """What the app watches. Its items come in order; it says itself what is missing."""

    @property
    def is_recording(self) -> bool:
        """True: "now" is a moment inside the recording, not the wall clock's."""
        ...

    def items(self) -> AsyncGenerator[SourceItem]:
        """Return the items; asked for once. What it raises is shown as the reason why nothing more comes."""
        ...


class HubSource:
    """Everything that a hub keeps, then what happens live; reconnects by itself."""

    is_recording = False

    def __init__(self, url: str, token: str | None = None, *, after: str | None = "begin") -> None:
        """Watch the hub at ``url``.

        Args:
            url: ``ws://host:port``, never with a token in it.
            token: the hub's token; None = this account's own, for a hub on this machine.
            after: ``begin`` for all that is kept, ``<stream>:<seq>`` to resume, None for live events only.

        Raises:
            ValueError: ``url`` is no hub URL.
        """
        self._watch = watch(url, token=token, after=after)

    async def items(self) -> AsyncGenerator[SourceItem]:
        """Yield what the hub sends; raises ``HubRefused`` when trying again cannot help."""
        async with self._watch as feed:
            async for item in feed:
                yield item


LONGEST_PAUSE_S = 5.0
"""A night without events is not worth waiting for, at any speed."""


class ReplaySource:
    """A recording, played at a speed: 1 = as it happened, 0 = all at once."""

    is_recording = True

    def __init__(
        self,
        recorded: Iterable[Event | Unreadable],
        *,
        speed: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Play ``recorded``, which is read piece by piece.

        Args:
            recorded: parsed events in order, and what was no event.
            speed: how many recorded seconds a second takes; 0 plays without pauses.
            sleep: waits that many seconds.
        """
        self._recorded = recorded
        self._speed = speed
        self._sleep = sleep

    async def items(self) -> AsyncGenerator[SourceItem]:
        """Yield ``Playing``, the recording with the pauses between its moments, then ``Ended``."""
        last: datetime | None = None
        yield Playing(self._speed)
        for number, item in enumerate(self._recorded, start=1):
            if isinstance(item, Unreadable):
                yield item
                continue
            if item.at is not None:
                await self._pause(last, item.at)
                last = item.at if last is None else max(last, item.at)
            yield Received(item, "", number)
        yield Ended()

    async def _pause(self, last: datetime | None, at: datetime) -> None:
        if last is None or self._speed <= 0:
            return
        pause = min((at - last).total_seconds() / self._speed, LONGEST_PAUSE_S)
        if pause > 0:
            await self._sleep(pause)
