"""What a hub has stored, folded into rounds; a store of any size in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...core.hub import Selection, StoreError, stored_events
from ...core.rounds import Event, EventError, Ledger, Round, RoundSummary, parse_event
from .failure import CommandFailed

KEPT_ROUNDS = 2000
"""Rounds that are held with all their details while the store is read."""


def events(store: Path, rounds: frozenset[str] = frozenset()) -> Iterator[tuple[bytes, Event]]:
    """Yield the stored lines of these rounds (of all when none is named) with their events, oldest first.

    A line that this version cannot read is passed over: its hub could.

    Raises:
        CommandFailed: there is no readable store.
    """
    try:
        for stored in stored_events(store, Selection(rounds)):
            try:
                yield stored.line, parse_event(stored.line)
            except EventError:
                continue
    except StoreError as error:
        raise CommandFailed("cli.rounds.no_store", why=str(error)) from None


def summaries(store: Path) -> list[RoundSummary]:
    """Return one summary per round, in order of appearance.

    Raises:
        CommandFailed: there is no readable store.
    """
    ledger = Ledger()
    order: dict[str, None] = {}
    late: set[str] = set()
    for _, event in events(store):
        applied = ledger.apply(event)
        if applied.round is None:
            continue
        order[applied.round] = None
        if applied.needs_history:
            late.add(applied.round)
        if len(ledger.rounds) > KEPT_ROUNDS:
            _retire_half(ledger)
    for round_ in details(store, frozenset(late)):
        ledger.retired[round_.id] = RoundSummary.of(round_)
    return [ledger.retired.get(id_) or RoundSummary.of(ledger.rounds[id_]) for id_ in order]


def details(store: Path, rounds: frozenset[str]) -> list[Round]:
    """Return these rounds with everything that is stored of them; those that are not stored are left out.

    Raises:
        CommandFailed: there is no readable store.
    """
    if not rounds:
        return []
    ledger = Ledger()
    for _, event in events(store, rounds):
        ledger.apply(event)
    return [ledger.rounds[id_] for id_ in sorted(rounds) if id_ in ledger.rounds]


def _retire_half(ledger: Ledger) -> None:
    """Let go of the older half, ended rounds first: whatever they still get is read from the store again."""
    over = [id_ for id_, round_ in ledger.rounds.items() if round_.is_over]
    for id_ in (over or list(ledger.rounds))[: KEPT_ROUNDS // 2]:
        ledger.retire(id_)
