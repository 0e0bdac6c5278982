"""Where the events on screen come from: a hub, or a recording that is played back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..core import hub
from ..core.hub import At, Gap, Hello, Link, LinkState, Live, Received, State, Unreadable
from ..core.hub.address import endpoint
from ..core.hub.kept_history import History, HistoryUnavailable
from ..core.hub.limits import WATCH_PATH
from ..core.hub.tls import client_context
from ..core.rounds import Event
from ..core.rounds.events import RoundStarted, ThreadSupervised

__all__ = [
    "At",
    "Ended",
    "Gap",
    "Hello",
    "HubSource",
    "Link",
    "LinkState",
    "Live",
    "NamedSource",
    "Playing",
    "Received",
    "Remembering",
    "ReplaySource",
    "Source",
    "SourceItem",
    "State",
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


SourceItem = Hello | Gap | State | Received | Live | At | Unreadable | Link | Playing | Ended


class Source(Protocol):
    """What the app watches. Its items come in order; it says itself what is missing."""

    @property
    def is_recording(self) -> bool:
        """True: "now" is a moment inside the recording, not the wall clock's."""
        ...

    def items(self) -> AsyncGenerator[SourceItem]:
        """Return the items; asked for once. What it raises is shown as the reason why nothing more comes."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """A source that can be asked again for what it keeps of some rounds."""

    async def history(self, rounds: Collection[str], threads: Collection[str] = ()) -> History:
        """Return what is kept of these rounds, and what was said in these threads.

        Raises:
            HubError: it cannot be had; see ``fetch_history``.
        """
        ...


class HubSource:
    """Everything that a hub keeps, then what happens live; reconnects by itself."""

    is_recording = False

    def __init__(
        self, url: str, token: str | None = None, *, after: str | None = "begin", ca_file: Path | None = None
    ) -> None:
        """Watch the hub at ``url``.

        Args:
            url: ``ws://host:port``, never with a token in it.
            token: the hub's token; None = this account's own, for a hub on this machine.
            after: ``begin`` for all that is kept, ``<stream>:<seq>`` to resume, None for live events only.
            ca_file: authorities to trust instead of the system's, in PEM form.

        Raises:
            ValueError: ``url`` is no hub URL.
            HubError: ``ca_file`` cannot be used.
        """
        endpoint(url, WATCH_PATH)
        client_context(ca_file)
        self._url = url
        self._token = token
        self._ca_file = ca_file
        self._after = after

    async def items(self) -> AsyncGenerator[SourceItem]:
        """Yield what the hub sends; raises ``HubRefused`` when trying again cannot help."""
        watch = await asyncio.to_thread(lambda: hub.watch)  # the websocket client is loaded now: the screen stands
        async with watch(self._url, token=self._token, after=self._after, ca_file=self._ca_file) as feed:
            async for item in feed:
                yield item

    async def history(self, rounds: Collection[str], threads: Collection[str] = ()) -> History:
        """Return what the hub keeps of these rounds, and all of these threads, by connections of their own."""
        kept = await hub.fetch_history(self._url, token=self._token, ca_file=self._ca_file, rounds=rounds)
        if not threads:
            return kept
        said = await hub.fetch_history(self._url, token=self._token, ca_file=self._ca_file, threads=threads)
        if said.stream != kept.stream:
            raise HistoryUnavailable("the hub has another store since a moment ago")
        words = (each for each in said.events if isinstance(each[1], ThreadSupervised | RoundStarted))
        merged = {**dict(words), **dict(kept.events)}
        through = min(kept.through, said.through)
        events = [(seq, merged[seq]) for seq in sorted(merged) if seq <= through]
        is_trimmed = kept.is_trimmed or said.is_trimmed
        lines = {**said.lines, **kept.lines}
        return History(kept.stream, events, through, is_trimmed, kept.damaged | said.damaged, lines)


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source beside others, and what the operator calls it."""

    name: str
    source: Source


LONGEST_PAUSE_S = 5.0
"""A night without events is not worth waiting for, at any speed."""
SHORTEST_PAUSE_S = 0.01
"""Each wait takes the event loop a millisecond or more, however short it is meant: shorter ones are saved up."""


class ReplaySource:
    """A recording, played at a speed: 1 = as it happened, 0 = all at once."""

    is_recording = True

    def __init__(
        self,
        recorded: Iterable[Event | tuple[Event, str] | Unreadable],
        *,
        speed: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Play ``recorded``, which is read piece by piece.

        Args:
            recorded: parsed events in order, each with the text it came as where that is known; and what was no event.
            speed: how many recorded seconds a second takes; 0 plays without pauses.
            sleep: waits that many seconds.
        """
        self._recorded = recorded
        self._speed = speed
        self._sleep = sleep
        self._owed = 0.0
        """Seconds of pauses that were too short to be waited for one by one."""

    async def items(self) -> AsyncGenerator[SourceItem]:
        """Yield ``Playing``, the recording with the pauses between its moments, then ``Ended``."""
        last: datetime | None = None
        yield Playing(self._speed)
        for number, item in enumerate(self._recorded, start=1):
            if isinstance(item, Unreadable):
                yield item
                continue
            event, raw = item if isinstance(item, tuple) else (item, "")
            if event.at is not None:
                await self._pause(last, event.at)
                last = event.at if last is None else max(last, event.at)
            yield Received(event, raw, number)
        yield Ended()

    async def _pause(self, last: datetime | None, at: datetime) -> None:
        if last is None or self._speed <= 0:
            return
        self._owed += max(0.0, min((at - last).total_seconds() / self._speed, LONGEST_PAUSE_S))
        if self._owed >= SHORTEST_PAUSE_S:
            pause, self._owed = self._owed, 0.0
            await self._sleep(pause)
