from __future__ import annotations

import pytest
from roundwatch.core.feeds.transcripts.codex import Codex
from roundwatch.core.feeds.transcripts.seen import Seen
from roundwatch.core.rounds import Ledger, Silence, classify
from roundwatch.core.rounds.base import Parent
from roundwatch.core.rounds.events import CallStarted, RoundStarted
from roundwatch.core.rounds.tool_calls import ToolState

from tests.core.feeds.transcripts.codex_records import BEGIN, Rollout, lines, only, rounds, told


def test_a_turn_is_a_round_with_its_calls_tools_and_usage() -> None:
    rollout = Rollout()
    rollout.began(prompt="Mend the roof\nsoon")
    rollout.add("turn_context", None, model="gpt-z", cwd="/w")
    rollout.item("reasoning", summary=[{"type": "summary_text", "text": "**Looking**"}], encrypted_content="xxx")
    rollout.asks("a1", cmd="ls")
    rollout.counts(100, 20, cached=60, reasoning=12)
    rollout.answers("a1")
    rollout.says("It is mended.")
    rollout.counts(150, 10)
    assert classify(only(rollout.data, whole=False)).verdict == "running"
    rollout.event("task_complete", turn_id="t1", last_agent_message="It is mended.")
    found = only(rollout.data, whole=False)
    first, second = found.calls
    assert (found.id, found.title, found.text) == ("th-1", "Mend the roof", "It is mended.")
    assert (first.model, first.provider, first.reasoning_chars) == ("gpt-z", "openai", 11)
    assert (first.usage.input_tokens, first.usage.cache_read_tokens, first.usage.reasoning_tokens) == (100, 60, 12)
    assert (second.usage.input_tokens, second.usage.output_tokens) == (150, 10)
    assert [one.state for one in found.tool_calls.values()] == [ToolState.OK]
    outcome = classify(found)
    assert (outcome.verdict, outcome.doubts, outcome.contradicts_claim) == ("completed", ("inferred",), False)


def test_nothing_is_invented_about_starts_and_times() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.says("Done.")
    rollout.event("task_complete", duration_ms=9000, time_to_first_token_ms=400)
    events = told(rollout.data)
    assert [event.at for event in events if isinstance(event, CallStarted)] == [None]
    found = only(rollout.data)
    assert (found.calls[0].first_output_ms, found.calls[0].total_ms, found.calls[0].usage.input_tokens) == (None,) * 3
    assert {Silence.CALL_START, Silence.FINISH_REASON, Silence.FIRST_OUTPUT} <= found.silent


def test_turns_are_numbered_within_the_session() -> None:
    rollout = Rollout()
    for number in range(3):
        rollout.began(f"t{number}", prompt=f"prompt {number}")
        rollout.says("ok")
        rollout.event("task_complete")
    assert list(rounds(rollout.data)) == ["th-1", "th-1#2", "th-1#3"]


def test_what_the_user_adds_to_a_running_turn_opens_none() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.asks("a1")
    rollout.event("user_message", message="Faster")
    rollout.answers("a1")
    rollout.says("Done.")
    rollout.event("task_complete")
    assert only(rollout.data).title == "Go"


def test_versions_without_beginnings_of_turns_begin_at_the_prompt_and_end_at_the_next() -> None:
    rollout = Rollout()
    message = [{"type": "input_text", "text": "Go"}]
    rollout.item("message", role="user", content=[{"type": "input_text", "text": "<environment_context>"}])
    rollout.item("message", role="user", content=message)
    rollout.event("user_message", message="Go")
    rollout.counts(10, 2)
    rollout.says("Done.")
    rollout.event("user_message", message="## My request for Codex:\nMore")
    first, second = rounds(rollout.data, whole=False).values()
    assert (classify(first).verdict, classify(second).verdict) == ("completed", "running")
    assert (first.title, second.title) == ("Go", "More")


def test_bare_items_of_old_versions_are_read() -> None:
    def say(role: str, text: str) -> dict[str, object]:
        return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}

    records: list[dict[str, object]] = [
        {"id": "old-1", "timestamp": "2025-09-10T18:00:00Z", "instructions": None},
        {"record_type": "state"},
        say("user", "<user_instructions>be kind</user_instructions>"),
        say("user", "Go"),
        {"type": "reasoning", "summary": [], "content": None, "encrypted_content": "x"},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "a1"},
        {"type": "function_call_output", "call_id": "a1", "output": '{"output":"no","metadata":{"exit_code":2}}'},
        say("assistant", "Done."),
        say("user", "More"),
        say("assistant", "More done."),
    ]
    found = rounds(lines(records))
    assert list(found) == ["old-1", "old-1#2"]
    assert [call.text for call in found["old-1"].calls] == ["", "Done."]
    (call,) = found["old-1"].tool_calls.values()
    assert (call.state, call.error) == (ToolState.FAILED, "no")
    assert [classify(one).verdict for one in found.values()] == ["completed", "completed"]


@pytest.mark.parametrize(
    ("reason", "verdict", "by"),
    [
        ("interrupted", "cancelled", ["user"]),
        ("replaced", "cancelled", ["host"]),
        ("review_ended", "cancelled", ["host"]),
        ("budget_limited", "token_budget", []),
    ],
)
def test_an_aborted_turn_is_what_its_reason_says(reason: str, verdict: str, by: list[str]) -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.asks("a1", cmd="sleep 60")
    rollout.event("turn_aborted", turn_id="t1", reason=reason)
    found = only(rollout.data, whole=False)
    assert classify(found).verdict == verdict
    assert [cancel.by for cancel in found.cancels] == by
    assert [one.state for one in found.tool_calls.values()] == [ToolState.UNFINISHED]
    assert found.finished is not None
    assert found.finished.claimed is not None
    assert found.finished.claimed.reason == reason


def test_an_interrupt_in_the_words_of_the_history_counts_too() -> None:
    rollout = Rollout()
    rollout.event("user_message", message="Go")
    rollout.says("Half")
    content = [{"type": "input_text", "text": "<turn_aborted>\n<reason>interrupted</reason>\n</turn_aborted>"}]
    rollout.item("message", role="user", content=content)
    found = only(rollout.data, whole=False)
    assert (classify(found).verdict, found.calls[0].outcome) == ("cancelled", "cancelled")


def test_an_error_that_ended_the_turn_is_a_failed_call_told_once() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    info = {"response_too_many_failed_attempts": {"http_status_code": 429}}
    rollout.event("error", message="exceeded retry limit", codex_error_info=info)
    rollout.event("task_complete", error={"message": "exceeded retry limit", "codex_error_info": info})
    found = only(rollout.data, whole=False)
    (call,) = found.calls
    assert call.error is not None
    assert (call.outcome, call.error.http_status, classify(found).verdict) == ("failed", 429, "provider_error")


def test_a_stream_that_broke_is_asked_for_again() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.says("Hal")
    rollout.event("stream_error", message="stream disconnected", codex_error_info="response_stream_disconnected")
    rollout.says("Done.")
    rollout.event("task_complete")
    found = only(rollout.data)
    assert [(call.outcome, call.attempt) for call in found.calls] == [("body_cut", None), ("completed", 2)]
    assert classify(found).verdict == "completed"


def test_a_turn_whose_end_was_never_written_was_cut() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.says("Hal")
    assert classify(only(rollout.data)).verdict == "stream_ended_without_finish"


def test_the_last_words_stand_in_for_a_text_that_was_not_written() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.counts(10, 2)
    rollout.event("task_complete", last_agent_message="Done.")
    assert only(rollout.data).text == "Done."


def test_commands_tell_their_beginning_and_end() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.asks("a1", cmd="make")
    rollout.event("exec_command_begin", call_id="a1", command=["make"])
    assert only(rollout.data, whole=False).tool_calls["c1", "a1"].state is ToolState.RUNNING
    end = {"exit_code": 2, "aggregated_output": "no rule", "duration": {"secs": 1, "nanos": 500_000_000}}
    rollout.event("exec_command_end", call_id="a1", **end)
    rollout.answers("a1", "Process exited with code 2\nOutput:\nno rule")
    call = only(rollout.data, whole=False).tool_calls["c1", "a1"]
    assert (call.state, call.duration_ms, call.error) == (ToolState.FAILED, 1500, "no rule")


def test_free_text_for_a_tool_and_the_providers_own_search_are_tools() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.item("web_search_call", status="completed", action={"type": "search", "query": "roofs"})
    rollout.item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="p1", status="completed")
    rollout.counts(10, 2)
    rollout.item("custom_tool_call_output", call_id="p1", output="patch rejected by user")
    rollout.says("As you like.")
    rollout.event("task_complete")
    found = only(rollout.data)
    search, patch = found.tool_calls.values()
    assert (search.server, search.state, search.id_given) == (True, ToolState.OK, False)
    assert (patch.state, patch.why, patch.arguments) == (ToolState.REFUSED, "permission", '{"input":"*** Begin Patch"}')
    assert len(found.calls) == 2


def test_items_without_ids_are_matched_in_order() -> None:
    rollout = Rollout()
    rollout.event("user_message", message="Go")
    rollout.item("tool_call", function={"name": "run"}, arguments={"command": "ls"})
    rollout.item("tool_result", name="run", result={"stdout": "a"})
    (call,) = only(rollout.data).tool_calls.values()
    assert (call.name, call.id_given, call.state) == ("run", False, ToolState.OK)


def test_a_forked_session_tells_only_its_own_turns_and_usage() -> None:
    rollout = Rollout("th-2", step_ms=1, forked_from_id="th-1")
    rollout.meta("th-1")
    rollout.began("t1", prompt="Of the parent")
    rollout.says("Of the parent too")
    rollout.counts(1200, 150, cached=500)
    rollout.counts(900, 90, cached=400)
    rollout.event("task_complete")
    rollout.now = BEGIN.replace(second=5)
    rollout.began("t9", prompt="My own")
    rollout.counts(600, 45, cached=250)
    rollout.event("task_complete", last_agent_message="ok")
    found = only(rollout.data)
    assert (found.id, found.title, found.text) == ("th-2", "My own", "ok")
    assert [(call.usage.input_tokens, call.usage.output_tokens) for call in found.calls] == [(600, 45)]


def test_a_spawned_session_hangs_under_its_parent() -> None:
    spawn = {"parent_thread_id": "th-1", "agent_nickname": "Ada", "agent_role": "reviewer"}
    rollout = Rollout("th-5", source={"subagent": {"thread_spawn": spawn}})
    rollout.began(prompt="Look")
    found = only(rollout.data)
    assert (found.parent, found.agent, found.thread) == (Parent(round="th-1"), "Ada", "th-5")


def test_the_parents_file_tells_which_call_spawned_a_session() -> None:
    rollout = Rollout("th-1")
    rollout.began(prompt="Go")
    rollout.event("task_complete")
    rollout.began(prompt="Go on")
    rollout.asks("a1", name="spawn_agent")
    rollout.event("collab_agent_spawn_end", call_id="a1", new_thread_id="th-5")
    seen, exact = Seen(), Parent(round="th-1#2", tool_call="a1")
    starts = [event for event in told(rollout.data, "", seen) if isinstance(event, RoundStarted)]
    assert [event.parent for event in starts if event.round == "th-5"] == [exact]
    child = Rollout("th-5", source={"subagent": {"thread_spawn": {"parent_thread_id": "th-1"}}})
    child.began(prompt="Look")
    ledger = Ledger()
    ledger.apply_all(told(child.data, "", seen))
    assert ledger.rounds["th-5"].parent == exact


def test_the_output_of_the_spawning_call_names_the_session_too() -> None:
    rollout = Rollout("th-1")
    rollout.began(prompt="Go")
    rollout.asks("a1", name="spawn_agent")
    rollout.asks("a2", name="spawn_agent")
    rollout.answers("a1", '{"agent_id":"th-5"}')
    rollout.answers("a2", "agent limit reached")
    starts = [event for event in told(rollout.data) if isinstance(event, RoundStarted) and event.round != "th-1"]
    assert [(event.round, event.parent) for event in starts] == [("th-5", Parent(round="th-1", tool_call="a1"))]


def test_a_turn_without_an_event_for_its_prompt_is_named_by_the_message() -> None:
    rollout = Rollout()
    rollout.event("task_started", turn_id="t1")
    rollout.item("message", role="user", content=[{"type": "input_text", "text": "Go"}])
    rollout.says("Done.")
    rollout.event("task_complete")
    assert only(rollout.data).title == "Go"


def test_a_review_says_that_it_is_one() -> None:
    rollout = Rollout(source={"subagent": "review"})
    rollout.began()
    assert only(rollout.data).agent == "review"


def test_the_files_name_tells_the_session_where_no_record_does() -> None:
    rollout = Rollout("")
    rollout.event("user_message", message="Go")
    name = "rollout-2026-02-23T12-40-23-019c8a4c-ed82-79a1-aa28-7738fc5ab61a.jsonl"
    assert list(rounds(rollout.data, name=name)) == ["019c8a4c-ed82-79a1-aa28-7738fc5ab61a"]


def test_lines_that_repeat_what_others_say_are_not_even_read() -> None:
    rollout = Rollout()
    rollout.event("agent_message", message="Done.")
    rollout.event("agent_reasoning", text="Hm.")
    rollout.add("compacted", None, message="", replacement_history=[])
    rollout.event("user_message", message='"type":"compacted"')
    skips = [Codex().skips(line) for line in rollout.data.splitlines()]
    assert skips == [False, True, True, True, False]


def test_refusals_have_their_own_channel() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.item("message", role="assistant", content=[{"type": "refusal", "refusal": "No."}])
    rollout.event("task_complete")
    assert only(rollout.data).calls[0].refusal.text == "No."


def test_items_after_the_end_of_a_turn_begin_an_unnamed_one() -> None:
    rollout = Rollout()
    rollout.began(prompt="Go")
    rollout.says("Done.")
    rollout.event("task_complete")
    rollout.says("One more thing.")
    assert [found.title for found in rounds(rollout.data).values()] == ["Go", None]
