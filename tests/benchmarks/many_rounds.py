"""A screen's state with very many ended rounds, made directly: folding a million rounds would take minutes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from roundwatch.core.rounds import RoundSummary, parse_event
from roundwatch.tui.feed import FeedState
from roundwatch.tui.source import Received
from roundwatch.tui.watched import Watched

from tests.rounds import Lines, call, end, fold, start

MIDDAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def with_ended(rounds: int) -> Watched:
    """Return a state in which that many rounds have ended and left their summaries."""
    watched = Watched()
    watched.feed.state = FeedState.LIVE
    one = RoundSummary.of(fold(start(agent="worker", title="Fix it"), call("c1", "stop", "x"), end()).rounds["r"])
    for number in range(rounds):
        name = f"round-{number}"
        outcome = replace(one.outcome, round=name)
        at = MIDDAY + timedelta(seconds=number / 10)
        watched.ledger.retired[name] = replace(
            one, id=name, title=f"Fix issue {number}", outcome=outcome, started_at=at, total_ms=1000.0 + number
        )
        watched.tree.place(name, None)
    return watched


def take(watched: Watched, round_: str, *parts: Lines) -> None:
    """Fold lines of one round in as if they had just come."""
    for part in parts:
        for fields in part:
            event = parse_event({"round": round_, **fields})
            watched.take(Received(event, "", watched.feed.seq + 1), 0.0)
