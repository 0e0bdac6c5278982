"""The end of a round that nobody ends: its next request never came."""

from __future__ import annotations

from ..rounds.events import Event, RoundFinished, RoundWarning
from .rounds_book import FoundRound


def closing(round_: FoundRound, waited_s: float) -> list[Event]:
    """Return what ends a round whose next request never came."""
    facts = {"waited_s": round(waited_s), "tools": [tool.told_name for tool in round_.pending]}
    message = f"no further request came within {round(waited_s)} s; the round is closed with what is known"
    return [
        RoundWarning(round=round_.id, code="next_request_missing", message=message, facts=facts),
        RoundFinished(round=round_.id),
    ]
