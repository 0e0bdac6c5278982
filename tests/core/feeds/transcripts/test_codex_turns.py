from __future__ import annotations

from roundwatch.core.rounds import classify

from tests.core.feeds.transcripts.codex_records import Rollout, only


def usages(rollout: Rollout) -> list[tuple[int | None, bool]]:
    """Input tokens of every call, and whether it holds anything."""
    rollout.event("task_complete")
    calls = only(rollout.data).calls
    return [(call.usage_as_reported.input_tokens, call.content_seen) for call in calls]


def test_counts_behind_their_items_belong_to_them() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    for number in range(3):
        rollout.asks(f"a{number}")
        rollout.asks(f"b{number}")
        rollout.counts(100 + number, 1)
        rollout.repeats()
        rollout.answers(f"a{number}")
        rollout.answers(f"b{number}")
        rollout.repeats()
    rollout.says("Done.")
    rollout.counts(103, 1)
    assert usages(rollout) == [(100, True), (101, True), (102, True), (103, True)]


def test_counts_in_front_of_their_items_belong_to_them() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    for number in range(3):
        rollout.counts(100 + number, 1)
        rollout.item("reasoning", summary=[])
        rollout.asks(f"a{number}")
        rollout.answers(f"a{number}")
    rollout.counts(103, 1)
    rollout.says("Done.")
    assert usages(rollout) == [(100, True), (101, True), (102, True), (103, True)]


def test_counts_that_come_after_the_results_belong_to_the_items_before() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    for number in range(2):
        rollout.asks(f"a{number}")
        rollout.answers(f"a{number}")
        rollout.counts(100 + number, 1)
    rollout.says("Done.")
    rollout.counts(102, 1)
    assert usages(rollout) == [(100, True), (101, True), (102, True)]


def test_a_request_that_left_nothing_but_its_count_does_not_shift_the_others() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.asks("a1")
    rollout.counts(100, 1)
    rollout.answers("a1")
    rollout.counts(7, 1)
    rollout.says("Done.")
    rollout.counts(101, 1)
    assert usages(rollout) == [(100, True), (7, False), (101, True)]


def test_answers_that_follow_each_other_without_a_tool_are_several_calls() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    for number in range(2):
        rollout.says(f"Part {number}")
        rollout.counts(100 + number, 1)
    assert usages(rollout) == [(100, True), (101, True)]


def test_without_any_counts_results_part_the_calls() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.event("token_count", info=None)
    rollout.says("I look.")
    rollout.asks("a1")
    rollout.answers("a1")
    rollout.says("Done.")
    assert usages(rollout) == [(None, True), (None, True)]


def test_the_providers_own_search_parts_nothing() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.item("web_search_call", status="completed", action={"query": "x"})
    rollout.says("Found.")
    rollout.counts(100, 1)
    assert usages(rollout) == [(100, True)]


def test_a_turn_that_only_sums_the_history_up_did_not_fail_to_answer() -> None:
    rollout = Rollout()
    rollout.began()
    rollout.counts(50, 7)
    rollout.event("context_compacted")
    rollout.event("task_complete", last_agent_message=None)
    outcome = classify(only(rollout.data))
    assert (outcome.verdict, outcome.evidence) == ("completed", "unconfirmed")


def test_a_turn_that_sums_up_on_its_way_and_then_writes_nothing_has_no_answer() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.asks("a1")
    rollout.answers("a1")
    rollout.event("context_compacted")
    rollout.event("task_complete", last_agent_message=None)
    assert classify(only(rollout.data)).verdict == "no_final_answer"
