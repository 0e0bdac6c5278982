from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

import anthropic
import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam
from roundwatch.core.runner.script import (
    BodyError,
    Counts,
    Ending,
    Finish,
    HttpError,
    KeepAlives,
    Reasoning,
    RefusalText,
    Reply,
    Script,
    Text,
    ToolUse,
    Wait,
)
from roundwatch.core.runner.scripted_provider import SCRIPT_HEADER, ScriptedProvider

USER = "Where is the harbour?"
HALF = '{"path": "/etc/ho'


def one(*steps: object, **more: object) -> Script:
    return Script((Reply(steps=steps, **more),))  # type: ignore[arg-type]  # any mix of steps


SCRIPTS = {
    "answer": one(
        Reasoning("Let me see. "), Text("It lies east of the mill."), Finish("stop"), counts=Counts(21, 9, 3)
    ),
    "claude": one(
        Reasoning("Let me see. "), Text("It lies east of the mill."), Finish("end_turn"), counts=Counts(21, 9, 3, 400)
    ),
    "tool": one(ToolUse("read_file", '{"path": "/etc/hosts"}', id="t1"), Finish("tool_calls")),
    "claude-tool": one(
        ToolUse("read_file", '{"path": "/etc/hosts"}', id="t1"), Finish("tool_use"), counts=Counts(1, 1)
    ),
    "cut-tool": one(ToolUse("read_file", HALF, id="t1", whole=False), Finish("length")),
    "claude-cut-tool": one(ToolUse("read_file", HALF, id="t1", whole=False), Finish("max_tokens"), counts=Counts(1, 1)),
    "refusal": one(RefusalText("I can not help with that."), Finish("stop")),
    "no-finish": one(Text("It lies"), ending=Ending.EOF),
    "reset": one(Text("It lies"), ending=Ending.RESET),
    "in-band": one(Text("It lies"), BodyError("overloaded_error", "Overloaded"), ending=Ending.EOF),
    "forbidden": one(error=HttpError(403, "permission_error", "This key may not use the model.")),
    "busy": Script(
        (
            Reply(error=HttpError(429, "rate_limit_error", "Slow down.", headers={"retry-after": "0"})),
            Reply(steps=(Text("Now."), Finish("stop"))),
        )
    ),
    "claude-busy": Script(
        (
            Reply(error=HttpError(529, "overloaded_error", "Overloaded", headers={"retry-after": "0"})),
            Reply(steps=(Text("Now."), Finish("end_turn")), counts=Counts(1, 1)),
        )
    ),
    "quiet": one(KeepAlives(4.0), Text("Here."), Finish("stop")),
    "hang": one(Text("It lies"), Wait(1e9)),
    "counting": Script(tuple(Reply(steps=(Text(str(n)), Finish("stop"))) for n in range(3))),
    "again": Script((Reply(steps=(Text("same"), Finish("stop"))),), repeat_last=True),
}


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(SCRIPTS, speed=200) as running:
        yield running


@pytest.fixture
async def gpt(provider: ScriptedProvider) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=f"{provider.base_url}/v1", api_key="k", max_retries=0) as client:
        yield client


@pytest.fixture
async def claude(provider: ScriptedProvider) -> AsyncIterator[anthropic.AsyncAnthropic]:
    async with anthropic.AsyncAnthropic(base_url=provider.base_url, api_key="k", max_retries=0) as client:
        yield client


async def chat(client: openai.AsyncOpenAI, model: str) -> list[ChatCompletionChunk]:
    stream = await client.chat.completions.create(
        model=model,
        messages=[{"role": "user", "content": USER}],
        stream=True,
        stream_options={"include_usage": True},
    )
    return [chunk async for chunk in stream]


def text_of(chunks: list[ChatCompletionChunk]) -> str:
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def finish_of(chunks: list[ChatCompletionChunk]) -> list[str]:
    return [reason for chunk in chunks if chunk.choices and (reason := chunk.choices[0].finish_reason)]


async def test_openai_sdk_reads_a_streamed_answer_with_usage_last(gpt: openai.AsyncOpenAI) -> None:
    chunks = await chat(gpt, "answer")
    assert text_of(chunks) == "It lies east of the mill."
    assert finish_of(chunks) == ["stop"]
    usage = chunks[-1].usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens) == (21, 9)
    assert usage.completion_tokens_details is not None
    assert usage.completion_tokens_details.reasoning_tokens == 3


async def test_openai_sdk_gets_no_usage_it_did_not_ask_for(gpt: openai.AsyncOpenAI) -> None:
    stream = await gpt.chat.completions.create(
        model="answer", messages=[{"role": "user", "content": USER}], stream=True
    )
    assert [chunk.usage async for chunk in stream if chunk.usage] == []


async def test_openai_sdk_reads_the_same_answer_unstreamed(gpt: openai.AsyncOpenAI) -> None:
    answer = await gpt.chat.completions.create(model="answer", messages=[{"role": "user", "content": USER}])
    assert answer.choices[0].message.content == "It lies east of the mill."
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.total_tokens == 30


async def test_openai_sdk_joins_the_pieces_of_a_tool_call(gpt: openai.AsyncOpenAI) -> None:
    async with gpt.chat.completions.stream(model="tool", messages=[{"role": "user", "content": USER}]) as stream:
        final = await stream.get_final_completion()
    calls = final.choices[0].message.tool_calls
    assert calls is not None
    assert [(call.id, call.function.name, call.function.arguments) for call in calls] == [
        ("t1", "read_file", '{"path": "/etc/hosts"}')
    ]
    assert final.choices[0].finish_reason == "tool_calls"


@pytest.mark.parametrize("stream", [True, False])
async def test_openai_sdk_sees_half_arguments_at_a_cut(gpt: openai.AsyncOpenAI, stream: bool) -> None:
    if stream:
        chunks = await chat(gpt, "cut-tool")
        deltas = [chunk.choices[0].delta.tool_calls or [] for chunk in chunks if chunk.choices]
        pieces = [call.function.arguments or "" for calls in deltas for call in calls if call.function]
        assert "".join(pieces) == HALF
        assert finish_of(chunks) == ["length"]
    else:
        answer = await gpt.chat.completions.create(model="cut-tool", messages=[{"role": "user", "content": USER}])
        calls = answer.choices[0].message.tool_calls
        assert calls is not None
        assert calls[0].type == "function"
        assert calls[0].function.arguments == HALF


async def test_openai_sdk_sees_a_refusal_on_its_own_channel(gpt: openai.AsyncOpenAI) -> None:
    chunks = await chat(gpt, "refusal")
    assert "".join(c.choices[0].delta.refusal or "" for c in chunks if c.choices) == "I can not help with that."
    assert text_of(chunks) == ""


async def test_openai_sdk_takes_a_clean_end_without_finish_for_an_end(gpt: openai.AsyncOpenAI) -> None:
    chunks = await chat(gpt, "no-finish")
    assert text_of(chunks) == "It lies"
    assert finish_of(chunks) == []


async def test_openai_sdk_raises_on_a_reset_after_the_text_came(gpt: openai.AsyncOpenAI) -> None:
    seen: list[str] = []

    async def read() -> None:
        messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": USER}]
        async for chunk in await gpt.chat.completions.create(model="reset", messages=messages, stream=True):
            seen.append(chunk.choices[0].delta.content or "")

    with pytest.raises((httpx2.TransportError, openai.APIConnectionError)):
        await read()
    assert "".join(seen) == "It lies"


async def test_openai_sdk_raises_an_error_inside_the_body(gpt: openai.AsyncOpenAI) -> None:
    with pytest.raises(openai.APIError, match="Overloaded"):
        await chat(gpt, "in-band")


async def test_openai_sdk_raises_the_http_error_with_the_providers_sentence(gpt: openai.AsyncOpenAI) -> None:
    with pytest.raises(openai.PermissionDeniedError, match="This key may not use the model"):
        await chat(gpt, "forbidden")


async def test_openai_sdk_recovers_by_its_own_retry(gpt: openai.AsyncOpenAI) -> None:
    assert text_of(await chat(gpt.with_options(max_retries=2), "busy")) == "Now."


async def test_openai_sdk_skips_keep_alives(gpt: openai.AsyncOpenAI) -> None:
    assert text_of(await chat(gpt, "quiet")) == "Here."


async def test_anthropic_sdk_reads_a_streamed_answer(claude: anthropic.AsyncAnthropic) -> None:
    async with claude.messages.stream(
        model="claude", max_tokens=64, messages=[{"role": "user", "content": USER}]
    ) as stream:
        message = await stream.get_final_message()
    assert [block.type for block in message.content] == ["thinking", "text"]
    assert message.content[-1].type == "text"
    assert message.content[-1].text == "It lies east of the mill."
    assert message.stop_reason == "end_turn"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (21, 9)
    assert message.usage.cache_read_input_tokens == 400


async def test_anthropic_sdk_reads_the_same_answer_unstreamed(claude: anthropic.AsyncAnthropic) -> None:
    message = await claude.messages.create(model="claude", max_tokens=64, messages=[{"role": "user", "content": USER}])
    assert message.content[-1].type == "text"
    assert message.content[-1].text == "It lies east of the mill."
    assert message.usage.output_tokens == 9


@pytest.mark.parametrize(
    ("model", "reason", "arguments"),
    [("claude-tool", "tool_use", {"path": "/etc/hosts"}), ("claude-cut-tool", "max_tokens", {"path": "/etc/ho"})],
)
async def test_anthropic_sdk_reads_tool_input_whole_and_cut(
    claude: anthropic.AsyncAnthropic, model: str, reason: str, arguments: dict[str, str]
) -> None:
    stops = 0
    async with claude.messages.stream(model=model, max_tokens=64, messages=[{"role": "user", "content": USER}]) as s:
        async for event in s:
            stops += event.type == "content_block_stop"
        message = await s.get_final_message()
    assert message.stop_reason == reason
    assert message.content[0].type == "tool_use"
    assert stops == (1 if reason == "tool_use" else 0)
    assert arguments.items() >= dict(message.content[0].input).items()


async def test_anthropic_sdk_raises_an_error_inside_the_body(claude: anthropic.AsyncAnthropic) -> None:
    with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        async with claude.messages.stream(
            model="in-band", max_tokens=64, messages=[{"role": "user", "content": USER}]
        ) as stream:
            await stream.get_final_message()


async def test_anthropic_sdk_raises_the_http_error_and_recovers_by_its_own_retry(
    claude: anthropic.AsyncAnthropic,
) -> None:
    with pytest.raises(anthropic.PermissionDeniedError, match="may not use"):
        await claude.messages.create(model="forbidden", max_tokens=9, messages=[{"role": "user", "content": USER}])
    message = await claude.with_options(max_retries=2).messages.create(
        model="claude-busy", max_tokens=9, messages=[{"role": "user", "content": USER}]
    )
    assert message.content[0].type == "text"
    assert message.content[0].text == "Now."


async def test_the_header_decides_before_the_model_and_each_conversation_has_its_own_place(
    provider: ScriptedProvider,
) -> None:
    async def nth(client: httpx2.AsyncClient, conversation: str) -> str:
        response = await client.post(
            "/v1/chat/completions", json={"model": "gpt-5"}, headers={SCRIPT_HEADER: conversation}
        )
        return str(response.json()["choices"][0]["message"]["content"])

    async with httpx2.AsyncClient(base_url=provider.base_url) as client:
        first = await asyncio.gather(*(nth(client, f"counting/{n}") for n in range(8)))
        second = await asyncio.gather(*(nth(client, f"counting/{n}") for n in range(8)))
    assert first == ["0"] * 8
    assert second == ["1"] * 8


async def test_a_script_that_is_over_says_so_and_one_that_repeats_goes_on(gpt: openai.AsyncOpenAI) -> None:
    assert [text_of(await chat(gpt, "counting")) for _ in range(3)] == ["0", "1", "2"]
    with pytest.raises(openai.BadRequestError, match="ends after 3 replies"):
        await chat(gpt, "counting")
    assert [text_of(await chat(gpt, "again")) for _ in range(3)] == ["same"] * 3


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "says"),
    [
        ("POST", "/v1/messages", b"[1]", 400, "no JSON object"),
        ("POST", "/v1/messages", b"{", 400, "no JSON object"),
        ("POST", "/v1/chat/completions", b'{"model": "x"}', 404, "no script named 'x'"),
        ("GET", "/v1/models", b"", 404, "/v1/messages"),
    ],
)
async def test_a_request_nothing_answers_gets_a_clear_error(
    provider: ScriptedProvider, method: str, path: str, body: bytes, status: int, says: str
) -> None:
    async with httpx2.AsyncClient(base_url=provider.base_url) as client:
        response = await client.request(method, path, content=body)
    assert response.status_code == status
    assert says in response.json()["error"]["message"]


async def test_a_body_too_large_is_turned_away(provider: ScriptedProvider) -> None:
    async with httpx2.AsyncClient(base_url=provider.base_url) as client:
        try:
            response = await client.post("/v1/messages", content=b"x" * (8 * 1024 * 1024 + 1))
        except httpx2.TransportError:
            return  # the connection was closed before the answer was read: turned away as well
    assert response.status_code == 413


async def test_a_client_that_leaves_ends_its_script(provider: ScriptedProvider) -> None:
    async with httpx2.AsyncClient(base_url=provider.base_url) as client:
        request = {"model": "hang", "stream": True}
        async with client.stream("POST", "/v1/chat/completions", json=request) as response:
            async for data in response.aiter_bytes():
                assert data
                break
    async with asyncio.timeout(10):
        await provider.idle()


async def test_leaving_the_context_ends_what_still_plays() -> None:
    async with ScriptedProvider(SCRIPTS) as provider, httpx2.AsyncClient(base_url=provider.base_url) as client:
        request = {"model": "hang", "stream": True}
        async with client.stream("POST", "/v1/chat/completions", json=request) as response:
            chunks = response.aiter_bytes()
            await anext(chunks)
            await provider.__aexit__(None, None, None)
            with pytest.raises(httpx2.TransportError):
                async for _ in chunks:
                    pass
    with pytest.raises(RuntimeError, match="not running"):
        _ = provider.base_url


def test_a_missing_library_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h11", None)
    with pytest.raises(ImportError, match=r"h11.*pip install 'roundwatch\[demo\]'"):
        ScriptedProvider({})


@pytest.mark.parametrize("speed", [0.0, -1.0])
def test_a_speed_that_makes_no_sense_is_an_error(speed: float) -> None:
    with pytest.raises(ValueError, match="speed"):
        ScriptedProvider({}, speed=speed)
