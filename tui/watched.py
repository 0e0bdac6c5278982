"""All that the screen knows, folded from the source's items one by one; no widget, no clock of its own."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from ..core.hub import GapWhy
from ..core.rounds import Event, Ledger, Outcome, Round, RoundSummary, classify
from ..core.rounds.events import CallFinished, RoundStarted
from .attention import NoAnswer
from .feed import Feed, FeedGap, FeedState
from .filter_match import Filter
from .filter_subject import FilterSubject, UsedNames
from .list_position import ListPosition
from .listed_round import ListedRound
from .round_facts import Tokens
from .round_list import RoundList
from .round_rows import RoundTree
from .seen_names import SeenNames
from .sort_order import SortOrder
from .source import At, Ended, Gap, Hello, Link, LinkState, Live, Playing, Received, SourceItem, Unreadable
from .statistics import Statistics
from .token_memo import TokenMemo

KEPT_ROUNDS = 2000
"""Enough to look back over; a round with its texts takes from a few to some hundred kilobytes."""
LET_GO_AT_ONCE = 2
"""Looked at an event: more than one ends at a time, so the excess shrinks and no event waits for it."""
MOST_MEMOS = 500
"""Rounds whose token sums are kept: far more than any screen shows."""


MOST_JUST_ENDED = 200
"""More at once are told as a number anyway."""


class Standing(StrEnum):
    """What the header counts a round as."""

    RUNNING = "running"
    ANSWER = "answers"
    NOT_ANSWER = "not_answers"
    UNSURE = "unsure"


_STATES: Mapping[LinkState, FeedState] = {
    LinkState.CONNECTING: FeedState.CONNECTING,
    LinkState.REPLAYING: FeedState.CATCHING_UP,
    LinkState.LIVE: FeedState.LIVE,
    LinkState.RECONNECTING: FeedState.RECONNECTING,
    LinkState.REFUSED: FeedState.REFUSED,
}


@dataclass(slots=True)
class Watched:
    """Rounds, their rows, the counts and the state of the feed. Taking in an event costs O(1)."""

    is_recording: bool = False
    kept: int = KEPT_ROUNDS
    """Ended rounds whose details stay in memory."""
    ledger: Ledger = field(default_factory=Ledger)
    tree: RoundTree = field(default_factory=RoundTree)
    feed: Feed = field(default_factory=Feed)
    counts: Counter[Standing] = field(default_factory=Counter[Standing])
    gaps: dict[str, list[FeedGap]] = field(default_factory=dict[str, list[FeedGap]])
    token_memos: dict[str, TokenMemo] = field(default_factory=dict[str, TokenMemo])
    revision: int = 0
    """Rises with everything taken in."""
    shown: RoundList = field(init=False)
    """Which rounds are shown, and in which order."""
    position: ListPosition = field(init=False)
    names: SeenNames = field(default_factory=SeenNames)
    pinned: str | None = None
    """A round that stays on screen above the list."""
    marked: str | None = None
    """A round that others are compared with."""
    just_ended: deque[NoAnswer] = field(default_factory=lambda: deque[NoAnswer](maxlen=MOST_JUST_ENDED))
    """Rounds that ended as no answer while the feed was live, until somebody takes them."""
    statistics: Statistics = field(default_factory=Statistics)
    _used: dict[str, UsedNames] = field(default_factory=dict[str, UsedNames])
    """Models and tools of rounds whose details are gone; equal ones are one object."""
    _same: dict[UsedNames, UsedNames] = field(default_factory=dict[UsedNames, UsedNames])
    _standings: dict[str, Standing] = field(default_factory=dict[str, Standing])
    _running: set[str] = field(default_factory=set[str])
    late_events: Counter[str] = field(default_factory=Counter[str])
    """By round: events that came when its details were gone already."""
    _ended: deque[str] = field(default_factory=deque[str])
    """Ended rounds with details, the oldest end first."""
    _newest: datetime | None = None
    _newest_heard: float = 0.0

    def __post_init__(self) -> None:
        """Start at the newest row."""
        self.shown = RoundList(self.tree)
        self.position = ListPosition(self.shown.rows)

    @property
    def selected(self) -> Round | RoundSummary | None:
        """The round that is shown in full, or what is left of it."""
        id_ = self.position.selected
        if id_ is None:
            return None
        return self.ledger.rounds.get(id_) or self.ledger.retired.get(id_)

    def listed(self, id_: str, depth: int, now: datetime) -> ListedRound:
        """Return a round as a row shows it at ``now``.

        Raises:
            KeyError: there is no such round.
        """
        summary = self.ledger.retired.get(id_)
        if summary is not None:
            return ListedRound.of_summary(summary, depth)
        round_ = self.ledger.rounds[id_]
        return ListedRound.of(round_, depth, now, self.tokens(round_))

    def subject(self, id_: str, now: datetime) -> FilterSubject | None:
        """Return a round as a filter sees it at ``now``; None when nothing is known of it."""
        known = self.ledger.rounds.get(id_) or self.ledger.retired.get(id_)
        if known is None:
            return None
        round_ = known if isinstance(known, Round) else None
        return FilterSubject(self.listed(id_, 0, now), known.parent is not None, round_, self._used.get(id_))

    def show(self, filter_: Filter | None, order: SortOrder) -> None:
        """List only what ``filter_`` lets through, in that order; ``settle`` fills the list."""
        self.shown.show(filter_, order)
        self.position.stand_in(self.shown.rows)

    def settle(self, now: datetime, has_time: Callable[[], bool]) -> None:
        """Bring a filtered or sorted list up to date, as far as there is time."""
        self.shown.settle(lambda id_: self.subject(id_, now), has_time)

    def age(self) -> None:
        """Look at running rounds again where their age decides whether, or where, they stand in the list."""
        if self.shown.follows_clock:
            for id_ in self._running:
                self.shown.note(id_)

    def tokens(self, round_: Round) -> Tokens:
        """Return a round's input and output tokens; None = no call reported any."""
        memo = self.token_memos.get(round_.id)
        if memo is None:
            if len(self.token_memos) >= MOST_MEMOS:
                self.token_memos.clear()
            memo = self.token_memos[round_.id] = TokenMemo()
        return memo.sums(round_)

    def now(self, wall: datetime, heard: float) -> datetime:
        """Return the moment that running durations are counted to.

        Args:
            wall: the viewer's clock, with a time zone.
            heard: the viewer's monotonic clock, seconds.
        """
        if not self.is_recording or self._newest is None:
            return wall
        ended = self.feed.state is FeedState.ENDED
        return self._newest if ended else self._newest + timedelta(seconds=max(0.0, heard - self._newest_heard))

    def take(self, item: SourceItem, heard: float) -> None:
        """Fold one item in.

        Args:
            heard: the viewer's monotonic clock, seconds.
        """
        self.revision += 1
        match item:
            case Received():
                if self.feed.seq == 0 and item.seq > max(1, self.feed.first):
                    self.ledger.gap()  # we came in the middle: what ran before is not seen whole
                self.feed.heard, self.feed.seq = heard, item.seq
                self._event(item.event, heard)
            case Unreadable():
                self.unreadable(item)
            case Gap():
                self._gap(item)
            case Link():
                self._link(item, heard)
            case Hello():
                self.feed.heard, self.feed.first, self.feed.last = heard, item.first, item.last
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
        self.revision += 1
        self.feed.state, self.feed.reason, self.feed.fault, self.feed.retry_at = state, reason, fault, None

    def _event(self, event: Event, heard: float) -> None:
        if event.at is not None and (self._newest is None or event.at > self._newest):
            self._newest, self._newest_heard = event.at, heard
        self.names.take(event)
        applied = self.ledger.apply(event)
        if applied.needs_history and applied.round is not None:
            self.late_events[applied.round] += 1
            return
        round_ = self.ledger.rounds.get(applied.round) if applied.round is not None else None
        if round_ is None:
            return
        if round_.id not in self.tree:
            self.tree.place(round_.id, self._parent_of(round_))
            for child in round_.children:  # they came before their parent
                self._place_again(child)
        elif isinstance(event, RoundStarted):
            self.tree.place(round_.id, self._parent_of(round_))
        if isinstance(event, CallFinished) and (call := round_.calls_by_id.get(event.call)) is not None:
            self.statistics.call_ended(round_.id, call)
        self._count(round_)
        self.shown.note(round_.id)

    def _place_again(self, id_: str) -> None:
        if id_ in self.tree:
            self.tree.place(id_, self._parent_of(self.ledger.rounds[id_]))

    def _parent_of(self, round_: Round) -> str | None:
        return round_.parent.round if round_.parent is not None and not round_.is_orphan else None

    def _count(self, round_: Round) -> None:
        before = self._standings.get(round_.id)
        outcome = classify(round_) if round_.is_over else None
        standing = _standing(outcome)
        if outcome is not None:
            self.statistics.round_stands(outcome)
            if standing is Standing.NOT_ANSWER is not before and self.feed.state is FeedState.LIVE:
                self.just_ended.append(NoAnswer(round_.id, round_.agent, outcome))
        if standing is before:
            return
        if before is not None:
            self.counts[before] -= 1
        self.counts[standing] += 1
        self._standings[round_.id] = standing
        (self._running.add if standing is Standing.RUNNING else self._running.discard)(round_.id)
        self.tree.set_problem(round_.id, standing in (Standing.NOT_ANSWER, Standing.UNSURE))
        if standing is not Standing.RUNNING and before in (None, Standing.RUNNING):
            self._ended.append(round_.id)
            self._let_go()

    def _let_go(self) -> None:
        """Let the details of the longest ended rounds go; never of the one that is shown, nor of an open parent's."""
        for _ in range(min(LET_GO_AT_ONCE, len(self._ended) - self.kept)):
            id_ = self._ended.popleft()
            round_ = self.ledger.rounds.get(id_)
            if round_ is None or not round_.is_over:
                continue  # gone already, or it goes on: it comes back here when it ends
            parent = self.ledger.rounds.get(round_.parent.round) if round_.parent is not None else None
            if id_ in (self.position.selected, self.pinned, self.marked) or (parent is not None and not parent.is_over):
                self._ended.append(id_)
                continue
            used = UsedNames.of(round_)
            self._used[id_] = self._same.setdefault(used, used)
            self.ledger.retire(id_)
            self.gaps.pop(id_, None)
            self.token_memos.pop(id_, None)
            self.statistics.forget_calls(id_)

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
                self.gaps.setdefault(round_.id, []).append(FeedGap(len(round_.entries), missing, self._newest))
        self.ledger.gap()

    def _link(self, link: Link, heard: float) -> None:
        self.feed.state = _STATES[link.state]
        self.feed.reason = link.reason
        self.feed.retry_at = heard + link.delay_s if link.delay_s is not None else None


def _standing(outcome: Outcome | None) -> Standing:
    if outcome is None:
        return Standing.RUNNING
    if not outcome.is_complete:
        return Standing.NOT_ANSWER
    return Standing.ANSWER if outcome.is_answer else Standing.UNSURE
