"""A history folded anew, beside everything that goes on: rounds with all their details, as their events tell them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ..core.hub.kept_history import History
from ..core.rounds import Event, Ledger, Round
from ..core.rounds.events import ThreadSupervised

SLICE_S = 0.008
"""Keys and drawing have their turn in between."""
ASK_CLOCK_EVERY = 50


@dataclass(frozen=True, slots=True)
class Refolded:
    """A round that is back."""

    round: Round
    measured: frozenset[str]
    """Its calls that had ended before its first late event."""


async def refold(
    history: History, rounds: Iterable[str], first_late: Mapping[str, int], monotonic: Callable[[], float]
) -> dict[str, Refolded]:
    """Return those of ``rounds`` of which the history is whole; the others are gone.

    Args:
        first_late: by round, the seq of the first event that its earlier details did not know.
        monotonic: seconds that never go back.
    """
    ledger, measured = Ledger(), dict[str, frozenset[str]]()
    for round_ in history.damaged:
        ledger.gap(round_)
    began = monotonic()
    for number, (seq, event) in enumerate(history.events):
        _measure(ledger, event, seq, first_late, measured)
        ledger.apply(event)
        if number % ASK_CLOCK_EVERY == 0 and monotonic() - began >= SLICE_S:
            await asyncio.sleep(0)
            began = monotonic()
    found = {id_: ledger.rounds[id_] for id_ in rounds if id_ in ledger.rounds}
    return {
        id_: Refolded(round_, measured.get(id_, _ended_calls(round_)))
        for id_, round_ in found.items()
        if round_.start_seen or not history.is_trimmed
    }


def _measure(
    ledger: Ledger, event: Event, seq: int, first_late: Mapping[str, int], measured: dict[str, frozenset[str]]
) -> None:
    """Note which calls had ended when the first late event of a round came."""
    id_ = None if isinstance(event, ThreadSupervised) else event.round
    if (
        id_ is not None
        and id_ in first_late
        and id_ not in measured
        and seq >= first_late[id_]
        and id_ in ledger.rounds
    ):
        measured[id_] = _ended_calls(ledger.rounds[id_])


def _ended_calls(round_: Round) -> frozenset[str]:
    return frozenset(call.id for call in round_.calls if call.is_over)
