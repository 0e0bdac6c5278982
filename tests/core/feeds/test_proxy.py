from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from anthropic.types import Message, MessageParam, TextBlock
from roundwatch.core.feeds import Observer, Upstream, Upstreams
from roundwatch.core.feeds.proxy import Proxy, ProxyError
from roundwatch.core.rounds import Event, ToolState, Verdict
from roundwatch.core.runner.script import (
    BodyError,
    Counts,
    Ending,
    Finish,
    HttpError,
    Reasoning,
    Reply,
    Script,
    Text,
    ToolUse,
    Wait,
)
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.feeds.stand import PATIENCE_S, Stand, proxied

USER = "Where is the harbour?"
SAID = "It lies east of the mill."
SPEED = 50.0
KEY = "sk-a-key-that-nobody-may-see"


def one(*steps: object, **more: object) -> Script:
    return Script((Reply(steps=steps, **more),), repeat_last=True)  # type: ignore[arg-type]  # any mix of steps


SCRIPTS = {
    "gpt": one(Reasoning("Let me see. "), Text(SAID), Finish("stop"), counts=Counts(21, 9, 3)),
    "claude": one(Reasoning("Let me see. "), Text(SAID), Finish("end_turn"), counts=Counts(21, 9, 3, 400)),
    "gpt-cut": one(Text("It lies"), Finish("length"), counts=Counts(21, 9)),
    "gpt-no-finish": one(Text("It lies"), ending=Ending.EOF),
    "gpt-reset": one(Text("It lies"), ending=Ending.RESET),
    "gpt-error": one(Text("It lies"), BodyError("overloaded_error", "Overloaded"), ending=Ending.EOF),
    "gpt-forbidden": one(error=HttpError(403, "permission_error", "This key may not use the model.")),
    "gpt-hang": one(Text("It lies"), Wait(1e9)),
    "gpt-busy": Script(
        (
            Reply(error=HttpError(429, "rate_limit_error", "Slow down.", headers={"retry-after-ms": "1"})),
            Reply(steps=(Text(SAID), Finish("stop"))),
        )
    ),
    "gpt-tool": Script(
        (
            Reply(steps=(ToolUse("read_file", '{"path": "/map"}', id="t1"), Finish("tool_calls"))),
            Reply(steps=(Text(SAID), Finish("stop")), counts=Counts(50, 9)),
        )
    ),
    "claude-tool": Script(
        (
            Reply(
                steps=(
                    ToolUse("read_file", '{"path": "/map"}', id="t1"),
                    ToolUse("delete", "{}", id="t2"),
                    Finish("tool_use"),
                ),
                counts=Counts(9, 9),
            ),
            Reply(steps=(Text(SAID), Finish("end_turn")), counts=Counts(50, 9)),
        )
    ),
}


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(SCRIPTS, speed=SPEED) as running:
        yield running


@pytest.fixture
async def stand(provider: ScriptedProvider) -> AsyncIterator[Stand]:
    async with proxied(provider.base_url) as running:
        yield running


def gpt(base: str, *, retries: int = 0, headers: Mapping[str, str] | None = None) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url=base, api_key=KEY, timeout=PATIENCE_S, max_retries=retries, default_headers=headers
    )


def claude(base: str) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(base_url=base, api_key=KEY, timeout=PATIENCE_S, max_retries=0)


async def ask(
    base: str,
    model: str,
    messages: list[Any] | None = None,
    *,
    retries: int = 0,
    headers: Mapping[str, str] | None = None,
) -> str:
    """Ask over the OpenAI wire, streamed; return what was said."""
    text = ""
    async with gpt(base, retries=retries, headers=headers) as client:
        stream = await client.chat.completions.create(
            model=model, messages=messages or [{"role": "user", "content": USER}], stream=True, max_tokens=50
        )
        async for chunk in stream:
            text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
    return text


async def test_a_streamed_openai_call_becomes_a_round(stand: Stand) -> None:
    said = await ask(stand.base("/v1"), "gpt")
    outcome = await stand.outcome()
    (round_,) = stand.ledger.rounds.values()

    assert said == SAID
    assert outcome.is_answer
    assert round_.title == USER
    assert round_.calls[0].text == SAID
    assert (round_.calls[0].model, round_.calls[0].max_output_tokens) == ("gpt", 50)
    assert round_.calls[0].finish_reason == "stop"
    assert round_.calls[0].first_output_ms is not None
    assert round_.calls[0].total_ms is not None


async def test_a_whole_openai_answer_becomes_a_round(stand: Stand) -> None:
    async with gpt(stand.base("/v1")) as client:
        reply = await client.chat.completions.create(model="gpt", messages=[{"role": "user", "content": USER}])
    outcome = await stand.outcome()
    (round_,) = stand.ledger.rounds.values()

    assert reply.choices[0].message.content == SAID
    assert outcome.is_answer
    assert reply.usage is not None
    assert round_.calls[0].usage is not None
    assert round_.calls[0].usage.output_tokens == reply.usage.completion_tokens


@pytest.mark.parametrize("streamed", [True, False])
async def test_an_anthropic_call_becomes_a_round(streamed: bool, stand: Stand) -> None:
    asking: list[MessageParam] = [{"role": "user", "content": USER}]
    async with claude(stand.base()) as client:
        if streamed:
            async with client.messages.stream(model="claude", max_tokens=64, messages=asking) as stream:
                reply: Message = await stream.get_final_message()
        else:
            reply = await client.messages.create(model="claude", max_tokens=64, messages=asking)
    outcome = await stand.outcome()
    (round_,) = stand.ledger.rounds.values()

    last = reply.content[-1]
    assert isinstance(last, TextBlock)
    assert last.text == SAID
    assert outcome.is_answer
    assert (round_.calls[0].finish_reason, round_.calls[0].text) == (reply.stop_reason, SAID)
    assert round_.calls[0].usage is not None
    assert round_.calls[0].usage.output_tokens == reply.usage.output_tokens


@pytest.mark.parametrize(
    ("model", "verdict"),
    [
        ("gpt-cut", Verdict.OUTPUT_CAP_REACHED),
        ("gpt-no-finish", Verdict.COMPLETED),
        ("gpt-reset", Verdict.RESPONSE_BODY_CUT),
        ("gpt-error", Verdict.PROVIDER_ERROR),
        ("gpt-forbidden", Verdict.PROVIDER_ERROR),
    ],
)
async def test_every_bad_ending_reaches_the_client_as_without_us_and_is_told(
    model: str, verdict: Verdict, provider: ScriptedProvider
) -> None:
    async def ending(base: str) -> str:
        try:
            return await ask(base, model)
        except openai.APIError as error:
            return f"{type(error).__name__} {getattr(error, 'status_code', None)} {error.message}"
        except httpx2.HTTPError as error:  # a broken transfer
            return type(error).__name__

    async with proxied(provider.base_url, idle_s=0.0) as stand:
        directly = await ending(provider.base_url + "/v1")
        through = await ending(stand.base("/v1"))
        outcome = await stand.outcome()

    assert through == directly
    assert outcome.verdict is verdict
    assert not outcome.is_answer


async def test_a_client_that_leaves_cancels_the_upstream_and_is_told(stand: Stand, provider: ScriptedProvider) -> None:
    async with gpt(stand.base("/v1")) as client:
        stream = await client.chat.completions.create(
            model="gpt-hang", messages=[{"role": "user", "content": USER}], stream=True
        )
        async for _ in stream:
            break
        await stream.close()
    outcome = await stand.outcome()
    async with asyncio.timeout(PATIENCE_S):
        await provider.idle()

    assert outcome.verdict is Verdict.CANCELLED
    assert stand.proxy.counts.clients_left == 1


async def test_tool_results_of_the_next_request_continue_the_round(stand: Stand) -> None:
    base = stand.base("/v1")
    user = {"role": "user", "content": USER}
    await ask(base, "gpt-tool", [user])
    call = {"id": "t1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "/map"}'}}
    asking = {"role": "assistant", "content": None, "tool_calls": [call]}
    await ask(base, "gpt-tool", [user, asking, {"role": "tool", "tool_call_id": "t1", "content": "a map"}])
    outcome = await stand.outcome()
    (round_,) = stand.ledger.rounds.values()

    assert outcome.is_answer
    assert len(round_.calls) == 2
    (tool,) = round_.calls[0].tool_calls
    assert (tool.name, tool.state, tool.preview) == ("read_file", ToolState.OK, "a map")


async def test_refused_and_failed_tools_are_read_from_the_next_request(stand: Stand) -> None:
    user: MessageParam = {"role": "user", "content": USER}
    async with claude(stand.base()) as client:
        first = await client.messages.create(model="claude-tool", max_tokens=64, messages=[user])
        results = [
            {"type": "tool_result", "tool_use_id": "t1", "content": "No such file", "is_error": True},
            {
                "type": "tool_result",
                "tool_use_id": "t2",
                "content": "The user doesn't want to proceed with this tool use. It was rejected.",
                "is_error": True,
            },
        ]
        more: Any = [user, {"role": "assistant", "content": first.content}, {"role": "user", "content": results}]
        await client.messages.create(model="claude-tool", max_tokens=64, messages=more)
    await stand.outcome()
    (round_,) = stand.ledger.rounds.values()

    assert [tool.state for tool in round_.calls[0].tool_calls] == [ToolState.FAILED, ToolState.REFUSED]


async def test_a_retry_of_the_client_is_another_attempt_of_the_same_round(stand: Stand) -> None:
    said = await ask(stand.base("/v1"), "gpt-busy", retries=2)
    outcome = await stand.outcome()
    (round_,) = stand.ledger.rounds.values()

    assert said == SAID
    assert outcome.is_answer
    assert [call.outcome for call in round_.calls] == ["failed", "completed"]


async def test_a_new_user_turn_opens_a_round_of_the_same_thread(stand: Stand) -> None:
    base = stand.base("/v1")
    talk: list[Any] = [{"role": "user", "content": USER}]
    await ask(base, "gpt", talk)
    await ask(base, "gpt", [*talk, {"role": "assistant", "content": SAID}, {"role": "user", "content": "And now?"}])
    rounds = await stand.ended(2)

    assert [round_.title for round_ in rounds] == [USER, "And now?"]
    assert rounds[0].thread == rounds[1].thread


async def test_equal_questions_of_two_agents_at_once_are_two_rounds_of_two_threads(stand: Stand) -> None:
    await asyncio.gather(ask(stand.base("/v1"), "gpt"), ask(stand.base("/v1"), "gpt"))
    rounds = await stand.ended(2)

    assert len(rounds) == 2
    assert rounds[0].thread != rounds[1].thread


async def test_headers_of_ours_name_the_round_and_do_not_reach_the_upstream(stand: Stand) -> None:
    headers = {
        "x-roundwatch-round": "mine",
        "x-roundwatch-thread": "work",
        "x-roundwatch-agent": "scout",
        "x-roundwatch-parent": "above",
        "x-roundwatch-script": "gpt-cut",  # the scripted provider would obey it
    }
    assert await ask(stand.base("/v1"), "gpt", headers=headers) == SAID
    (round_,) = await stand.ended()

    assert (round_.id, round_.thread, round_.agent) == ("mine", "work", "scout")
    assert round_.parent is not None
    assert round_.parent.round == "above"


async def test_a_hundred_streams_at_once_all_come_through(stand: Stand) -> None:
    talks = [[{"role": "user", "content": f"{USER} {n}"}] for n in range(100)]
    said = await asyncio.gather(*(ask(stand.base("/v1"), "gpt", talk) for talk in talks))
    rounds = await stand.ended(100)

    assert said == [SAID] * 100
    assert len(rounds) == 100
    assert {round_.calls[0].text for round_ in rounds} == {SAID}


async def test_a_round_whose_next_request_never_comes_is_closed_with_what_is_known(provider: ScriptedProvider) -> None:
    async with proxied(provider.base_url, idle_s=0.2) as stand:
        await ask(stand.base("/v1"), "gpt-tool")
        outcome = await stand.outcome()

    assert outcome.verdict is Verdict.UNFINISHED_TOOL_CALL
    assert any(event.type == "round.warning" for event in stand.events)


async def test_a_publisher_that_fails_disturbs_nobody(provider: ScriptedProvider) -> None:
    async def refuse(_: Event) -> None:
        raise OSError("no hub, no disk")

    async with Observer(refuse) as observer:
        upstreams = Upstreams([Upstream.parse("up", provider.base_url)])
        async with Proxy(upstreams, observer, port=0) as proxy:
            said = await ask(f"{proxy.url}/up/v1", "gpt")

    assert said == SAID
    assert observer.unpublished > 0


async def test_a_publisher_that_waits_for_ever_holds_up_nobody(provider: ScriptedProvider) -> None:
    hub_is_back = asyncio.Event()
    published: list[Event] = []

    async def wait(event: Event) -> None:
        await hub_is_back.wait()
        published.append(event)

    async with Observer(wait) as observer:
        upstreams = Upstreams([Upstream.parse("up", provider.base_url)])
        async with Proxy(upstreams, observer, port=0) as proxy:
            said = [await ask(f"{proxy.url}/up/v1", "gpt") for _ in range(3)]
        assert not published
        hub_is_back.set()

    assert said == [SAID] * 3
    assert [event.type for event in published].count("round.finished") == 3


async def test_no_upstream_at_its_address_is_told_to_client_and_operator() -> None:
    async with proxied("http://127.0.0.1:1", idle_s=0.0) as stand:
        with pytest.raises(openai.InternalServerError, match="cannot connect"):
            await ask(stand.base("/v1"), "gpt")
        outcome = await stand.outcome()
        (round_,) = stand.ledger.rounds.values()

    assert not outcome.is_success
    assert round_.calls[0].error is not None
    assert "cannot connect to 127.0.0.1:1" in (round_.calls[0].error.message or "")


async def test_calls_under_way_when_the_proxy_stops_are_ended(provider: ScriptedProvider) -> None:
    async with proxied(provider.base_url) as stand:
        asking = asyncio.create_task(ask(stand.base("/v1"), "gpt-hang"))
        await stand.until(lambda: any(event.type == "call.output" for event in stand.events))
    with pytest.raises((openai.APIError, httpx2.HTTPError)):
        await asking

    (round_,) = stand.ledger.rounds.values()
    assert round_.calls[0].outcome == "body_cut"
    assert round_.is_over


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "example.com", ""])
async def test_it_listens_to_this_machine_only(host: str) -> None:
    async with Observer(lambda _: asyncio.sleep(0)) as observer:
        with pytest.raises(ProxyError, match="this machine only"):
            Proxy(Upstreams([]), observer, host=host)


async def test_a_taken_port_is_told(stand: Stand) -> None:
    port = int(stand.proxy.url.rpartition(":")[2])
    with pytest.raises(ProxyError, match=str(port)):
        async with Proxy(Upstreams([]), stand.observer, port=port):
            pass
