from __future__ import annotations

from roundwatch.core.feeds.closing import closing
from roundwatch.core.feeds.pending_tools import Pending
from roundwatch.core.feeds.rounds_book import FoundRound
from roundwatch.core.rounds.events import RoundFinished, RoundWarning


def test_a_round_that_nobody_ends_is_ended_with_what_it_waited_for() -> None:
    waits = FoundRound("r", "t", ())
    waits.pending.add(Pending("c1", "id", "search"))
    waits.pending.add(Pending("c1", "i2", "x", told_name="[…]"))

    warning, end = closing(waits, 31.4)

    assert isinstance(warning, RoundWarning)
    assert (warning.round, warning.code) == ("r", "next_request_missing")
    assert warning.facts == {"waited_s": 31, "tools": ["search", "[…]"]}
    assert end == RoundFinished(round="r")
