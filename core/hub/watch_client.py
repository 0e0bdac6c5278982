"""Following a hub for ever: reconnects, resumes, and yields every event once and in order."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection

from ..rounds.events import EVENT_TYPES, Event
from ..rounds.parse import EventError, parse_event
from .address import endpoint
from .backoff import STABLE_S, delays
from .errors import FrameError
from .frames import PREFIX, At, Gap, GapWhy, Hello, Live, State, read_frame
from .gate import BEGIN
from .limits import DEFAULT_URL, WATCH_PATH
from .lines import Piece, split_frame
from .link import LINK_ERRORS, dial, refusal
from .link_faults import link_fault
from .received import FrameText, Received, events_of
from .tls import client_context
from .watch_items import Link, LinkState, Unreadable, WatchItem

log = logging.getLogger(__name__)


class Watch:
    """An endless feed: ``async with watch(url) as feed: async for item in feed``.

    ``position`` is the newest *applied* place, ``(stream, seq)``: an event counts as applied once the next item is
    asked for. A new watch goes on there with ``after=f"{stream}:{seq}"``.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        after: str | None,
        rounds: Iterable[str],
        threads: Iterable[str],
        rand: Callable[[], float],
        ca_file: Path | None,
    ) -> None:
        """See ``watch``."""
        endpoint(url, WATCH_PATH)  # a wrong URL is told at once
        self._tls = client_context(ca_file)
        self._url = url
        self._token = token
        self._after = after
        self._filters = [("round", name) for name in rounds] + [("thread", name) for name in threads]
        self._rand = rand
        self._items: AsyncGenerator[WatchItem] | None = None
        self._frames = 0
        self._stable_since: float | None = None
        self.position: tuple[str, int] | None = None

    def __aiter__(self) -> AsyncIterator[WatchItem]:
        """Return the items; a watch is iterated once."""
        if self._items is None:
            self._items = self._follow()
        return self._items

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first item is asked for."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connection and end the iteration."""
        if self._items is not None:
            await self._items.aclose()

    async def _follow(self) -> AsyncGenerator[WatchItem]:
        pauses = delays(self._rand)
        while True:
            yield Link(LinkState.CONNECTING)
            self._stable_since = None
            try:
                async with dial(self._target(), self._token, self._tls) as link:
                    while True:
                        for item in self._items_in(await self._frame(link)):
                            yield item
                            self._apply(item)
            except LINK_ERRORS as error:
                fault = error
            if (fatal := refusal(fault)) is not None:
                yield Link(LinkState.REFUSED, str(fatal), fault=fatal)
                raise fatal from (fault if fatal is not fault else None)
            if self._was_stable():
                pauses = delays(self._rand)
            pause, lost = next(pauses), link_fault(fault)
            log.info("reconnecting in %.1f s: %s", pause, lost)
            yield Link(LinkState.RECONNECTING, str(lost), pause, lost)
            await asyncio.sleep(pause)

    def _target(self) -> str:
        after = self._after if self.position is None else "{}:{}".format(*self.position)
        query = [] if after is None else [("after", after)]
        return endpoint(self._url, WATCH_PATH, query + self._filters)

    def _was_stable(self) -> bool:
        since = self._stable_since
        return since is not None and asyncio.get_running_loop().time() - since >= STABLE_S

    async def _frame(self, link: ClientConnection) -> bytes:
        data = await link.recv(decode=False)
        await asyncio.sleep(0)  # a full buffer never suspends: pings have to be answered meanwhile
        self._frames += 1
        return data

    def _items_in(self, data: bytes) -> Iterator[WatchItem]:
        """Yield what a frame holds, one after the other: the position is looked at for each when its turn comes."""
        events = events_of(data) if self.position is not None else None
        if events is None:
            for where, piece in self._pieces(data):
                yield from self._items_of(piece, where)
            return
        text = FrameText(data, events)
        for place, event in enumerate(events):
            yield from self._in_turn(event, text, place)

    def _in_turn(self, event: Event, text: FrameText, place: int) -> Iterator[WatchItem]:
        seq, position = event.seq, self.position
        if seq is None or position is None or seq <= position[1]:
            return
        if seq > position[1] + 1 and not self._filters:
            yield Gap(from_=position[1] + 1, to=seq - 1, why=GapWhy.HOLE)
        yield Received(event, text, seq, place)

    def _pieces(self, data: bytes) -> list[tuple[str, Piece]]:
        """Return the elements of a frame, each with where it stood; a bad frame is one bad element."""
        where = f"frame {self._frames}"
        try:
            pieces = split_frame(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            return [(where, Piece("", fault=f"not UTF-8 at byte {error.start}"))]
        except FrameError as error:
            return [(where, Piece("", fault=str(error)))]
        return [(f"{where}, element {number}", piece) for number, piece in enumerate(pieces, start=1)]

    def _items_of(self, piece: Piece, where: str) -> list[WatchItem]:
        fields = piece.fields
        if fields is None:
            return [Unreadable(where, piece.fault or "no object")]
        kind = fields.get("type")
        if isinstance(kind, str) and kind.startswith(PREFIX):
            return self._feed_items(fields, where)
        seq = fields.get("seq")
        if not isinstance(seq, int) or isinstance(seq, bool) or self.position is None:
            return [Unreadable(where, "an event without a seq, or before feed.hello")]
        if seq <= self.position[1]:
            return []
        items: list[WatchItem] = []
        if seq > self.position[1] + 1 and not self._filters:
            items.append(Gap(from_=self.position[1] + 1, to=seq - 1, why=GapWhy.HOLE))
        try:
            event = parse_event(fields if isinstance(kind, str) and kind in EVENT_TYPES else piece.text)
        except EventError as error:
            return [*items, Unreadable(where, str(error), seq, error.round, error)]
        return [*items, Received(event, piece.text, seq)]

    def _feed_items(self, fields: dict[str, Any], where: str) -> list[WatchItem]:
        try:
            frame = read_frame(fields)
        except FrameError as error:
            return [Unreadable(where, str(error))]
        match frame:
            case Hello():
                self._stable_since = asyncio.get_running_loop().time()
                return [frame, *self._not_kept(frame), Link(LinkState.REPLAYING)]
            case Live():
                return [frame, Link(LinkState.LIVE)]
            case Gap() | At() | State():
                return [frame]
            case _:
                return [Unreadable(where, "a frame for publishers")]

    def _not_kept(self, hello: Hello) -> list[WatchItem]:
        """From the beginning means what is kept: a round that began before it lacks events."""
        if self.position is not None or self._after != BEGIN or hello.first <= 1:
            return []
        return [Gap(from_=1, to=hello.first - 1, why=GapWhy.TRIMMED)]

    def _apply(self, item: WatchItem) -> None:
        """Move the resume point after the consumer came back for more."""
        match item:
            case Received(seq=seq) if self.position is not None:
                self.position = (self.position[0], max(self.position[1], seq))
            case Hello():
                self.position = self._position_after(item)
            case Gap(why=GapWhy.REWOUND, from_=start) if self.position is not None:
                self.position = (self.position[0], start - 1)
            case Gap(to=int() as end) if self.position is not None:
                self.position = (self.position[0], max(self.position[1], end))
            case At(seq=seq) | Unreadable(seq=int() as seq) if self.position is not None:
                self.position = (self.position[0], max(self.position[1], seq))
            case _:
                pass

    def _position_after(self, hello: Hello) -> tuple[str, int]:
        if self.position is not None and self.position[0] == hello.stream:
            return self.position
        if self.position is None and self._after is None:
            return hello.stream, hello.last
        if self.position is None and self._after not in (None, BEGIN):
            stream, _, seq = (self._after or "").rpartition(":")
            if stream == hello.stream and seq.isdigit():
                return stream, int(seq)
        return hello.stream, hello.first - 1


def watch(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    after: str | None = None,
    round: str | Iterable[str] | None = None,
    thread: str | Iterable[str] | None = None,
    ca_file: Path | None = None,
    rand: Callable[[], float] = random.random,
) -> Watch:
    """Follow the hub at ``url`` for ever, reconnecting by itself.

    Args:
        url: the hub's own URL, ``ws://host:port``; never with a token in it.
        token: the hub's token; by default this account's own, for a hub on this machine.
        after: ``<stream>:<seq>`` resumes, ``begin`` replays all that is kept, None gives live events only.
        round: only events of this round, or of any of these.
        thread: only events of this thread, or of any of these.
        ca_file: authorities to trust instead of the system's, in PEM form.
        rand: source of the back-off's jitter.

    Returns:
        An async iterator of ``Hello``, ``Gap``, ``Received``, ``Live``, ``At``, ``State``, ``Unreadable`` and ``Link``.
        Iterating raises ``HubRefused`` when trying again cannot help (wrong token, no hub there).

    Raises:
        ValueError: ``url`` is no hub URL.
        CertificateError: ``ca_file`` cannot be used.
    """
    return Watch(url, token, after, _names(round), _names(thread), rand, ca_file)


def _names(given: str | Iterable[str] | None) -> list[str]:
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)
