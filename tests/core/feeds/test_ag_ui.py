from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ag_ui import core as ag
from ag_ui.core import events as ag_events
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.ag_ui import IGNORED, AgUi
from roundwatch.core.hub.foreign import UnreadableFrame
from roundwatch.core.rounds import Round, classify

from tests.core.feeds.heard import AT, folded, one, sent

Models = list[Any]


def written(models: Models) -> list[str]:
    """Events as the library itself writes them."""
    return [each.model_dump_json(by_alias=True, exclude_none=True) for each in models]


def run(*between: Any, **finished: Any) -> Models:
    return [
        ag.RunStartedEvent(thread_id="th", run_id="r1"),
        *between,
        ag.RunFinishedEvent(thread_id="th", run_id="r1", **finished),
    ]


TEXT: Models = [
    ag.TextMessageStartEvent(message_id="m", role="assistant"),
    ag.TextMessageContentEvent(message_id="m", delta="East of "),
    ag.TextMessageContentEvent(message_id="m", delta="the mill."),
    ag.TextMessageEndEvent(message_id="m"),
]
ASKED: Models = [
    ag.ToolCallStartEvent(tool_call_id="t1", tool_call_name="look"),
    ag.ToolCallArgsEvent(tool_call_id="t1", delta='{"at":'),
    ag.ToolCallArgsEvent(tool_call_id="t1", delta=' "east"}'),
    ag.ToolCallEndEvent(tool_call_id="t1"),
]
ANSWERED = ag.ToolCallResultEvent(message_id="m2", tool_call_id="t1", content="a mill")


def told(models: Models) -> Round:
    return one(AgUi, written(models))


@pytest.mark.parametrize("outcome", [None, ag_events.RunFinishedSuccessOutcome()], ids=["absent", "success"])
def test_a_run_that_ends_is_completed_but_never_an_answer(outcome: Any) -> None:
    round_ = told(run(*TEXT, outcome=outcome))
    found = classify(round_)
    assert (found.verdict, found.is_answer, found.doubts) == ("completed", False, ("inferred",))
    assert (round_.id, round_.thread, round_.source, round_.text) == ("th.r1", "th", "ag-ui", "East of the mill.")
    assert {"calls", "finish_reason"} <= round_.silent


def test_an_unknown_outcome_is_no_success_either() -> None:
    frames = [*written(run(*TEXT)[:-1]), {"type": "RUN_FINISHED", "outcome": {"type": "truncated"}}]
    assert not classify(one(AgUi, frames)).is_answer


def test_cancelled_interrupted_and_broken_runs_are_what_they_are() -> None:
    assert classify(told(run(*TEXT, outcome=ag_events.RunFinishedCancelledOutcome()))).verdict == "cancelled"
    waits = ag_events.RunFinishedInterruptOutcome(interrupts=[ag_events.Interrupt(id="i", reason="approve the mail")])
    round_ = told(run(*TEXT, outcome=waits))
    assert classify(round_).verdict == "suspended"
    assert round_.suspended is not None
    assert round_.suspended.why == "approve the mail"
    pending = ag_events.RunFinishedSuccessOutcome(pending_tool_call_ids=["t1"])
    assert classify(told(run(*ASKED, outcome=pending))).verdict == "suspended"
    broken = [*run(*TEXT)[:-1], ag.RunErrorEvent(message="it broke", code="E1")]
    assert classify(told(broken)).verdict == "faulted"


def test_tools_have_arguments_results_and_refusals() -> None:
    (tool,) = told(run(*ASKED, ANSWERED, *TEXT)).tool_calls.values()
    assert (tool.name, tool.arguments, tool.state, tool.preview) == ("look", '{"at": "east"}', "ok", "a mill")
    round_ = told(run(*ASKED))
    assert classify(round_).verdict == "unfinished_tool_call"
    refused = ag.CustomEvent(name="tool.refused", value={"toolCallId": "t1", "message": "not today"})
    (tool,) = told(run(*ASKED, refused)).tool_calls.values()
    assert (tool.state, tool.why, tool.message) == ("refused", "permission", "not today")
    chunks: Models = [
        ag.ToolCallChunkEvent(tool_call_id="t1", tool_call_name="look", delta='{"a"'),
        ag.ToolCallChunkEvent(delta=":1}"),
    ]
    (tool,) = told(run(*chunks, ANSWERED)).tool_calls.values()
    assert (tool.arguments, tool.state) == ('{"a":1}', "ok")


def test_usage_is_summed_over_models_with_parts_as_parts_and_unknown_where_one_is_silent() -> None:
    entries = [
        ag_events.TokenUsage(model="a", input_tokens=10, output_tokens=5, reasoning_tokens=2, cached_input_tokens=4),
        ag_events.TokenUsage(model="b", input_tokens=1, output_tokens=1),
    ]
    (call,) = told(run(*TEXT, usage=entries)).calls
    assert (call.usage.input_tokens, call.usage.output_tokens) == (11, 6)
    assert (call.usage.reasoning_tokens, call.usage.cache_read_tokens) == (None, None)


def test_sub_agents_are_rounds_below_their_caller() -> None:
    models = run(
        ag.ToolCallStartEvent(tool_call_id="t1", tool_call_name="ask"),
        ag_events.SubagentStartedEvent(subagent_run_id="s1", name="helper", parent_tool_call_id="t1"),
        ag.TextMessageContentEvent(message_id="x", delta="Found it.", subagent_run_id="s1"),
        ag_events.SubagentFinishedEvent(subagent_run_id="s1"),
        ag_events.SubagentStartedEvent(subagent_run_id="s2", name="other"),
        ag_events.SubagentErrorEvent(subagent_run_id="s2", message="no luck"),
        ANSWERED,
        *TEXT,
    )
    rounds = folded(AgUi, written(models)).rounds
    helper, other = rounds["th.r1.s1"], rounds["th.r1.s2"]
    assert helper.parent is not None
    assert (helper.agent, helper.parent.round, helper.parent.tool_call, helper.text) == (
        "helper", "th.r1", "t1", "Found it.",
    )  # fmt: skip
    assert (classify(other).verdict, classify(rounds["th.r1"]).verdict) == ("faulted", "completed")


def test_what_a_person_wrote_and_thoughts_are_no_answer() -> None:
    mine = ag.TextMessageStartEvent(message_id="u", role="user")
    thought = ag.ReasoningMessageContentEvent(message_id="r", delta="Let me see.")
    round_ = told(run(mine, ag.TextMessageContentEvent(message_id="u", delta="Where?"), thought))
    assert (round_.text, round_.reasoning_chars) == ("", 11)
    assert classify(round_).verdict == "no_output"


def test_an_end_belongs_to_the_run_that_it_names() -> None:
    outer, inner = run(*TEXT), [{"type": "RUN_STARTED", "threadId": "th", "runId": "r2", "parentRunId": "r1"}]
    said = ag.TextMessageContentEvent(message_id="x", delta="A word.")
    ended = [{"type": "RUN_FINISHED", "threadId": "th", "runId": name} for name in ("r1", "r2")]
    rounds = folded(AgUi, [*written(outer[:1]), *inner, *written([said]), *ended]).rounds
    assert {name: (str(classify(round_).verdict), round_.text) for name, round_ in rounds.items()} == {
        "th.r1": ("no_output", ""),
        "th.r2": ("completed", "A word."),
    }
    frames = [*written(outer[:1]), *inner, *ended[1:], *written([said]), ended[0]]
    assert folded(AgUi, frames).rounds["th.r1"].text == "A word."


def test_what_comes_behind_an_end_takes_no_error_back() -> None:
    error = ag.RunErrorEvent(message="it broke")
    assert classify(told([*run(*TEXT)[:-1], error, run()[-1]])).verdict == "faulted"
    assert classify(told([*run(*TEXT), error])).verdict == "faulted"
    cancelled = run(*TEXT, outcome=ag_events.RunFinishedCancelledOutcome())
    assert classify(told([*cancelled, run()[-1]])).verdict == "cancelled"


def test_a_count_that_is_none_loses_no_end() -> None:
    frames = [*written(run(*TEXT)[:-1]), {"type": "RUN_FINISHED", "usage": [{"inputTokens": 10**30}]}]
    round_ = one(AgUi, frames)
    assert (classify(round_).verdict, round_.calls[0].usage.input_tokens) == ("completed", None)


def test_a_snapshot_repeats_nothing_and_history_is_no_output() -> None:
    def snapshot(*messages: dict[str, str]) -> dict[str, Any]:
        return {"type": "MESSAGES_SNAPSHOT", "messages": messages}

    before = {"id": "old", "role": "assistant", "content": "Earlier."}
    same = {"id": "m", "role": "assistant", "content": "East of the mill."}
    other = same | {"id": "named otherwise"}
    more = {"id": "more", "role": "assistant", "content": " Mind the dog."}
    first, *rest, last = written(run(*TEXT))
    for messages, text in (
        ((before, same), "East of the mill."),
        ((before, other), "East of the mill."),
        ((before, same, more), "East of the mill. Mind the dog."),
    ):
        assert one(AgUi, [first, snapshot(before), *rest, snapshot(*messages), last]).text == text
    assert one(AgUi, [first, snapshot(before, {"id": "u", "role": "user", "content": "?"}), last]).text == ""


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ({"status": "cancelled"}, "refused"),
        ({"status": "resolved", "payload": {"approved": False}}, "refused"),
        ({"status": "resolved", "payload": {"approved": True}}, "pending"),
        ({"status": "resolved"}, "pending"),
    ],
)
async def test_an_interrupt_that_is_answered_no_refuses_its_tool_also_when_all_is_sent_again(
    answer: dict[str, Any], state: str, tmp_path: Path
) -> None:
    waits = ag_events.RunFinishedInterruptOutcome(
        interrupts=[ag_events.Interrupt(id="i", reason="tool_call", tool_call_id="t1")]
    )
    asked = {"threadId": "th", "runId": "r2", "resume": [{"interruptId": "i", **answer}]}
    resumed = [{"type": "RUN_STARTED", "threadId": "th", "runId": "r2", "input": asked}, *written(TEXT)]
    frames = [
        *written(run(*ASKED, outcome=waits)),
        *(each if isinstance(each, str) else json.dumps(each) for each in resumed),
    ]
    ledger = await sent("ag-ui", tmp_path / "s.db", frames[:7], frames, frames)
    (tool,) = ledger.rounds["th.r1"].tool_calls.values()
    assert (tool.state, classify(ledger.rounds["th.r1"]).verdict) == (state, "suspended")
    assert ledger.rounds["th.r2"].text == "East of the mill."


def test_what_was_asked_is_the_title() -> None:
    asked = {"threadId": "th", "runId": "r1", "messages": [{"id": "u", "role": "user", "content": "Where\nis it?"}]}
    assert one(AgUi, [{"type": "RUN_STARTED", "threadId": "th", "runId": "r1", "input": asked}]).title == "Where is it?"


def test_every_type_of_the_library_is_told_or_ignored_on_purpose() -> None:
    listener = AgUi("link")
    for kind in ag.EventType:
        listener.feed(json.dumps({"type": kind.value}), AT)
    assert {kind.value for kind in ag.EventType} >= {kind for kind in IGNORED if not kind.startswith("THINKING")}
    for frame in ('{"type":"NEWER"}', "{}", "[]", "7", "no json", "[" * 100_000):
        with pytest.raises(UnreadableFrame):
            listener.feed(frame, AT)


FRAMES = written(run(*ASKED, ANSWERED, *TEXT))


@given(which=st.integers(0, len(FRAMES) - 1), at=st.integers(0, 200), cut=st.integers(0, 20), put=st.text(max_size=8))
def test_no_frame_raises_anything_else(which: int, at: int, cut: int, put: str) -> None:
    listener = AgUi("link")
    for number, frame in enumerate(FRAMES):
        changed = frame[:at] + put + frame[at + cut :] if number == which else frame
        try:
            listener.feed(changed, AT)
        except UnreadableFrame:
            assert number == which


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "toolCallId",
    "delta",
    "runId",
    "threadId",
    "subagentRunId",
    "outcome",
    "usage",
    "value",
    "timestamp",
    "messageId",
)


@given(kind=st.sampled_from(list(ag.EventType)), fields=st.dictionaries(st.sampled_from(KEYS), JSON))
def test_no_value_of_any_shape_raises(kind: Any, fields: dict[str, Any]) -> None:
    listener = AgUi("link")
    for _ in range(2):
        listener.feed(json.dumps(fields | {"type": kind.value, "name": "tool.refused"}), AT)


async def test_over_a_real_hub_a_run_that_is_sent_again_is_stored_once_and_bad_frames_do_not_end_it(
    tmp_path: Path,
) -> None:
    half = FRAMES[:4]
    ledger = await sent("ag-ui", tmp_path / "s.db", half, [b"\xff", "no json", *FRAMES])
    (round_,) = ledger.rounds.values()
    assert (round_.text, classify(round_).verdict, len(round_.tool_calls)) == ("East of the mill.", "completed", 1)


async def test_over_a_real_hub_a_run_goes_on_in_another_connection(tmp_path: Path) -> None:
    ledger = await sent("ag-ui", tmp_path / "s.db", FRAMES[:-3], FRAMES)
    assert next(iter(ledger.rounds.values())).text == "East of the mill."


async def test_over_a_real_hub_the_end_of_a_run_may_come_on_another_connection(tmp_path: Path) -> None:
    ledger = await sent("ag-ui", tmp_path / "s.db", FRAMES[:-1], FRAMES[-1:])
    (round_,) = ledger.rounds.values()
    assert (round_.text, classify(round_).verdict) == ("East of the mill.", "completed")
