"""One hub, or one recording, as it is watched: its ledger, its link, what of it is missing or has to be read again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from ..core.hub import GapWhy
from ..core.rounds import Event, Ledger, Round
from ..core.rounds.events import ThreadSupervised
from .feed import Feed, FeedGap, FeedState
from .history_needs import HistoryNeeds
from .raw_log import RawLog
from .source import At, Ended, Gap, Hello, Link, LinkState, Live, Playing, Received, SourceItem, State, Unreadable

_STATES: Mapping[LinkState, FeedState] = {
    LinkState.CONNECTING: FeedState.CONNECTING,
    LinkState.REPLAYING: FeedState.CATCHING_UP,
    LinkState.LIVE: FeedState.LIVE,
    LinkState.RECONNECTING: FeedState.RECONNECTING,
    LinkState.REFUSED: FeedState.REFUSED,
}

_TROUBLES = {name: name for name in ("full", "read_only", "failing")}
"""States of a hub's store that there are words for; a hub that is newer than this program may know more."""
LOOPBACKS = ("127.0.0.1", "localhost", "[::1]")
"""Of hubs on this machine only the port differs."""


class Board(Protocol):
    """Where the rounds of all hubs stand."""

    def changed(self, hub: WatchedHub, round_: Round, event: Event, heard: float) -> None:
        """An event changed a round of ``hub``."""
        ...

    def saw(self, event: Event) -> None:
        """An event came, whatever it changes."""
        ...


@dataclass(slots=True, eq=False)
class WatchedHub:
    """What comes from one place. Rounds go by their own ids here, and by ``key`` wherever hubs stand together."""

    name: str = ""
    """What the operator calls it: an address, or a name of the configuration."""
    prefix: str = ""
    """Before the ids of its rounds in a key; empty when it is the only one, so that a key is an id."""
    ledger: Ledger = field(default_factory=Ledger)
    feed: Feed = field(default_factory=Feed)
    gaps: dict[str, list[FeedGap]] = field(default_factory=dict[str, list[FeedGap]])
    """By round."""
    late_events: Counter[str] = field(default_factory=Counter[str])
    """By round: events that came when its details were gone already, and that its verdict does not know yet."""
    needs: HistoryNeeds = field(default_factory=HistoryNeeds)
    """Rounds whose stored events are wanted again."""
    supervised: set[str] = field(default_factory=set[str])
    """Rounds that a supervisor spoke about: their history is not in their own events alone."""
    raws: RawLog = field(default_factory=RawLog)
    """The newest event lines of calls, as they came."""
    newest: datetime | None = None
    """The newest moment that an event named."""
    newest_heard: float = 0.0
    ended: deque[str] = field(default_factory=deque[str])
    """Ended rounds with details, the oldest end first."""

    @property
    def tag(self) -> str:
        """What tells it from the others in a few cells: the name, of an address what is behind the scheme."""
        address = self.name.partition("://")[2] or self.name
        host, _, port = address.rpartition(":")
        return f":{port}" if host in LOOPBACKS and port else address

    def key(self, round_: str) -> str:
        """Return what a round of this hub goes by among those of all hubs."""
        return f"{self.prefix}{round_}" if self.prefix else round_

    def take(self, item: SourceItem, heard: float, board: Board) -> None:
        """Fold one item in.

        Args:
            heard: the viewer's monotonic clock, seconds.
        """
        match item:
            case Received():
                if self.feed.seq == 0 and item.seq > max(1, self.feed.first):
                    self.ledger.gap()  # we came in the middle: what ran before is not seen whole
                self.feed.heard, self.feed.seq = heard, item.seq
                self.raws.take(item.event, item.raw)
                self._event(item.event, item.seq, heard, board)
            case Unreadable():
                self.unreadable(item)
            case Gap():
                self._gap(item)
            case Link():
                self._link(item, heard)
            case Hello():
                self.feed.heard, self.feed.first, self.feed.last = heard, item.first, item.last
                self.feed.stream = item.stream
                self.feed.trouble = None  # what is wrong comes right behind
            case State():
                self.feed.trouble = "damaged" if item.checking == "damaged" else _TROUBLES.get(item.writing)
            case Playing():
                self.feed.state, self.feed.speed = FeedState.REPLAYING, item.speed
            case Ended():
                self.feed.state = FeedState.ENDED
            case Live() | At():
                pass

    def unreadable(self, item: Unreadable) -> None:
        """Count something that is no event, or that could not be folded."""
        self.feed.unreadable += 1
        self.feed.last_unreadable = item
        if item.round is not None:
            self.ledger.gap(item.round)

    def fail(self, state: FeedState, reason: str, fault: Exception | None = None) -> None:
        """Note that nothing more will come, and why; what the ``fault`` says follows the viewer's language."""
        self.feed.state, self.feed.reason, self.feed.fault, self.feed.retry_at = state, reason, fault, None

    def _event(self, event: Event, seq: int, heard: float, board: Board) -> None:
        if event.at is not None and (self.newest is None or event.at > self.newest):
            self.newest, self.newest_heard = event.at, heard
        board.saw(event)
        if not self._is_folded(event, seq):  # else a history that was read ahead of the feed holds it already
            self.again(event, seq, heard, board)

    def again(self, event: Event, seq: int, heard: float, board: Board) -> None:
        """Fold an event; one of a retired round waits for that round's history."""
        applied = self.ledger.apply(event)
        if applied.round is None:
            return
        if isinstance(event, ThreadSupervised):
            self.supervised.add(applied.round)
        if applied.needs_history:
            self.late_events[applied.round] += 1
            self.needs.late(applied.round, event, seq)
        elif (round_ := self.ledger.rounds.get(applied.round)) is not None:
            board.changed(self, round_, event, heard)

    def _is_folded(self, event: Event, seq: int) -> bool:
        by_supervisor = isinstance(event, ThreadSupervised)
        round_ = self.ledger.threads.get(event.thread) if isinstance(event, ThreadSupervised) else event.round
        return self.needs.has_folded(round_, seq, by_supervisor=by_supervisor)

    def _gap(self, gap: Gap) -> None:
        missing = gap.to - gap.from_ + 1 if gap.to is not None else None
        if gap.why == GapWhy.REWOUND:
            missing = None  # the hub was restored: what we saw after that place is not in it any more
        if missing is None:
            self.feed.missing_unknown = True
        else:
            self.feed.missing += missing
        for round_ in self.ledger.rounds.values():
            if not round_.is_over:
                self.gaps.setdefault(round_.id, []).append(FeedGap(len(round_.entries), missing, self.newest))
        self.ledger.gap()

    def _link(self, link: Link, heard: float) -> None:
        self.feed.state = _STATES[link.state]
        self.feed.reason, self.feed.fault = link.reason, link.fault
        self.feed.retry_at = heard + link.delay_s if link.delay_s is not None else None
