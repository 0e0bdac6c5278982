from __future__ import annotations

from roundwatch.core.feeds.transcripts.seen import Seen
from roundwatch.core.rounds.base import Parent


def test_the_first_who_tells_of_a_key_owns_it() -> None:
    seen = Seen()
    assert [seen.claim("m1", owner) for owner in ("a", "b", "a")] == [True, False, True]
    assert seen.claim("m2", "b")


def test_the_newest_word_about_what_started_a_round_holds() -> None:
    seen = Seen()
    assert seen.parent_of("x") is None
    for parent in (Parent(round="r"), Parent(round="r", tool_call="t")):
        seen.place("x", parent)
        assert seen.parent_of("x") == parent
