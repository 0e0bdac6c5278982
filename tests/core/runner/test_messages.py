from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roundwatch.core.policies import ThinkingMode, ThinkingRow, Turn, plan_thinking
from roundwatch.core.policies.thinking import DEFAULT_MAX_TOKENS
from roundwatch.core.runner.agents import Model
from roundwatch.core.runner.messages import (
    Assistant,
    Message,
    Request,
    ToolResult,
    ToolUse,
    User,
    sent_cap,
)
from roundwatch.core.runner.tools import Arguments, Tool, ToolContext

GPT = Model("gpt", "openai", "openai-chat", "http://x", max_output_tokens=90)
CLAUDE = Model("claude", "anthropic", "anthropic", "http://x")


async def nothing(arguments: Arguments, context: ToolContext) -> str:
    return ""


TOOL = Tool("read_file", nothing, "Reads.")


def request_body(model: Model, instructions: str, messages: Sequence[Message], tools: Sequence[Tool]) -> dict[str, Any]:
    return Request(tuple(messages), instructions, tuple(tools)).body(model)


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
    assert body["max_tokens"] == DEFAULT_MAX_TOKENS
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


THINKING = plan_thinking(ThinkingMode.EXTENDED, ThinkingRow.BUDGETED, 4096, 2000)
USED: tuple[Message, ...] = (User("Go."), Assistant("", (ToolUse("t", "read_file", "{}"),)), ToolResult("t", "seen"))


def test_an_unstreamed_request_asks_for_no_stream_options() -> None:
    body = Request((User("Go."),), stream=False).body(GPT)
    assert body["stream"] is False
    assert "stream_options" not in body
    assert Request((User("Go."),), stream=False).body(CLAUDE)["stream"] is False


def test_tools_switched_off_are_still_described() -> None:
    request = Request(USED, tools=(TOOL,), tools_off=True)
    assert (request.body(GPT)["tool_choice"], len(request.body(GPT)["tools"])) == ("none", 1)
    assert (request.body(CLAUDE)["tool_choice"], len(request.body(CLAUDE)["tools"])) == ({"type": "none"}, 1)


def test_without_tools_there_is_nothing_to_switch_off() -> None:
    assert "tool_choice" not in Request((User("Go."),), tools_off=True).body(GPT)
    assert "tool_choice" not in Request((User("Go."),), tools_off=True).body(CLAUDE)


def test_turns_follow_the_same_request() -> None:
    request = Request((User("Go."),), "Be brief.", (TOOL,))
    longer = request.followed_by((Turn("assistant", "It li"), Turn("user", "Carry on.")))
    assert longer.messages == (User("Go."), Assistant("It li"), User("Carry on."))
    assert {**longer.body(GPT), "messages": 0} == {**request.body(GPT), "messages": 0}


def test_a_budget_goes_out_until_a_tool_call_has_to_be_replayed() -> None:
    first = Request((User("Go."),), thinking=THINKING).body(CLAUDE)
    assert first["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert "thinking" not in Request(USED, thinking=THINKING).body(CLAUDE)


def test_an_adaptive_model_gets_no_number() -> None:
    adaptive = plan_thinking(ThinkingMode.ADAPTIVE, ThinkingRow.ADAPTIVE, 4096)
    assert Request(USED, thinking=adaptive).body(CLAUDE)["thinking"] == {"type": "adaptive"}


def test_no_thinking_part_where_none_fits_and_never_on_the_chat_wire() -> None:
    impossible = plan_thinking(ThinkingMode.EXTENDED, ThinkingRow.BUDGETED, 1024)
    assert "thinking" not in Request((User("Go."),), thinking=impossible).body(CLAUDE)
    assert "thinking" not in Request((User("Go."),), thinking=THINKING).body(GPT)
