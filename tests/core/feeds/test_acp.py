from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, get_args

import acp
import pytest
from acp import schema
from acp.connection import StreamEvent
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.acp import acp_v1, acp_v2
from roundwatch.core.hub.foreign import UnreadableFrame
from roundwatch.core.rounds import Round, classify

from tests.core.feeds.heard import AT, folded, one, sent

Message = dict[str, Any]


def prompt(id_: int = 1, text: str = "Where is it?") -> Message:
    params = {"sessionId": "s", "prompt": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": id_, "method": "session/prompt", "params": params}


def update(kind: str, **fields: Any) -> Message:
    params = {"sessionId": "s", "update": {"sessionUpdate": kind} | fields}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def says(text: str, kind: str = "agent_message_chunk") -> Message:
    return update(kind, content={"type": "text", "text": text})


def answer(id_: int = 1, **result: Any) -> Message:
    return {"jsonrpc": "2.0", "id": id_, "result": result}


def turn(reason: str | None, *between: Message) -> Round:
    return one(acp_v1, [prompt(), *between, answer(stopReason=reason)])


@pytest.mark.parametrize(
    ("reason", "verdict", "is_answer"),
    [
        ("end_turn", "completed", True),
        ("max_tokens", "output_cap_reached", False),
        ("max_turn_requests", "max_iterations", False),
        ("refusal", "content_filtered", False),
        ("cancelled", "cancelled", False),
        (None, "completed", False),
        ("_own_word", "completed", False),
    ],
)
def test_every_stop_reason_is_quoted_and_means_what_it_says(reason: str | None, verdict: str, is_answer: bool) -> None:
    round_ = turn(reason, says("East of the mill."))
    found = classify(round_)
    assert (found.verdict, found.is_answer, round_.calls[0].finish_reason) == (verdict, is_answer, reason)
    assert (round_.title, round_.thread, round_.source, round_.text) == (
        "Where is it?", "s", "acp", "East of the mill.",
    )  # fmt: skip
    if reason is None:
        assert found.doubts == ("inferred",)


def test_the_libraries_stop_reasons_are_all_known() -> None:
    assert set(get_args(schema.StopReason)) == {"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"}


def test_who_cancels_is_told() -> None:
    cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}
    round_ = turn("cancelled", says("East"), cancel)
    assert (classify(round_).facts["by"], len(round_.cancels)) == ("user", 1)


def test_an_error_answer_is_a_fault() -> None:
    failed = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "it broke"}}
    assert classify(one(acp_v1, [prompt(), failed])).verdict == "faulted"


def asks(id_: int = 0, tool: str = "t1") -> Message:
    options = [
        {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
        {"optionId": "no", "name": "No", "kind": "reject_always"},
    ]
    params = {"sessionId": "s", "toolCall": {"toolCallId": tool, "title": "rm -r build"}, "options": options}
    return {"jsonrpc": "2.0", "id": id_, "method": "session/request_permission", "params": params}


def decided(outcome: str, option: str | None = None, id_: int = 0) -> Message:
    return answer(id_, outcome={"outcome": outcome} | ({"optionId": option} if option else {}))


CALL = update("tool_call", toolCallId="t1", title="Delete", status="pending", rawInput={"path": "build"})
DONE = update("tool_call_update", toolCallId="t1", status="completed", rawOutput="gone")


@pytest.mark.parametrize(
    ("reply", "state", "why"),
    [
        (decided("selected", "yes"), "ok", None),
        (decided("selected", "no"), "refused", "permission"),
        (decided("cancelled"), "refused", "interrupted"),
    ],
)
def test_a_permission_is_paired_with_its_tool_although_both_sides_count_alike(
    reply: Message, state: str, why: str | None
) -> None:
    after = DONE if why is None else update("tool_call_update", toolCallId="t1", status="failed")
    both = [prompt(0), CALL, asks(0), reply, after, says("So be it."), answer(0, stopReason="end_turn")]
    round_ = one(acp_v1, both)
    (tool,) = round_.tool_calls.values()
    assert (tool.name, tool.arguments, tool.state, tool.why) == ("Delete", '{"path": "build"}', state, why)
    assert classify(round_).verdict == "completed"


def test_a_question_suspends_the_round_until_it_is_answered() -> None:
    asked = [prompt(), CALL, asks()]
    assert classify(one(acp_v1, asked)).verdict == "suspended"
    assert classify(one(acp_v1, [*asked, decided("selected", "yes")])).verdict == "running"


def test_version_2_ends_by_its_state_and_repeats_are_no_new_ends() -> None:
    idle = update("state_update", state="idle", stopReason="end_turn")
    frames = [
        prompt(), answer(), update("state_update", state="running"), says("East", "agent_thought_chunk"),
        update("agent_message", messageId="m", content=[{"type": "text", "text": "East of the mill."}]),
        update("state_update", state="requires_action"), update("state_update", state="running"), idle, idle,
    ]  # fmt: skip
    round_ = one(acp_v2, frames)
    assert (round_.text, round_.is_over, len(round_.calls)) == ("East of the mill.", True, 1)
    assert classify(round_).is_answer
    failed = update("state_update", state="idle", stopReason="error", error={"code": 1, "message": "overloaded"})
    assert classify(one(acp_v2, [*frames[:4], failed])).verdict == "provider_error"
    silent = update("state_update", state="idle", stopReason=None)
    assert classify(one(acp_v2, [*frames[:5], silent])).doubts == ("inferred",)


def test_history_that_is_loaded_again_is_no_turn_and_neither_are_plans() -> None:
    load = {"jsonrpc": "2.0", "id": 5, "method": "session/load", "params": {"sessionId": "s"}}
    plans = [update("plan", entries=[]), update("available_commands_update"), update("usage_update", used=1, size=2)]
    frames = [load, says("An old answer."), CALL, {"jsonrpc": "2.0", "id": 5, "result": None}, *plans]
    assert not folded(acp_v1, frames).rounds
    assert folded(acp_v1, [says("In the middle")]).rounds


def test_what_is_no_message_is_told() -> None:
    listener = acp_v1("link")
    for frame in ("no json", "[]", "3", '{"jsonrpc":"2.0"}', '{"id":1}', "[" * 100_000):
        with pytest.raises(UnreadableFrame):
            listener.feed(frame, AT)


FRAMES = [
    json.dumps(each)
    for each in (prompt(), CALL, asks(), decided("selected", "no"), says("No."), answer(stopReason="end_turn"))
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(which=st.integers(0, len(FRAMES) - 1), at=st.integers(0, 200), cut=st.integers(0, 20), put=st.text(max_size=8))
def test_no_frame_raises_anything_else(which: int, at: int, cut: int, put: str) -> None:
    for listener in (acp_v1("link"), acp_v2("link")):
        for number, frame in enumerate(FRAMES):
            changed = frame[:at] + put + frame[at + cut :] if number == which else frame
            try:
                listener.feed(changed, AT)
            except UnreadableFrame:
                assert number == which


@given(
    kind=st.sampled_from(["tool_call", "tool_call_update", "agent_message", "agent_message_chunk", "state_update"]),
    fields=st.dictionaries(
        st.sampled_from(["toolCallId", "status", "content", "rawInput", "state", "stopReason"]), JSON
    ),
)
def test_no_value_of_any_shape_raises(kind: str, fields: dict[str, Any]) -> None:
    for listener in (acp_v1("link"), acp_v2("link")):
        for frame in (prompt(), update(kind, **fields), answer(stopReason=fields.get("stopReason"))):
            listener.feed(json.dumps(frame), AT)


class RealAgent(acp.Agent):
    """An agent of the library: asks for permission, then answers."""

    _client: Any = None

    def on_connect(self, conn: Any) -> None:
        self._client = conn

    async def initialize(self, protocol_version: int, *_: Any, **__: Any) -> Any:
        return acp.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, *_: Any, **__: Any) -> Any:
        return acp.NewSessionResponse(session_id="real")

    async def prompt(self, session_id: str, prompt: Any, **_: Any) -> Any:
        tell: Callable[[Any], Any] = partial(self._client.session_update, session_id)
        await tell(acp.update_agent_thought_text("Let me see."))
        await tell(acp.start_tool_call("t1", "Delete", status="pending", raw_input={"path": "build"}))
        options = [
            schema.PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="No", kind="reject_once"),
        ]
        tool = schema.ToolCallUpdate(tool_call_id="t1", title="Delete")
        await self._client.request_permission(session_id=session_id, tool_call=tool, options=options)
        await tell(acp.update_tool_call("t1", status="failed"))
        await tell(acp.update_agent_message_text("Then I leave it."))
        return acp.PromptResponse(stop_reason="end_turn")


class RealClient(acp.Client):
    """A client of the library: refuses."""

    async def request_permission(self, *_: Any, **__: Any) -> Any:
        outcome = schema.AllowedOutcome(outcome="selected", option_id="no")
        return schema.RequestPermissionResponse(outcome=outcome)

    async def session_update(self, *_: Any, **__: Any) -> None:
        pass


async def recorded() -> list[str]:
    """All frames of both directions between an agent and a client of the library, over a real socket."""
    frames: list[str] = []
    agents: list[asyncio.Task[None]] = []
    writers: list[asyncio.StreamWriter] = []
    agent: Any = RealAgent  # what they leave out of the library's protocols is never asked for
    client_type: Any = RealClient

    def record(event: StreamEvent) -> None:
        frames.append(json.dumps(event.message))

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        agents.append(asyncio.create_task(acp.run_agent(agent(), writer, reader)))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    client: Any = acp.connect_to_agent(client_type(), writer, reader, observers=[record])
    async with asyncio.timeout(20):
        await client.initialize(protocol_version=acp.PROTOCOL_VERSION)
        session = await client.new_session(cwd="/", mcp_servers=[])
        await client.prompt(session_id=session.session_id, prompt=[acp.text_block("Clean up.")])
    await client.close()
    for each in (writer, *writers):
        each.close()
    server.close()
    await asyncio.gather(*agents, return_exceptions=True)
    await asyncio.sleep(0)
    return frames


async def test_a_real_agent_and_client_over_a_real_hub(tmp_path: Path) -> None:
    (round_,) = (await sent("acp.v1", tmp_path / "s.db", await recorded())).rounds.values()
    assert (round_.thread, round_.title, round_.text) == ("real", "Clean up.", "Then I leave it.")
    (tool,) = round_.tool_calls.values()
    assert (tool.name, tool.state, tool.why, tool.message) == ("Delete", "refused", "permission", "reject_once")
    assert classify(round_).is_answer


def test_an_answer_to_a_prompt_that_came_before_the_recording_ends_its_turn() -> None:
    round_ = one(acp_v1, [says("East"), answer(7, stopReason="max_tokens")])
    assert (classify(round_).verdict, round_.text) == ("output_cap_reached", "East")
    other = {**says("West"), "params": {**says("West")["params"], "sessionId": "s2"}}
    rounds = folded(acp_v1, [says("East"), other, answer(7, stopReason="end_turn")]).rounds
    assert [round_.is_over for round_ in rounds.values()] == [False, False]  # whose it is, nobody knows


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_request_that_is_taken_back_is_a_cancel_and_no_fault(is_asked: bool) -> None:
    asked = [{"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}}] if is_asked else []
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32800, "message": "cancelled"}}
    round_ = one(acp_v1, [prompt(), says("East"), *asked, error])
    assert (classify(round_).verdict, len(round_.cancels)) == ("cancelled", 1)


def test_a_prompt_that_waits_for_another_one_is_the_next_turn() -> None:
    frames = [prompt(1, "First?"), says("one"), prompt(2, "Second?"), says(", and more")]
    ended = [answer(1, stopReason="end_turn"), says("two"), answer(2, stopReason="refusal")]
    rounds = folded(acp_v1, [*frames, *ended]).rounds.values()
    assert [(round_.title, round_.text, str(classify(round_).verdict)) for round_ in rounds] == [
        ("First?", "one, and more", "completed"),
        ("Second?", "two", "content_filtered"),
    ]
    skipped = folded(acp_v1, [*frames, answer(2, stopReason="end_turn")]).rounds.values()
    assert [str(classify(round_).verdict) for round_ in skipped] == ["cancelled", "no_output"]


def test_a_stop_reason_of_any_length_loses_no_end() -> None:
    round_ = turn("y" * 100_000, says("East"))
    assert (round_.is_over, round_.calls[0].finish_reason) == (True, "y" * 500)


def test_two_sessions_of_one_connection_are_kept_apart_whatever_their_order() -> None:
    def of(session: str, message: Message) -> Message:
        return message | {"params": message["params"] | {"sessionId": session}}

    frames = [
        of("s1", prompt(1)), of("s2", prompt(2)), of("s1", says("one")), of("s2", says("two")),
        answer(2, stopReason="max_turn_requests"), of("s1", says(", more")), answer(1, stopReason="end_turn"),
    ]  # fmt: skip
    rounds = folded(acp_v1, frames).rounds.values()
    assert [(round_.thread, round_.text, str(classify(round_).verdict)) for round_ in rounds] == [
        ("s1", "one, more", "completed"),
        ("s2", "two", "max_iterations"),
    ]
