"""All that the screen knows, folded from the source's items one by one; no widget, no clock of its own."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ..core.prices import CostSum, PriceTable, Pricing, shipped_prices
from ..core.rounds import Call, Event, Ledger, Outcome, Round, RoundSummary, classify
from ..core.rounds.events import CallFinished, RoundStarted
from ..core.texts import clean
from .attention import NoAnswer
from .correction import LATE_S, Correction
from .cost_statistics import CostStatistics
from .feed import Feed, FeedGap, FeedState
from .filter_subject import FilterSubject, UsedNames
from .list_position import ListPosition
from .listed_round import ListedRound
from .round_facts import Tokens
from .round_list import RoundList
from .round_rows import RoundTree
from .seen_names import SeenNames
from .sort_order import SortOrder
from .source import SourceItem, Unreadable
from .standing import Standing, standing_of
from .statistics import Statistics
from .token_memo import TokenMemo
from .watched_hub import WatchedHub

if TYPE_CHECKING:  # what a filter is made of is loaded when one is typed
    from .filter_match import Filter

KEPT_ROUNDS = 2000
"""Enough to look back over; a round with its texts takes from a few to some hundred kilobytes."""
LET_GO_AT_ONCE = 2
"""Looked at an event: more than one ends at a time, so the excess shrinks and no event waits for it."""
MOST_MEMOS = 500
"""Rounds whose token sums are kept: far more than any screen shows."""

MOST_JUST_ENDED = 200
"""More at once are told as a number anyway."""


MOST_NAME = 80
"""Characters of a hub's name; the operator gave it."""
MOST_CORRECTIONS = 1000
"""Changed verdicts that stay marked."""


@dataclass(slots=True)
class Watched:
    """Rounds, their rows, the counts and the hubs they come from. Taking in an event costs O(1).

    A round goes by its key: its id, and with several hubs whose it is. ``ledger``, ``feed``, ``gaps`` and
    ``late_events`` are those of the first hub, which mostly is the only one.
    """

    is_recording: bool = False
    kept: int = KEPT_ROUNDS
    """Ended rounds of a hub whose details stay in memory."""
    hub_names: Sequence[str] = ("",)
    """One hub each, in the order the operator named them."""
    hubs: tuple[WatchedHub, ...] = field(init=False)
    tree: RoundTree = field(default_factory=RoundTree)
    counts: Counter[Standing] = field(default_factory=Counter[Standing])
    token_memos: dict[int, tuple[Round, TokenMemo]] = field(default_factory=dict[int, tuple[Round, TokenMemo]])
    """By identity of the round, which is kept alive with it."""
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
    just_corrected: deque[Correction] = field(default_factory=lambda: deque[Correction](maxlen=MOST_JUST_ENDED))
    """Rounds whose verdict late news have changed, until somebody takes them."""
    corrections: dict[str, Correction] = field(default_factory=dict[str, Correction])
    """The newest of each of these rounds."""
    statistics: Statistics = field(default_factory=Statistics)
    pricing: Pricing = field(default_factory=lambda: Pricing(PriceTable(shipped_prices())))
    """What calls are reckoned with."""
    costs: CostStatistics = field(init=False)
    _standings: dict[str, Standing] = field(default_factory=dict[str, Standing])
    """Of rounds with details; that of any other follows from its summary."""
    _judged: dict[str, tuple[Outcome, float]] = field(default_factory=dict[str, tuple[Outcome, float]])
    """Of ended rounds with details: the outcome, and when the first one was heard."""
    _running: dict[str, None] = field(default_factory=dict[str, None])

    def __post_init__(self) -> None:
        """Start at the newest row."""
        self.hubs = tuple(
            WatchedHub(clean(name, limit=MOST_NAME), f"{number}:" if len(self.hub_names) > 1 else "")
            for number, name in enumerate(self.hub_names)
        )
        for hub in self.hubs:
            self.names.note("hub", hub.tag)
        self.costs = CostStatistics(self.pricing)
        self.shown = RoundList(self.tree)
        self.position = ListPosition(self.shown.rows)

    @property
    def ledger(self) -> Ledger:
        """The first hub's."""
        return self.hubs[0].ledger

    @property
    def feed(self) -> Feed:
        """The first hub's."""
        return self.hubs[0].feed

    @property
    def gaps(self) -> dict[str, list[FeedGap]]:
        """The first hub's."""
        return self.hubs[0].gaps

    @property
    def late_events(self) -> Counter[str]:
        """The first hub's."""
        return self.hubs[0].late_events

    @property
    def has_several(self) -> bool:
        """Rounds come from more than one hub."""
        return len(self.hubs) > 1

    @property
    def unreadable_events(self) -> int:
        """What was no event, over all hubs."""
        return sum(hub.feed.unreadable for hub in self.hubs)

    @property
    def unknown_events(self) -> int:
        """Events of types that this version does not know, over all hubs."""
        return sum(hub.ledger.unknown_events for hub in self.hubs)

    def place(self, key: str) -> tuple[WatchedHub, str]:
        """Return the hub and the id that a key stands for."""
        if not self.has_several:
            return self.hubs[0], key
        number, _, id_ = key.partition(":")
        return self.hubs[int(number)], id_

    def id_of(self, key: str) -> str:
        """Return the id of a round as its hub calls it."""
        return self.place(key)[1]

    def find(self, id_: str) -> list[str]:
        """Return the keys of the rounds of that id that have a row, one a hub at most."""
        return [key for hub in self.hubs if (key := hub.key(id_)) in self.tree]

    def known(self, key: str) -> Round | RoundSummary | None:
        """Return a round, or what is left of it; None when nothing is known of it."""
        hub, id_ = self.place(key)
        return hub.ledger.rounds.get(id_) or hub.ledger.retired.get(id_)

    @property
    def selected(self) -> Round | RoundSummary | None:
        """The round that is shown in full, or what is left of it."""
        key = self.position.selected
        return self.known(key) if key is not None else None

    def listed(self, key: str, depth: int, now: datetime) -> ListedRound:
        """Return a round as a row shows it at ``now``.

        Raises:
            KeyError: there is no such round.
        """
        hub, id_ = self.place(key)
        summary = hub.ledger.retired.get(id_)
        is_late = key in self.corrections
        if summary is not None:
            listed = ListedRound.of_summary(summary, depth, hub=hub.tag, is_corrected=is_late)
        else:
            round_ = hub.ledger.rounds[id_]
            listed = ListedRound.of(round_, depth, now, self.tokens(round_), hub=hub.tag, is_corrected=is_late)
        return replace(listed, spent=spent) if (spent := self.spent(key)) is not None else listed

    def reckon_with(self, pricing: Pricing) -> None:
        """Take other prices, before anything came in."""
        self.pricing = pricing
        self.costs = CostStatistics(pricing)

    def spent(self, key: str) -> CostSum | None:
        """Return what the ended calls of a round cost; None when none has ended."""
        return self.costs.rounds.get(key)

    def settled_state(self, key: str) -> tuple[int, bool] | None:
        """Return what changes whenever the row of an ended round does; None while it follows the clock."""
        known = self.known(key)
        if isinstance(known, Round):
            return (known.revision, key in self.corrections) if known.is_over else None
        return (-1, key in self.corrections)

    def subject(self, key: str, now: datetime) -> FilterSubject | None:
        """Return a round as a filter sees it at ``now``; None when nothing is known of it."""
        known = self.known(key)
        if known is None:
            return None
        if isinstance(known, Round):
            return FilterSubject(self.listed(key, 0, now), known.parent is not None, known)
        return FilterSubject(
            self.listed(key, 0, now), known.parent is not None, None, UsedNames(known.models, known.tools)
        )

    def show(self, filter_: Filter | None, order: SortOrder) -> None:
        """List only what ``filter_`` lets through, in that order; ``settle`` fills the list."""
        self.shown.show(filter_, order)
        self.position.stand_in(self.shown.rows)

    def settle(self, now: datetime, has_time: Callable[[], bool]) -> None:
        """Bring a filtered or sorted list up to date, as far as there is time."""
        self.shown.settle(lambda key: self.subject(key, now), has_time)

    def age(self) -> None:
        """Look at running rounds again where their age decides whether, or where, they stand in the list."""
        if self.shown.follows_clock:
            for key in self._running:
                self.shown.note(key)

    def tokens(self, round_: Round) -> Tokens:
        """Return a round's input and output tokens; None = no call reported any."""
        known = self.token_memos.get(id(round_))
        if known is None:
            if len(self.token_memos) >= MOST_MEMOS:
                self.token_memos.clear()
            known = self.token_memos[id(round_)] = round_, TokenMemo()
        return known[1].sums(round_)

    def now(self, wall: datetime, heard: float) -> datetime:
        """Return the moment that running durations are counted to.

        Args:
            wall: the viewer's clock, with a time zone.
            heard: the viewer's monotonic clock, seconds.
        """
        hub = self.hubs[0]
        if not self.is_recording or hub.newest is None:
            return wall
        ended = hub.feed.state is FeedState.ENDED
        return hub.newest if ended else hub.newest + timedelta(seconds=max(0.0, heard - hub.newest_heard))

    def take(self, item: SourceItem, heard: float, hub: WatchedHub | None = None) -> None:
        """Fold one item in, of the first hub where none is named.

        Args:
            heard: the viewer's monotonic clock, seconds.
        """
        self.revision += 1
        (hub or self.hubs[0]).take(item, heard, self)

    def unreadable(self, item: Unreadable, hub: WatchedHub | None = None) -> None:
        """Count something that is no event, or that could not be folded."""
        (hub or self.hubs[0]).unreadable(item)

    def fail(
        self, state: FeedState, reason: str, fault: Exception | None = None, hub: WatchedHub | None = None
    ) -> None:
        """Note that nothing more will come, and why; what the ``fault`` says follows the viewer's language."""
        self.revision += 1
        (hub or self.hubs[0]).fail(state, reason, fault)

    def saw(self, event: Event) -> None:
        """Note the names that an event holds."""
        self.names.take(event)

    def changed(self, hub: WatchedHub, round_: Round, event: Event, heard: float) -> None:
        """Put a round in its place and count it, after an event has changed it."""
        key = hub.key(round_.id)
        if (memo := self.token_memos.get(id(round_))) is not None:
            memo[1].note(event)
        if key not in self.tree:
            self.tree.place(key, _parent_of(hub, round_))
            for child in round_.children:  # they came before their parent
                self._place_again(hub, child)
        elif isinstance(event, RoundStarted):
            self.tree.place(key, _parent_of(hub, round_))
        if isinstance(event, CallFinished) and (call := round_.calls_by_id.get(event.call)) is not None:
            self._ended(key, call)
        self._count(hub, round_, key, heard)
        self.shown.note(key)

    def _ended(self, key: str, call: Call) -> None:
        if self.statistics.call_ended(key, call):
            self.costs.call_ended(key, call)

    def came_back(self, hub: WatchedHub, round_: Round, measured: Iterable[str], heard: float) -> None:
        """Take a round in again whose details were read anew.

        Args:
            measured: its calls that had ended before its details were let go.
        """
        key = hub.key(round_.id)
        self.revision += 1
        before = hub.ledger.retired.get(round_.id)
        self.statistics.has_counted(key, measured)
        hub.ledger.restore(round_)
        if before is not None:
            self._standings[key] = standing_of(before.outcome)
            self.statistics.stood(before.outcome, key)
            if round_.is_over:
                self._judged[key] = before.outcome, heard - LATE_S
        for call in round_.calls:
            self._ended(key, call)
        self._count(hub, round_, key, heard)
        if round_.is_over:
            hub.ended.append(round_.id)
        self.shown.note(key)

    def _place_again(self, hub: WatchedHub, id_: str) -> None:
        key, round_ = hub.key(id_), hub.ledger.rounds.get(id_)
        if key in self.tree and round_ is not None:
            self.tree.place(key, _parent_of(hub, round_))

    def _count(self, hub: WatchedHub, round_: Round, key: str, heard: float) -> None:
        before = self._standings.get(key)
        outcome = classify(round_) if round_.is_over else None
        standing = standing_of(outcome)
        is_live = hub.feed.state is FeedState.LIVE
        if outcome is not None:
            self.statistics.round_stands(outcome, key)
            is_late = self._correct(key, round_, outcome, heard)
            if standing is Standing.NOT_ANSWER is not before and is_live and not is_late:
                self.just_ended.append(NoAnswer(round_.id, round_.agent, outcome))
        if standing is before:
            return
        if before is not None:
            self.counts[before] -= 1
        self.counts[standing] += 1
        self._standings[key] = standing
        if standing is Standing.RUNNING:
            self._running[key] = None
        else:
            self._running.pop(key, None)
        self.tree.set_problem(key, standing in (Standing.NOT_ANSWER, Standing.UNSURE))
        if standing is not Standing.RUNNING and before in (None, Standing.RUNNING):
            hub.ended.append(round_.id)
            self._let_go(hub)

    def _correct(self, key: str, round_: Round, outcome: Outcome, heard: float) -> bool:
        """Note an ended round's outcome; say whether it is another one than was shown for a while."""
        known = self._judged.get(key)
        was, since = known if known is not None else (outcome, heard)
        self._judged[key] = outcome, since
        if heard - since < LATE_S or not _differ(was, outcome):
            return False
        correction = Correction(key, round_.id, round_.agent, was, outcome, round_.last_at)
        self.corrections.pop(key, None)
        self.corrections[key] = correction
        if len(self.corrections) > MOST_CORRECTIONS:
            del self.corrections[next(iter(self.corrections))]
        self.just_corrected.append(correction)
        return True

    def _let_go(self, hub: WatchedHub) -> None:
        """Let the details of the longest ended rounds go; never of the one that is shown, nor of an open parent's."""
        for _ in range(min(LET_GO_AT_ONCE, len(hub.ended) - self.kept)):
            id_ = hub.ended.popleft()
            round_ = hub.ledger.rounds.get(id_)
            if round_ is None or not round_.is_over:
                continue  # gone already, or it goes on: it comes back here when it ends
            key = hub.key(id_)
            parent = hub.ledger.rounds.get(round_.parent.round) if round_.parent is not None else None
            if key in (self.position.selected, self.pinned, self.marked) or (parent is not None and not parent.is_over):
                hub.ended.append(id_)
                continue
            hub.ledger.retire(id_)
            self._standings.pop(key, None)
            hub.gaps.pop(id_, None)
            self._judged.pop(key, None)
            self.token_memos.pop(id(round_), None)
            self.statistics.forget(key)
            self.costs.forget(key)


def _parent_of(hub: WatchedHub, round_: Round) -> str | None:
    return hub.key(round_.parent.round) if round_.parent is not None and not round_.is_orphan else None


def _differ(one: Outcome, other: Outcome) -> bool:
    return (one.verdict, one.is_answer) != (other.verdict, other.is_answer)
