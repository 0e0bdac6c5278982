from __future__ import annotations

from roundwatch.core.feeds.transcripts.seen import Seen
from roundwatch.core.rounds.base import Parent


def test_the_first_who_tells_of_a_key_owns_it() -> None:
    seen = Seen()
    assert [seen.claim("m1", owner) for owner in ("a", "b", "a")] == [True, False, True]
    assert seen.claim("m2", "b")


def test_what_started_a_round_is_news_once_and_can_be_corrected() -> None:
    seen, first, second = Seen(), Parent(round="r"), Parent(round="r", tool_call="t")
    assert seen.parent_of("x") is None
    assert [seen.place("x", parent) for parent in (first, first, second)] == [True, False, True]
    assert seen.parent_of("x") == second
