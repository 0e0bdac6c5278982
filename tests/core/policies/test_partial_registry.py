from __future__ import annotations

import pytest
from roundwatch.core.policies import MAX_RECORDS, PartialRegistry


def text(said: str) -> dict[str, str]:
    return {"type": "text", "text": said}


def test_a_record_is_readable_from_the_start_before_the_child_unwinds() -> None:
    registry = PartialRegistry()
    accumulator = registry.publish("child")
    assert "child" in registry
    accumulator.take(text("half"))
    found = registry.read("child")
    assert found is not None
    assert found.text == "half"


def test_a_record_is_read_once() -> None:
    registry = PartialRegistry()
    registry.publish("child").take(text("half"))
    assert registry.read("child") is not None
    assert registry.read("child") is None
    assert len(registry) == 0


def test_a_child_that_produced_nothing_gives_nothing_and_is_forgotten() -> None:
    registry = PartialRegistry()
    registry.publish("child")
    assert registry.read("child") is None
    assert "child" not in registry
    assert registry.read("never seen") is None


def test_a_child_that_completed_leaves_nothing_behind() -> None:
    registry = PartialRegistry()
    registry.publish("child").take(text("all"))
    registry.discard("child")
    registry.discard("child")
    assert len(registry) == 0
    assert registry.read("child") is None


def test_what_a_child_writes_after_its_record_was_read_goes_nowhere() -> None:
    registry = PartialRegistry()
    accumulator = registry.publish("child")
    registry.read("child")
    accumulator.take(text("late"))
    assert registry.read("child") is None


def test_the_oldest_unread_record_makes_room() -> None:
    registry = PartialRegistry()
    for number in range(MAX_RECORDS + 3):
        registry.publish(f"child {number}")
    assert (len(registry), registry.evicted) == (MAX_RECORDS, 3) == (64, 3)
    assert [f"child {number}" in registry for number in range(5)] == [False, False, False, True, True]


def test_a_name_used_again_opens_a_fresh_record_and_counts_as_the_newest() -> None:
    registry = PartialRegistry(max_records=2)
    registry.publish("a").take(text("old"))
    registry.publish("b")
    registry.publish("a").take(text("new"))
    assert registry.evicted == 0
    registry.publish("c")
    assert "b" not in registry
    found = registry.read("a")
    assert found is not None
    assert found.text == "new"


def test_the_bound_on_reasoning_is_handed_on() -> None:
    registry = PartialRegistry(max_reasoning_chars=3)
    registry.publish("child").take({"type": "thinking", "text": "abcdef"})
    found = registry.read("child")
    assert found is not None
    assert found.reasoning_chars == 3


def test_a_registry_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        PartialRegistry(0)
