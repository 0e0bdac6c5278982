from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from roundwatch.core.rounds import Silence, classify
from roundwatch.core.rounds.events import CallStarted, RoundFinished, RoundStarted
from roundwatch.core.rounds.tool_calls import ToolState

from tests.core.feeds.transcripts.claude_records import Script, only, rounds, text, told, tool

REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
INTERRUPTED = "[Request interrupted by user]"


def asked() -> Script:
    script = Script()
    script.user("Mend the roof\nand the door")
    return script


def test_a_message_on_several_lines_is_one_call_with_all_blocks_and_the_last_usage() -> None:
    script = asked()
    script.answer("m1", {"type": "thinking", "thinking": "Hm."}, output=1)
    script.answer("m1", text("Let me see."), output=9)
    script.answer("m1", tool("t1"), stop="tool_use", output=77)
    (call,) = only(script.data, whole=False).calls
    assert (call.usage.output_tokens, call.usage.input_tokens) == (77, 30)
    assert (call.text, call.reasoning_chars, call.finish_reason) == ("Let me see.", 3, "tool_use")
    assert [one.name for one in call.tool_calls] == ["Bash"]


def test_records_of_one_message_between_which_a_result_stands_are_one_call() -> None:
    script = asked()
    script.answer("m1", tool("t1"), output=4)
    script.result("t1")
    script.answer("m1", tool("t2"), stop="tool_use", output=50)
    script.result("t2")
    found = only(script.data, whole=False)
    assert [call.usage.output_tokens for call in found.calls] == [50]
    assert [one.state for one in found.tool_calls.values()] == [ToolState.OK, ToolState.OK]


def test_the_same_message_id_under_another_request_is_another_call() -> None:
    script = asked()
    script.answer("m1", text("a"), requestId="r1")
    script.answer("m1", text("b"), requestId="r2")
    assert [call.text for call in only(script.data).calls] == ["a", "b"]


def test_a_round_runs_while_its_tools_do_and_is_judged_when_its_last_answer_ends() -> None:
    script = asked()
    script.answer("m1", tool("t1"), stop="tool_use")
    assert classify(only(script.data, whole=False)).verdict == "running"
    script.result("t1")
    assert classify(only(script.data, whole=False)).verdict == "running"
    script.answer("m2", text("Done."), stop="end_turn")
    outcome = classify(only(script.data, whole=False))
    assert (outcome.verdict, outcome.evidence, outcome.is_answer) == ("completed", "confirmed", True)


def test_an_answer_without_a_reason_stays_open_until_the_next_prompt_and_is_then_inferred() -> None:
    script = asked()
    script.answer("m1", text("Done."))
    assert classify(only(script.data, whole=False)).verdict == "running"
    script.user("And the garden")
    first, second = rounds(script.data, whole=False).values()
    outcome = classify(first)
    assert (outcome.verdict, outcome.doubts, outcome.is_answer) == ("completed", ("inferred",), False)
    assert classify(second).verdict == "running"
    assert (first.id, second.id, second.title) == ("s1", "s1#2", "And the garden")
    assert first.ended_at == datetime(2026, 10, 1, 10, 0, 1, tzinfo=UTC)


def test_the_end_of_a_whole_file_ends_its_round() -> None:
    script = asked()
    script.answer("m1", tool("t1"))
    assert classify(only(script.data)).verdict == "unfinished_tool_call"


def test_nothing_is_invented_about_starts_and_times() -> None:
    script = asked()
    script.answer("m1", text("Done."), stop="end_turn", output=None)
    events = told(script.data)
    assert [event.at for event in events if isinstance(event, CallStarted)] == [None]
    found = only(script.data)
    call = found.calls[0]
    assert (call.first_output_ms, call.total_ms, call.usage.output_tokens) == (None, None, None)
    assert {Silence.CALL_START, Silence.FIRST_OUTPUT, Silence.FINISH_REASON, Silence.END} <= found.silent
    assert (found.source, found.title, found.thread) == ("claude-code", "Mend the roof", "s1")


def test_the_measured_end_of_a_turn_ends_its_round_without_a_claim() -> None:
    script = asked()
    script.answer("m1", text("Done."))
    script.system("turn_duration", durationMs=3000)
    (end,) = [event for event in told(script.data) if isinstance(event, RoundFinished)]
    assert end.claimed is None
    assert end.at == datetime(2026, 10, 1, 10, 0, 2, tzinfo=UTC)


@pytest.mark.parametrize(("errors", "verdict"), [([], "completed"), (["blocked"], "running")])
def test_stop_hooks_that_let_the_agent_stop_end_its_round(errors: list[str], verdict: str) -> None:
    script = asked()
    script.answer("m1", text("Done."))
    script.system("stop_hook_summary", hookErrors=errors)
    assert classify(only(script.data, whole=False)).verdict == verdict


def test_a_round_that_a_hook_sends_back_to_work_goes_on() -> None:
    script = asked()
    script.answer("m1", text("Done."), stop="end_turn")
    script.user("Stop hook feedback: tests fail", isMeta=True)
    script.answer("m2", tool("t1"), stop="tool_use")
    assert classify(only(script.data, whole=False)).verdict == "running"


def test_an_interrupt_during_a_tool_cancels_the_round_and_opens_none() -> None:
    script = asked()
    script.answer("m1", tool("t1"), tool("t2"), stop="tool_use")
    script.result("t1", REJECTED, is_error=True, toolUseResult="User rejected tool use")
    script.user([text("[Request interrupted by user for tool use]")])
    found = only(script.data, whole=False)
    assert classify(found).verdict == "cancelled"
    assert [(one.state, one.why) for one in found.tool_calls.values()] == [
        (ToolState.REFUSED, "permission"),
        (ToolState.REFUSED, "interrupted"),
    ]


def test_an_interrupt_while_the_model_speaks_cancels_its_call() -> None:
    script = asked()
    script.answer("m1", text("The first half"))
    script.user([text(INTERRUPTED)])
    found = only(script.data, whole=False)
    assert (found.calls[0].outcome, found.cancels[0].by) == ("cancelled", "user")
    assert classify(found).verdict == "cancelled"


def test_a_shutdown_is_no_person() -> None:
    script = asked()
    script.answer("m1", text("The first half"))
    script.user([text(INTERRUPTED)], interruptedByShutdown=True)
    assert only(script.data).cancels[0].by == "host"


def test_work_after_an_interrupt_takes_the_cancel_not_back() -> None:
    script = asked()
    script.answer("m1", text("The first half"))
    script.user([text(INTERRUPTED)])
    script.user("<task-notification>\n<summary>The build is over</summary>\n</task-notification>")
    script.answer("m2", text("The build is over."), stop="end_turn")
    first, second = rounds(script.data, whole=False).values()
    assert (classify(first).verdict, classify(second).verdict) == ("cancelled", "completed")
    assert second.title == "The build is over"


def test_a_notice_to_a_running_round_opens_none() -> None:
    script = asked()
    script.answer("m1", tool("t1"), stop="tool_use")
    script.add("attachment", attachment={"type": "queued_command", "prompt": "Hurry up", "commandMode": "prompt"})
    script.result("t1")
    script.answer("m2", text("Done."), stop="end_turn")
    assert only(script.data, whole=False).text == "Done."


def test_a_queued_command_after_the_end_begins_the_next_round_once_the_model_answers() -> None:
    script = asked()
    script.answer("m1", text("Done."), stop="end_turn")
    script.add("attachment", attachment={"type": "queued_command", "prompt": [text("And the fence")]})
    assert len(rounds(script.data, whole=False)) == 1
    script.answer("m2", text("Done too."), stop="end_turn")
    assert [found.title for found in rounds(script.data, whole=False).values()] == ["Mend the roof", "And the fence"]


@pytest.mark.parametrize(
    ("content", "flags"),
    [
        ("Caveat: The messages below were generated by the user while running local commands.", {}),
        ("Look at this", {"isMeta": True}),
        ("This session is being continued", {"isCompactSummary": True}),
        ("Shown only", {"isVisibleInTranscriptOnly": True}),
        ("<command-name>/clear</command-name>", {}),
        ("<local-command-stdout></local-command-stdout>", {}),
        ("<bash-input>ls</bash-input>", {}),
        ([text(INTERRUPTED)], {}),
        ([], {}),
    ],
)
def test_what_the_harness_writes_opens_no_round(content: object, flags: dict[str, bool]) -> None:
    script = Script()
    script.user(content, **flags)
    script.system("compact_boundary", compactMetadata={"trigger": "manual"})
    script.add("queue-operation", operation="enqueue", content="later")
    script.add("summary", summary="A title")
    assert not told(script.data)


def test_a_slash_command_begins_a_round_only_where_the_model_answers_it() -> None:
    local, asks = Script(), Script()
    for script in (local, asks):
        script.user("Hello")
        script.answer("m1", text("Hi."), stop="end_turn")
        script.user("<command-name>/review</command-name>\n<command-args>the roof</command-args>")
    local.user("<local-command-stdout>nothing to do</local-command-stdout>")
    for script in (local, asks):
        script.answer("m2", text("More."), stop="end_turn")
    assert len(rounds(local.data)) == 1
    assert [found.title for found in rounds(asks.data).values()] == ["Hello", "/review the roof"]


def test_attempts_that_failed_are_failed_calls_and_the_next_one_is_the_next_attempt() -> None:
    script = asked()
    error = {"status": 529, "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}}
    script.system("api_error", error=error, retryAttempt=1, maxRetries=10)
    script.answer("m1", text("Done."), stop="end_turn")
    found = only(script.data, whole=False)
    failed, fine = found.calls
    assert failed.error is not None
    assert (failed.outcome, failed.error.http_status, failed.error.code) == ("failed", 529, "overloaded_error")
    assert (failed.attempt, fine.attempt, classify(found).verdict) == (1, 2, "completed")


def test_an_error_in_place_of_an_answer_ends_the_round_as_what_it_is() -> None:
    script = asked()
    error: dict[str, Any] = {
        "isApiErrorMessage": True,
        "error": "rate_limit",
        "message": {"model": "<synthetic>", "usage": {}},
    }
    script.answer("m1", text("API Error: 429 Slow down"), **error)
    found = only(script.data, whole=False)
    assert classify(found).verdict == "provider_error"
    assert found.calls[0].error is not None
    assert (found.calls[0].error.http_status, found.calls[0].error.code) == (429, "rate_limit")
    assert not found.text


def test_an_answer_that_reached_its_cap_is_no_failed_request() -> None:
    script = asked()
    script.answer("m1", text("Once upon"))
    script.answer("e1", text("API Error: too long"), isApiErrorMessage=True, error="max_output_tokens")
    found = only(script.data, whole=False)
    assert classify(found).verdict == "output_cap_reached"


def test_a_message_that_no_model_wrote_is_no_call() -> None:
    script = asked()
    script.answer("m1", text("No response requested."), message={"model": "<synthetic>"})
    assert not only(script.data).calls


def test_a_stream_that_was_aborted_is_a_cancelled_call() -> None:
    script = asked()
    script.answer("m1", text("Once up"), isAbortedMidStream=True)
    assert only(script.data).calls[0].outcome == "cancelled"


def test_a_refusal_is_the_end_of_the_answer_that_was_taken_back() -> None:
    script = asked()
    record = script.answer("m1", text("I can"))
    script.system("api_refusal", apiRefusalCategory="cyber", retractedMessageUuids=[record["uuid"]])
    found = only(script.data, whole=False)
    assert classify(found).verdict == "content_filtered"
    assert (found.calls[0].finish_reason, found.calls[0].finish_detail) == ("refusal", "cyber")


def test_a_refusal_without_an_answer_is_a_call_of_its_own() -> None:
    script = asked()
    script.system("api_refusal", apiRefusalCategory="bio", originalModel="claude-y")
    found = only(script.data, whole=False)
    assert (found.calls[0].model, classify(found).verdict) == ("claude-y", "content_filtered")


def test_a_refusal_that_another_model_steps_in_for_does_not_end_the_round() -> None:
    script = asked()
    script.system("model_refusal_fallback", originalModel="claude-y", fallbackModel="claude-z")
    script.answer("m2", text("Done."), stop="end_turn")
    found = only(script.data, whole=False)
    assert [call.finish_reason for call in found.calls] == ["refusal", "end_turn"]
    assert classify(found).verdict == "completed"


def test_details_of_the_stop_say_refusal_where_the_reason_is_missing() -> None:
    script = asked()
    details = {"stop_details": {"type": "refusal", "category": "cyber"}}
    script.answer("m1", {"type": "thinking", "thinking": ""}, message=details)
    call = only(script.data, whole=False).calls[0]
    assert (call.finish_reason, call.finish_detail) == ("refusal", "cyber")


def test_a_paused_turn_goes_on() -> None:
    script = asked()
    script.answer("m1", text("Searching"), stop="pause_turn")
    assert classify(only(script.data, whole=False)).verdict == "running"


def test_tools_of_the_provider_are_its_own() -> None:
    script = asked()
    search = {"type": "server_tool_use", "id": "w1", "name": "web_search", "input": {"query": "roofs"}}
    answer = {
        "type": "web_search_tool_result",
        "tool_use_id": "w1",
        "content": {"type": "web_search_tool_result_error"},
    }
    script.answer("m1", search, answer, text("Found."), stop="end_turn")
    found = only(script.data, whole=False)
    (call,) = found.tool_calls.values()
    assert (call.server, call.state, classify(found).verdict) == (True, ToolState.FAILED, "completed")


def test_results_tell_how_a_tool_came_out_and_how_long_it_took() -> None:
    script = asked()
    script.answer("m1", tool("t1"), tool("t2"), tool("t3"), stop="tool_use")
    script.result("t1", [text("x" * 9000)], toolUseResult={"durationMs": 120})
    script.result("t2", "Exit code 1", is_error=True, toolUseResult={"durationSeconds": 2})
    script.result("t3", "half", toolUseResult={"interrupted": True})
    script.result("t9", "of nobody")
    one, two, three = only(script.data).tool_calls.values()
    assert (one.state, one.duration_ms, len(one.preview or "")) == (ToolState.OK, 120, 200)
    assert (two.state, two.duration_ms, two.error) == (ToolState.FAILED, 2000, "Exit code 1")
    assert three.state == ToolState.FAILED


def test_tools_without_ids_are_matched_in_order() -> None:
    script = asked()
    script.answer("m1", {"type": "tool_use", "name": "ls", "input": {}}, stop="tool_use")
    script.user([{"type": "tool_result", "content": "ok"}])
    (call,) = only(script.data).tool_calls.values()
    assert (call.id_given, call.state) == (False, ToolState.OK)


def test_an_answer_without_a_prompt_begins_a_round_without_a_title() -> None:
    script = Script()
    script.answer("m1", text("one"), stop="end_turn")
    events = told(script.data)
    (start,) = [event for event in events if isinstance(event, RoundStarted)]
    assert (start.round, start.title) == ("s1", None)


def test_keys_in_arguments_stay_where_they_are() -> None:
    script = asked()
    secret = "sk-" + "a1B2" * 8
    script.answer("m1", tool("t1", command=f"curl -H 'Authorization: Bearer {secret}'", api_key="hunter2"))
    script.result("t1", f"token={secret}")
    assert secret not in repr(told(script.data))
    assert "hunter2" not in repr(told(script.data))
