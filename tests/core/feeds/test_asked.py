from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.asked import Asked, ToolResult, read_request
from roundwatch.core.wire import WIRES

QUESTION, CALL = "Where?", {"id": "t1", "function": {"name": "look", "arguments": "{}"}}


def chat(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages)}


REQUESTS: dict[str, tuple[str, dict[str, Any], ToolResult]] = {
    "openai-chat": (
        "openai-chat",
        chat(
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "t1", "content": "east"},
        ),
        ToolResult("t1", None, "east"),
    ),
    "anthropic": (
        "anthropic",
        chat(
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "east"}]},
                    {"type": "text", "text": "a reminder"},
                ],
            },
        ),
        ToolResult("t1", None, "east", False),
    ),
    "converse": (
        "bedrock-converse",
        chat(
            {"role": "user", "content": [{"text": QUESTION}]},
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "look", "input": {}}}]},
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "t1", "content": [{"text": "east"}], "status": "error"}}],
            },
        ),
        ToolResult("t1", None, "east", True),
    ),
    "responses": (
        "openai-responses",
        {
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]},
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "t1", "name": "look", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "t1", "output": "east"},
            ]
        },
        ToolResult("t1", None, "east"),
    ),
    "gemini": (
        "gemini",
        {
            "contents": [
                {"role": "user", "parts": [{"text": QUESTION}]},
                {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"error": "east"}}}]},
            ]
        },
        ToolResult(None, "look", "east", True),
    ),
    "ollama": (
        "ollama",
        chat(
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": "", "tool_calls": [CALL]},
            {"role": "tool", "tool_name": "look", "content": "east"},
        ),
        ToolResult(None, "look", "east"),
    ),
}


@pytest.mark.parametrize(
    ("response", "text", "failed"),
    [
        ({"output": "east"}, "east", None),
        ({"result": "east", "error": ""}, '{"result": "east", "error": ""}', None),
        ({"result": ["east"]}, '{"result": ["east"]}', None),
        ({"error": {"code": 5}}, '{"error": {"code": 5}}', True),
        (None, "null", None),
    ],
)
def test_a_gemini_result_is_taken_out_of_its_wrapping(response: Any, text: str, failed: bool | None) -> None:
    part = {"functionResponse": {"id": "t1", "name": "look", "response": response}}
    asked = read("gemini", {"contents": [{"role": "user", "parts": [part]}]})

    assert asked.results == (ToolResult("t1", "look", text, failed),)


def read(wire: str, body: dict[str, Any]) -> Asked:
    found = read_request(wire, json.dumps(body).encode())
    assert found is not None
    return found


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_with_tool_results_goes_on_with_its_user_turn(name: str) -> None:
    wire, body, result = REQUESTS[name]
    asked = read(wire, body)

    assert asked.title == QUESTION
    assert asked.results == (result,)
    assert asked.goes_on
    assert len(asked.turns) == 1


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        ("openai-responses", {"input": QUESTION}),
        ("gemini", {"contents": QUESTION}),
        ("gemini", {"contents": {"parts": [{"text": QUESTION}]}}),
        ("ollama", {"prompt": QUESTION}),
        ("anthropic", chat({"role": "user", "content": [{"type": "text", "text": QUESTION, "cache_control": {}}]})),
    ],
)
def test_the_same_words_are_the_same_turn_however_they_are_written(wire: str, body: dict[str, Any]) -> None:
    asked = read(wire, body)

    assert asked.turns == read("openai-chat", chat({"role": "user", "content": QUESTION})).turns
    assert not asked.goes_on


@pytest.mark.parametrize(
    ("wire", "part"),
    [
        ("cohere", {"type": "document", "document": {"data": "east"}}),
        ("cohere", {"type": "document", "document": {"data": {"result": "east"}}}),
        ("cohere", {"type": "text", "text": "east"}),
        ("bedrock-converse", {"json": {"result": "east"}}),
        ("openai-responses", {"type": "output_text", "text": "east"}),
    ],
)
def test_a_result_is_read_from_the_part_that_its_wire_wraps_it_into(wire: str, part: dict[str, Any]) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "cohere": chat({"role": "tool", "tool_call_id": "t1", "content": [part]}),
        "openai-responses": {"input": [{"type": "function_call_output", "call_id": "t1", "output": [part]}]},
        "bedrock-converse": chat({"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "content": [part]}}]}),
    }
    (result,) = read(wire, bodies[wire]).results
    assert (result.id, result.text) == ("t1", "east")


def test_a_later_turn_differs_and_keeps_the_earlier_ones() -> None:
    first = {"role": "user", "content": QUESTION}
    reply = {"role": "assistant", "content": "East."}
    one, two = read("openai-chat", chat(first)), read("openai-chat", chat(first, reply, first))

    assert two.turns[0] == one.turns[0]
    assert two.turns[1] != one.turns[0]
    assert not two.goes_on


def test_results_of_earlier_answers_are_not_told_again() -> None:
    wire, body, _ = REQUESTS["openai-chat"]
    later = chat(*body["messages"], {"role": "assistant", "content": "East."}, {"role": "user", "content": "And now?"})

    assert read(wire, later).results == ()


def test_only_settings_of_the_request_are_kept() -> None:
    body: dict[str, Any] = {"model": "m", "max_tokens": 5, "messages": [], "tools": [], "system": "s", "stream": True}

    assert read("anthropic", body).body == {"model": "m", "max_tokens": 5, "stream": True}


def test_the_body_may_name_response_and_conversation() -> None:
    asked = read("openai-responses", {"input": "x", "previous_response_id": "resp_1", "conversation": {"id": "conv_1"}})

    assert (asked.previous, asked.conversation) == ("resp_1", "conv_1")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_object_is_none(body: bytes) -> None:
    assert read_request("openai-chat", body) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["messages", "input", "contents", "role", "content", "parts", "type", "text", "call_id", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)


@given(
    wire=st.sampled_from(sorted(WIRES)), body=st.dictionaries(st.sampled_from(["messages", "input", "contents"]), JSON)
)
def test_no_shape_of_a_request_makes_it_raise(wire: str, body: dict[str, Any]) -> None:
    assert read_request(wire, json.dumps(body).encode()) is not None
