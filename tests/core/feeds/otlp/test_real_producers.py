"""OpenTelemetry's own SDK, exporter and OpenAI instrumentation, sending to a real hub."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor  # pyright: ignore[reportMissingTypeStubs]
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
from opentelemetry.trace import Tracer
from roundwatch.core.hub import Hub
from roundwatch.core.rounds import Ledger, classify
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.feeds.otlp.posting import TOKEN, ledger_of, receiving
from tests.core.feeds.scripts import SAID, scripts

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the instrumentation's own imports


def provider_for(hub: Hub, compression: Compression = Compression.Gzip, *, batched: bool = True) -> TracerProvider:
    exporter = OTLPSpanExporter(
        endpoint=hub.url.replace("ws:", "http:") + "/v1/traces",
        headers={"Authorization": f"Bearer {TOKEN}"},
        compression=compression,
    )
    provider = TracerProvider(resource=Resource.create({"service.name": "shop"}))
    provider.add_span_processor(BatchSpanProcessor(exporter) if batched else SimpleSpanProcessor(exporter))
    return provider


def work(tracer: Tracer) -> None:
    with tracer.start_as_current_span(
        "invoke_agent bob", attributes={"gen_ai.operation.name": "invoke_agent"}
    ) as agent:
        agent.set_attributes({"gen_ai.agent.name": "bob", "gen_ai.conversation.id": "talk-1"})
        for word in ("tool_calls", "stop"):
            with tracer.start_as_current_span("chat", attributes={"gen_ai.operation.name": "chat"}) as call:
                call.set_attributes({"gen_ai.request.model": "mini-4", "gen_ai.response.finish_reasons": [word]})
                call.set_attributes({"gen_ai.usage.output_tokens": 7, "gen_ai.response.time_to_first_chunk": 0.25})
            if word == "tool_calls":
                tool = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "look",
                    "gen_ai.tool.call.id": "t1",
                }
                with tracer.start_as_current_span("execute_tool look", attributes=tool):
                    pass


@pytest.mark.parametrize("compression", list(Compression), ids=lambda each: each.value)
@pytest.mark.parametrize("batched", [True, False], ids=["batched", "one by one"])
async def test_the_sdk_and_its_exporter(compression: Compression, batched: bool, tmp_path: Path) -> None:
    async with receiving(store=tmp_path / "s.db") as hub:
        provider = provider_for(hub, compression, batched=batched)
        await asyncio.to_thread(work, provider.get_tracer("shop"))
        await asyncio.to_thread(provider.shutdown)
    (round_,) = (await ledger_of(tmp_path / "s.db")).rounds.values()
    assert (round_.agent, round_.thread, round_.is_over) == ("bob", "talk-1", True)
    assert [call.finish_reason for call in round_.calls] == ["tool_calls", "stop"]
    assert [call.first_output_ms for call in round_.calls] == [250, 250]
    assert [(each.id, each.name, each.state) for each in round_.tool_calls.values()] == [("t1", "look", "ok")]
    assert classify(round_).is_answer


async def test_an_exception_that_ends_an_agent(tmp_path: Path) -> None:
    def break_off(tracer: Tracer) -> None:
        operation = {"gen_ai.operation.name": "invoke_agent"}
        with pytest.raises(ValueError, match="no map"), tracer.start_as_current_span("agent", attributes=operation):
            raise ValueError("no map, key sk-abcdefghijklmnop1234")

    async with receiving(store=tmp_path / "s.db") as hub:
        provider = provider_for(hub)
        await asyncio.to_thread(break_off, provider.get_tracer("shop"))
        await asyncio.to_thread(provider.shutdown)
    (round_,) = (await ledger_of(tmp_path / "s.db")).rounds.values()
    outcome = classify(round_)
    assert outcome.verdict == "faulted"
    assert "no map" in str(outcome.facts["message"])
    assert "sk-abc" not in str(outcome.facts["message"])


@pytest.fixture
def instrument() -> Iterator[Callable[[TracerProvider], None]]:
    instrumentor: Any = OpenAIInstrumentor()
    yield lambda provider: instrumentor.instrument(tracer_provider=provider)
    instrumentor.uninstrument()


async def asked(story: str, path: Path, instrument: Callable[[TracerProvider], None], *, streamed: bool) -> Ledger:
    """One question by the real client, instrumented, and the rounds that were stored of it."""

    def ask(base_url: str) -> None:
        with openai.OpenAI(base_url=base_url, api_key="test-key", max_retries=0) as client:
            question: Any = [{"role": "user", "content": "Where?"}]
            try:
                answer: Any = client.chat.completions.create(
                    model=story, messages=question, max_completion_tokens=99, stream=streamed
                )
                for _ in answer if streamed else ():
                    pass
            except openai.OpenAIError:
                pass

    async with ScriptedProvider(scripts("openai-chat"), speed=100.0) as scripted, receiving(store=path) as hub:
        provider = provider_for(hub)
        instrument(provider)
        await asyncio.to_thread(ask, f"{scripted.base_url}/v1")
        await asyncio.to_thread(provider.shutdown)
    return await ledger_of(path)


@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
async def test_the_instrumented_openai_client(
    streamed: bool, tmp_path: Path, instrument: Callable[[TracerProvider], None]
) -> None:
    ledger = await asked("answer", tmp_path / "plain.db", instrument, streamed=streamed)
    (round_,) = ledger.rounds.values()
    (call,) = round_.calls
    assert (call.model, call.provider, call.finish_reason, call.outcome) == ("answer", "openai", "stop", "completed")
    assert classify(round_).verdict == "completed"  # without texts, which are off by default
    assert "text" in round_.silent


async def test_its_cuts_are_cuts(tmp_path: Path, instrument: Callable[[TracerProvider], None]) -> None:
    (cut,) = (await asked("cap", tmp_path / "s.db", instrument, streamed=True)).rounds.values()
    assert (cut.calls[0].finish_reason, classify(cut).verdict) == ("length", "output_cap_reached")


async def test_its_errors_are_errors(tmp_path: Path, instrument: Callable[[TracerProvider], None]) -> None:
    (failed,) = (await asked("no-such-story", tmp_path / "s.db", instrument, streamed=False)).rounds.values()
    assert failed.calls[0].outcome == "failed"
    assert failed.calls[0].error is not None


async def test_its_texts_where_it_is_told_to_capture_them(
    tmp_path: Path, instrument: Callable[[TracerProvider], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_SEMCONV_STABILITY_OPT_IN", "gen_ai_latest_experimental")
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "span_only")
    (round_,) = (await asked("answer", tmp_path / "s.db", instrument, streamed=True)).rounds.values()
    assert round_.text == SAID
    assert classify(round_).is_answer
