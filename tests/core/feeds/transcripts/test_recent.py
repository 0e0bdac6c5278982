from __future__ import annotations

from roundwatch.core.feeds.transcripts.recent import Recent


def test_a_key_is_new_once_and_keeps_its_value() -> None:
    recent = Recent(2)
    assert recent.add("a", "1")
    assert not recent.add("a", "2")
    assert recent.get("a") == "1"


def test_the_oldest_is_forgotten_first() -> None:
    recent = Recent(2)
    assert [recent.add(key, key) for key in "abc"] == [True, True, True]
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (None, "b", "c")
    assert recent.add("a", "again")
