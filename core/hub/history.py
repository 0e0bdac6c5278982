"""Reading once more what a hub keeps of some rounds: one connection, a bounded amount, then it is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

from ..rounds.events import Event
from .frames import At, Hello, Live
from .gate import BEGIN
from .kept_history import History, HistoryTooLarge, HistoryUnavailable
from .received import Received
from .watch_client import watch
from .watch_items import Link, LinkState, Unreadable

MOST_EVENTS = 100_000
"""Of one history: folding them takes some seconds; a round with more is read with ``rounds show``."""
MOST_CHARS = 64 * 1024 * 1024
WITHIN_S = 60.0


async def fetch_history(
    url: str,
    *,
    token: str | None = None,
    ca_file: Path | None = None,
    rounds: Collection[str] = (),
    threads: Collection[str] = (),
    most_events: int = MOST_EVENTS,
    most_chars: int = MOST_CHARS,
    within_s: float = WITHIN_S,
) -> History:
    """Return all that the hub at ``url`` keeps of these rounds, or of these threads, at this moment.

    Args:
        url: the hub's own URL.
        token: see ``watch``.
        ca_file: see ``watch``.
        rounds: at most ``MOST_ROUNDS``.
        threads: their supervisor's words too, which belong to no round.

    Raises:
        HistoryUnavailable: the hub does not answer, or not in time.
        HistoryTooLarge: there is more than ``most_events`` or ``most_chars``.
        HubRefused: the hub will not have us.
    """
    read = _Reading(most_events, most_chars)
    feed = watch(url, token=token, ca_file=ca_file, after=BEGIN, round=rounds, thread=threads)
    try:
        async with asyncio.timeout(within_s), feed:
            async for item in feed:
                match item:
                    case Hello():
                        read.begin(item)
                    case Received():
                        read.take(item)
                    case Unreadable(round=str() as round_):
                        read.damaged.add(round_)
                    case Link(state=LinkState.RECONNECTING):
                        raise HistoryUnavailable(f"the history cannot be read: {item.reason}")
                    case Live():
                        read.is_whole = True
                    case At() if read.is_whole:
                        return read.history(item.seq)
                    case _:
                        pass
    except TimeoutError:
        raise HistoryUnavailable(f"the history cannot be read: no end of it within {within_s:.0f} s") from None
    raise HistoryUnavailable("the history cannot be read: the feed ended")


class _Reading:
    """A history on its way."""

    def __init__(self, most_events: int, most_chars: int) -> None:
        self._most_events, self._chars_left = most_events, most_chars
        self._stream, self._first = "", 1
        self._events: list[tuple[int, Event]] = []
        self._lines: dict[int, str] = {}
        self.damaged: set[str] = set()
        self.is_whole = False

    def begin(self, hello: Hello) -> None:
        self._stream, self._first = hello.stream, hello.first

    def take(self, item: Received) -> None:
        self._chars_left -= len(item.raw)
        if len(self._events) >= self._most_events or self._chars_left < 0:
            raise HistoryTooLarge("the hub keeps more of this than is read at once")
        self._events.append((item.seq, item.event))
        self._lines[item.seq] = item.raw

    def history(self, through: int) -> History:
        return History(self._stream, self._events, through, self._first > 1, frozenset(self.damaged), self._lines)
