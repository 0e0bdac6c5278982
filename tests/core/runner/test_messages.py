from __future__ import annotations

from typing import Any

from roundwatch.core.runner.agents import Model
from roundwatch.core.runner.messages import (
    DEFAULT_CAP,
    Assistant,
    Message,
    ToolResult,
    ToolUse,
    User,
    request_body,
    sent_cap,
)
from roundwatch.core.runner.tools import Arguments, Tool, ToolContext

GPT = Model("gpt", "openai", "openai-chat", "http://x", max_output_tokens=90)
CLAUDE = Model("claude", "anthropic", "anthropic", "http://x")


async def nothing(arguments: Arguments, context: ToolContext) -> str:
    return ""


TOOL = Tool("read_file", nothing, "Reads.")
TALK: list[Message] = [
    User("Look."),
    Assistant("Looking.", (ToolUse("t1", "read_file", '{"path": "a"}'), ToolUse("t2", "read_file", "{}"))),
    ToolResult("t1", "text of a"),
    ToolResult("t2", "refused", is_error=True),
]


def test_openai_body_carries_the_cap_the_tools_and_asks_for_usage() -> None:
    body = request_body(GPT, "Be brief.", TALK, [TOOL])
    assert body["max_completion_tokens"] == 90
    assert body["stream_options"] == {"include_usage": True}
    assert body["tools"][0]["function"]["name"] == "read_file"
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "tool", "tool"]
    assert body["messages"][2]["tool_calls"][1]["function"]["arguments"] == "{}"
    assert body["messages"][4] == {"role": "tool", "tool_call_id": "t2", "content": "refused"}


def test_openai_body_leaves_out_what_is_not_set() -> None:
    bare = Model("gpt", "openai", "openai-chat", "http://x")
    body = request_body(bare, "", [User("Hi")], [])
    assert set(body) == {"model", "stream", "stream_options", "messages"}
    assert len(body["messages"]) == 1


def test_anthropic_body_puts_all_results_into_one_user_turn() -> None:
    body = request_body(CLAUDE, "Be brief.", TALK, [TOOL])
    assert body["system"] == "Be brief."
    assert body["max_tokens"] == DEFAULT_CAP
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    uses: list[dict[str, Any]] = body["messages"][1]["content"][1:]
    assert [use["input"] for use in uses] == [{"path": "a"}, {}]
    results = body["messages"][2]["content"]
    assert [(block["tool_use_id"], block["is_error"]) for block in results] == [("t1", False), ("t2", True)]
    assert body["tools"][0]["input_schema"]["type"] == "object"


def test_anthropic_body_never_holds_an_empty_text_block() -> None:
    body = request_body(CLAUDE, "", [User("Hi"), Assistant(" \n", (ToolUse("t", "read_file", "{}"),))], [])
    assert [block["type"] for block in body["messages"][1]["content"]] == ["tool_use"]
    empty = request_body(CLAUDE, "", [User("Hi"), Assistant("")], [])
    assert [turn["role"] for turn in empty["messages"]] == ["user"]
    assert "system" not in empty
    assert "tools" not in empty


def test_the_cap_told_is_the_cap_sent() -> None:
    for model in (GPT, CLAUDE, Model("gpt", "openai", "openai-chat", "http://x")):
        body = request_body(model, "", [User("Hi")], [])
        assert sent_cap(model) == body.get("max_completion_tokens", body.get("max_tokens"))
