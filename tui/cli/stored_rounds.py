"""What a hub has stored, folded into rounds; a store of any size in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge
from pathlib import Path

from ...core.hub import Selection, StoredEvent, StoreError, StoreUnavailable, stored_events
from ...core.hub.extra import missing_redis
from ...core.prices import CostSum, Pricing
from ...core.rounds import Event, EventError, Ledger, Round, RoundSummary, parse_event
from ...core.rounds.events import RoundStarted, ThreadSupervised
from .failure import CommandFailed
from .store_place import StorePlace

EVERYTHING = Selection()


@dataclass(slots=True)
class Losses:
    """What a store should hold and does not, as far as its reading has shown."""

    holes: set[int] = field(default_factory=set[int])
    """Numbers of events before which others are missing."""
    unreadable: set[int] = field(default_factory=set[int])
    """Numbers of events whose line this version cannot read: damaged, or a newer version's."""


MOST_SELECTED = 500  # names in one query
KEPT_ROUNDS = 2000
"""Rounds that are held with all their details while the store is read."""


def events(
    store: StorePlace, rounds: frozenset[str] = frozenset(), losses: Losses | None = None
) -> Iterator[tuple[bytes, Event]]:
    """Yield the stored lines of these rounds (of all when none is named) with their events, oldest first.

    A supervisor's word names a thread and no round: it comes with the round that it is about.
    A line that this version cannot read is passed over, and noted in ``losses``: its hub could.

    Raises:
        CommandFailed: there is no readable store.
    """
    losses = losses or Losses()
    chosen = _of_rounds(store, rounds, survey(store, losses)) if rounds else _whole(store, losses)
    for stored in chosen:
        if (event := _parsed(stored, losses)) is not None:
            yield stored.line, event


def _whole(store: StorePlace, losses: Losses) -> Iterator[StoredEvent]:
    before: int | None = None
    for stored in _stored(store):
        if before is not None and stored.seq != before + 1:
            losses.holes.add(stored.seq)
        before = stored.seq
        yield stored


def _of_rounds(store: StorePlace, rounds: frozenset[str], known: Survey) -> Iterator[StoredEvent]:
    rounds = frozenset(filter(_is_text, rounds))
    if not rounds:  # a selection of none means all
        return iter(())
    if len(rounds) <= MOST_SELECTED:
        own = _stored(store, Selection(rounds))
    else:  # more names than a query takes
        own = (stored for stored in _stored(store) if stored.round in rounds)
    words = sorted((word for id_ in rounds for word in known.words.get(id_, ())), key=_seq)
    return merge(own, words, key=_seq)


def _is_text(name: str) -> bool:
    """Say whether a name can be written in UTF-8: no store holds one that cannot, such as bytes that were typed."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _seq(stored: StoredEvent) -> int:
    return stored.seq


def _stored(store: StorePlace, selection: Selection = EVERYTHING) -> Iterator[StoredEvent]:
    try:
        if isinstance(store, Path):
            if not store.exists():
                raise CommandFailed("cli.rounds.no_file", file=str(store))
            yield from stored_events(store, selection)
        else:
            yield from _in_redis(store, selection)
    except (StoreError, StoreUnavailable) as error:
        raise CommandFailed("cli.rounds.no_store", why=error) from None


def _in_redis(address: str, selection: Selection) -> Iterator[StoredEvent]:
    if (why := missing_redis()) is not None:
        raise CommandFailed("cli.hub.missing", why=why)
    from ...core.hub.redis_read import redis_events

    return redis_events(address, selection)


def _parsed(stored: StoredEvent, losses: Losses) -> Event | None:
    try:
        return parse_event(stored.line)
    except EventError:
        losses.unreadable.add(stored.seq)
        return None


@dataclass(frozen=True, slots=True)
class StoredRound:
    """One round of a store."""

    summary: RoundSummary
    spent: CostSum
    """What its calls cost; its sub-rounds have their own."""


def summaries(store: StorePlace, pricing: Pricing, losses: Losses | None = None) -> list[StoredRound]:
    """Return every round in short, in order of appearance, its calls reckoned with ``pricing``.

    What is missing or cannot be read is noted in ``losses``; a round that may have lost something says so.

    Raises:
        CommandFailed: there is no readable store.
    """
    ledger, losses = _ledger(store), losses or Losses()
    order: dict[str, None] = {}
    late: set[str] = set()
    told: dict[str, StoredRound] = {}
    for stored in _whole(store, losses):
        if stored.seq in losses.holes:
            ledger.gap()
        if (event := _parsed(stored, losses)) is None:
            if stored.round is not None:
                ledger.gap(stored.round)
                late |= {stored.round} & order.keys()
            continue
        applied = ledger.apply(event)
        if applied.round is None:
            continue
        order[applied.round] = None
        if applied.needs_history:
            late.add(applied.round)
        if len(ledger.rounds) > KEPT_ROUNDS:
            for round_ in _older_half(ledger):
                told[round_.id] = StoredRound(ledger.retire(round_.id), pricing.round(round_))
    for round_ in (*ledger.rounds.values(), *details(store, frozenset(late), losses)):
        told[round_.id] = StoredRound(RoundSummary.of(round_), pricing.round(round_))
    return [told[id_] for id_ in order]


def details(store: StorePlace, rounds: frozenset[str], losses: Losses | None = None) -> list[Round]:
    """Return these rounds with everything that is stored of them; those that are not stored are left out.

    Their sub-rounds are read with them: what a parent's banner notes depends on how these ended.

    Raises:
        CommandFailed: there is no readable store.
    """
    if not rounds:
        return []
    losses = losses or Losses()
    ledger, known = _ledger(store), survey(store, losses)
    holes = sorted(losses.holes, reverse=True)
    for stored in _of_rounds(store, known.with_sub_rounds(rounds), known):
        while holes and holes[-1] <= stored.seq:
            holes.pop()
            ledger.gap()
        if (event := _parsed(stored, losses)) is not None:
            ledger.apply(event)
        elif stored.round is not None:
            ledger.gap(stored.round)
    if holes:
        ledger.gap()
    return [round_ for round_ in ledger.rounds.values() if round_.id in rounds]


def _ledger(store: StorePlace) -> Ledger:
    """Return an empty ledger; where the store's oldest events are no longer kept, it knows that some are missing."""
    ledger = Ledger()
    oldest = next(_stored(store), None)
    if oldest is not None and oldest.seq > 1:
        ledger.gap()
    return ledger


@dataclass(frozen=True, slots=True)
class Survey:
    """What one reading of the whole store tells about its rounds; two names a round, and the supervisor's words."""

    children: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Rounds that work for another one, by that one."""
    words: dict[str, list[StoredEvent]] = field(default_factory=dict[str, list[StoredEvent]])
    """What a supervisor said, by the round that was the newest of the thread then: the one it is about."""

    def with_sub_rounds(self, rounds: frozenset[str]) -> frozenset[str]:
        """Return these rounds and all rounds that work for them, however deep."""
        found, waiting = set[str](), list(rounds)
        while waiting:
            if (id_ := waiting.pop()) not in found:
                found.add(id_)
                waiting += self.children.get(id_, ())
        return frozenset(found)


def survey(store: StorePlace, losses: Losses) -> Survey:
    """Return how the rounds of the store belong together; only the lines that can tell are decoded.

    Raises:
        CommandFailed: there is no readable store.
    """
    found = Survey()
    threads: dict[str, str] = {}
    newest: dict[str, str] = {}
    for stored in _whole(store, losses):
        if b"round.started" not in stored.line and b"thread.supervised" not in stored.line:
            continue
        match _parsed(stored, losses):
            case RoundStarted() as started:
                if started.parent is not None:
                    found.children.setdefault(started.parent.round, []).append(started.round)
                if started.thread and threads.get(started.round) != started.thread:
                    threads[started.round], newest[started.thread] = started.thread, started.round
            case ThreadSupervised() as word if word.thread in newest:
                found.words.setdefault(newest[word.thread], []).append(stored)
            case _:
                pass
    return found


def _older_half(ledger: Ledger) -> list[Round]:
    """Return what to let go of, ended rounds first: whatever they still get is read from the store again."""
    over = [round_ for round_ in ledger.rounds.values() if round_.is_over]
    return (over or list(ledger.rounds.values()))[: KEPT_ROUNDS // 2]
