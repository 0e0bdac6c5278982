"""Rounds that are found without help, and with it, on every wire that a client can speak through the proxy."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import httpx2
import pytest
from roundwatch.core.rounds import Round, ToolState, Verdict, classify
from roundwatch.core.rounds.events import RoundWarning
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.feeds.real_clients import KEY, LIBRARIES, PATIENCE_S, Library, asked
from tests.core.feeds.scripts import scripts
from tests.core.feeds.stand import Stand, answer, proxied, read_head, serving
from tests.core.wire import frames

QUESTION = "Where is the harbour?"
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


@asynccontextmanager
async def answering(bodies: Sequence[bytes]) -> AsyncGenerator[Stand]:
    """Run a proxy before an upstream that answers with these bodies, one after the other."""
    left = list(bodies)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = (await read_head(reader)).lower()
            length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length))
            writer.write(answer(left.pop(0)))

    async with serving(serve) as upstream, proxied(upstream) as stand:
        yield stand


async def post(stand: Stand, path: str, *bodies: Mapping[str, Any]) -> Round:
    async with httpx2.AsyncClient(timeout=PATIENCE_S) as client:
        for body in bodies:
            assert (await client.post(stand.base(path), json=body)).status_code == 200
    (round_,) = await stand.ended()
    return round_


def sse(*events: Mapping[str, Any]) -> bytes:
    return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)


CALL = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
ASKED = {"role": "user", "content": QUESTION}
COHERE = (
    sse(
        {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": CALL}}},
        {"type": "tool-call-end", "index": 0},
        {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}},
    ),
    sse(
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "East."}}}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    ),
)
CONVERSE = (
    frames.event(
        "contentBlockStart", {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "t1", "name": "look"}}}
    )
    + frames.event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{}"}}})
    + frames.event("contentBlockStop", {"contentBlockIndex": 0})
    + frames.event("messageStop", {"stopReason": "tool_use"}),
    frames.event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "East."}})
    + frames.event("messageStop", {"stopReason": "end_turn"}),
)
INVOKE = (
    frames.chunk(
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t1", "name": "look"}}
    )
    + frames.chunk(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}}
    )
    + frames.chunk({"type": "content_block_stop", "index": 0})
    + frames.chunk({"type": "message_delta", "delta": {"stop_reason": "tool_use"}})
    + frames.chunk({"type": "message_stop"}),
    frames.chunk({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "East."}})
    + frames.chunk({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})
    + frames.chunk({"type": "message_stop"}),
)


def cohere(result: str) -> list[dict[str, Any]]:
    said = {"role": "tool", "tool_call_id": "t1", "content": [{"type": "document", "document": {"data": result}}]}
    return [ASKED, {"role": "assistant", "tool_calls": [CALL]}, said]


def converse(result: str) -> list[dict[str, Any]]:
    said = {"toolUseId": "t1", "content": [{"text": result}], "status": "error" if result == REFUSED else "success"}
    use: dict[str, Any] = {"toolUse": {"toolUseId": "t1", "name": "look", "input": {}}}
    first = {"role": "user", "content": [{"text": QUESTION}]}
    return [first, {"role": "assistant", "content": [use]}, {"role": "user", "content": [{"toolResult": said}]}]


def invoke(result: str) -> list[dict[str, Any]]:
    said = {"type": "tool_result", "tool_use_id": "t1", "content": result, "is_error": result == REFUSED}
    use: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    return [ASKED, {"role": "assistant", "content": [use]}, {"role": "user", "content": [said]}]


WIRES = {
    "cohere": ("/v2/chat", COHERE, cohere),
    "bedrock-converse": ("/model/some.model-v1%3A0/converse-stream", CONVERSE, converse),
    "bedrock-invoke": ("/model/some.model-v1%3A0/invoke-with-response-stream", INVOKE, invoke),
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(("result", "state"), [("a map", ToolState.OK), (REFUSED, ToolState.REFUSED)])
async def test_results_and_refusals_are_read_on_the_wires_without_a_client_here(
    wire: str, result: str, state: ToolState
) -> None:
    path, bodies, conversation = WIRES[wire]
    messages = conversation(result)
    async with answering(bodies) as stand:
        round_ = await post(stand, path, {"messages": messages[:1]}, {"messages": messages})

    assert classify(round_).is_answer
    assert (round_.title, len(round_.calls), round_.calls[1].text) == (QUESTION, 2, "East.")
    (tool,) = round_.calls[0].tool_calls
    assert (tool.name, tool.state) == ("look", state)


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.wire)
async def test_a_round_whose_next_request_never_comes_is_closed_with_what_is_known(library: Library) -> None:
    async with (
        ScriptedProvider(scripts(library.wire), speed=100.0) as provider,
        proxied(provider.base_url, idle_s=0.2) as stand,
    ):
        await asked(library, stand.base(), "tool", streamed=True)
        (round_,) = await stand.ended()

    (warning,) = [event for event in stand.events if isinstance(event, RoundWarning)]
    assert (warning.code, warning.facts["tools"]) == ("next_request_missing", ["look"])
    assert classify(round_).verdict is not Verdict.COMPLETED
    assert not classify(round_).is_answer


async def test_sub_agents_of_claude_code_are_children_of_their_parent_agent_s_round() -> None:
    def client(agent: str | None, parent: str | None = None) -> anthropic.AsyncAnthropic:
        names = {
            "x-claude-code-session-id": "s1",
            "x-claude-code-agent-id": agent,
            "x-claude-code-parent-agent-id": parent,
        }
        given = {name: value for name, value in names.items() if value is not None}
        return anthropic.AsyncAnthropic(base_url=stand.base(), api_key=KEY, default_headers=given, timeout=PATIENCE_S)

    async with ScriptedProvider(scripts("anthropic"), speed=100.0) as provider, proxied(provider.base_url) as stand:
        for number, one in enumerate((client(None), client("a1"), client("a2", "a1"))):
            async with one as agent:
                await agent.messages.create(
                    model="answer", max_tokens=9, messages=[{"role": "user", "content": str(number)}]
                )
        main, child, grandchild = await stand.ended(3)

    assert main.parent is None
    assert child.parent is not None
    assert grandchild.parent is not None
    assert (child.parent.round, grandchild.parent.round) == (main.id, child.id)
    assert {round_.thread for round_ in (main, child, grandchild)} == {"s1"}


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.wire)
async def test_names_in_headers_win_on_every_wire(library: Library) -> None:
    headers = {
        "x-roundwatch-round": "mine",
        "x-roundwatch-thread": "work",
        "x-roundwatch-agent": "me",
        "x-roundwatch-parent": "p",
    }
    bodies = {"openai-responses": {"model": "answer", "input": QUESTION}, "gemini": {"contents": library.opening()}}
    paths = {
        "openai-chat": "/v1/chat/completions",
        "openai-responses": "/v1/responses",
        "anthropic": "/v1/messages",
        "gemini": "/v1beta/models/answer:generateContent",
        "ollama": "/api/chat",
    }
    async with ScriptedProvider(scripts(library.wire), speed=100.0) as provider, proxied(provider.base_url) as stand:
        async with httpx2.AsyncClient(timeout=PATIENCE_S, headers=headers) as client:
            body = bodies.get(library.wire, {"model": "answer", "messages": [ASKED], "stream": False})
            for _ in range(2):
                assert (await client.post(stand.base(paths[library.wire]), json=body)).status_code == 200
        await stand.ended(2)
        (round_,) = stand.ledger.rounds.values()

    assert (round_.id, round_.thread, round_.agent, len(round_.calls)) == ("mine", "work", "me", 2)
    assert round_.parent is not None
    assert round_.parent.round == "p"
