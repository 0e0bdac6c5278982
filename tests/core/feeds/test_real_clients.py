"""The real client libraries through the proxy: what they receive, what they make of it, and what we say of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import httpx2
import pytest
from roundwatch.core.rounds import Round, ToolState, Verdict, classify
from roundwatch.core.rounds.base import Usage
from roundwatch.core.rounds.events import CallFinished
from roundwatch.core.runner import scripted_provider
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.feeds.real_clients import BY_WIRE, LIBRARIES, USER, Library, View, asked
from tests.core.feeds.scripts import SAID, scripts
from tests.core.feeds.stand import Stand, proxied

# aiohttp, which Google's asynchronous client takes where it is installed, warns of how that client uses it
pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")

LIBRARY = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.wire)
STREAMED = pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
ASYNC = pytest.mark.parametrize("is_async", [True, False], ids=["async", "sync"])


@asynccontextmanager
async def behind(wire: str) -> AsyncGenerator[Stand]:
    """Run the scripts of a wire behind a proxy."""
    async with ScriptedProvider(scripts(wire), speed=100.0) as provider, proxied(provider.base_url) as stand:
        yield stand


def reported(stand: Stand) -> Usage:
    """Return the last call's counts as the provider gave them."""
    end = [event for event in stand.events if isinstance(event, CallFinished)][-1]
    return end.usage or Usage()


def agrees(view: View, round_: Round, usage: Usage) -> None:
    """Compare a library's view of the last call with ours."""
    call = round_.calls[-1]
    assert (view.text, view.finish) == (call.text, call.finish_reason)
    assert (view.input_tokens, view.output_tokens) == (usage.input_tokens, usage.output_tokens)


@LIBRARY
@STREAMED
@ASYNC
async def test_an_answer_is_one_to_the_client_and_to_us(library: Library, streamed: bool, is_async: bool) -> None:
    async with behind(library.wire) as stand:
        view = await asked(library, stand.base(), "answer", streamed=streamed, is_async=is_async)
        (round_,) = await stand.ended()

    assert (view.text, view.output_tokens, view.raised) == (SAID, 9, None)
    agrees(view, round_, reported(stand))
    assert classify(round_).is_answer
    assert (round_.title, round_.calls[0].model, round_.calls[0].wire) == (USER, "answer", library.wire)


@LIBRARY
@STREAMED
@ASYNC
async def test_a_tool_s_result_comes_with_the_next_request_of_the_same_round(
    library: Library, streamed: bool, is_async: bool
) -> None:
    async with behind(library.wire) as stand:
        base, how = stand.base(), {"streamed": streamed, "is_async": is_async}
        wants = await asked(library, base, "tool", **how)
        said = library.answered(library.opening(), wants, "a map")
        view = await asked(library, base, "tool", said=said, **how)
        (round_,) = await stand.ended()

    assert [name for name, _ in wants.tools] == ["look"]
    agrees(view, round_, reported(stand))
    assert classify(round_).is_answer
    assert [call.finish_reason for call in round_.calls] == [wants.finish, view.finish]
    (tool,) = round_.calls[0].tool_calls
    assert (tool.name, tool.state) == ("look", ToolState.OK)


@LIBRARY
@STREAMED
async def test_a_failed_tool_is_read_from_the_next_request(library: Library, streamed: bool) -> None:
    async with behind(library.wire) as stand:
        wants = await asked(library, stand.base(), "tool", streamed=streamed)
        said = library.answered(library.opening(), wants, "Error: there is no map")
        await asked(library, stand.base(), "tool", said=said, streamed=streamed)
        (round_,) = await stand.ended()

    (tool,) = round_.calls[0].tool_calls
    # Anthropic's wire has a flag for it that this client did not set, so there the text is not asked
    assert tool.state is (ToolState.OK if library.wire == "anthropic" else ToolState.FAILED)


@LIBRARY
async def test_a_refused_tool_is_read_from_the_next_request(library: Library) -> None:
    sentence = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    async with behind(library.wire) as stand:
        wants = await asked(library, stand.base(), "tool", streamed=True)
        said = library.answered(library.opening(), wants, sentence)
        if library.wire == "anthropic":
            said[-1]["content"][0]["is_error"] = True  # Claude Code sets the flag
        await asked(library, stand.base(), "tool", said=said, streamed=True)
        (round_,) = await stand.ended()

    (tool,) = round_.calls[0].tool_calls
    assert (tool.state, str(tool.why)) == (ToolState.REFUSED, "permission")


@LIBRARY
@STREAMED
@ASYNC
async def test_a_cut_at_the_output_cap_is_told_by_both(library: Library, streamed: bool, is_async: bool) -> None:
    async with behind(library.wire) as stand:
        view = await asked(library, stand.base(), "cap", streamed=streamed, is_async=is_async)
        (round_,) = await stand.ended()

    assert view.raised is None
    agrees(view, round_, reported(stand))
    assert classify(round_).verdict is Verdict.OUTPUT_CAP_REACHED


@LIBRARY
@ASYNC
async def test_no_library_raises_when_a_stream_just_ends_and_we_say_that_it_did(
    library: Library, is_async: bool
) -> None:
    async with behind(library.wire) as stand:
        view = await asked(library, stand.base(), "no-finish", streamed=True, is_async=is_async)
        (round_,) = await stand.ended()

    assert (view.raised, view.text, view.finish) == (None, "It lies", None)
    assert round_.calls[0].text == "It lies"
    assert (round_.calls[0].finish_reason, classify(round_).is_answer) == (None, False)
    if library.wire == "anthropic":  # the library shows the placeholder of message_start as if it were a count
        assert view.output_tokens is not None
        assert round_.calls[0].usage is None or round_.calls[0].usage.output_tokens is None
    else:
        assert view.output_tokens is None


@LIBRARY
@ASYNC
async def test_an_error_inside_a_stream_is_raised_by_the_library_and_told_by_us(
    library: Library, is_async: bool
) -> None:
    async with behind(library.wire) as stand:
        view = await asked(library, stand.base(), "error", streamed=True, is_async=is_async)
        await stand.until(lambda: any(isinstance(event, CallFinished) for event in stand.events))
        (round_,) = stand.ledger.rounds.values()

    assert view.raised is not None
    assert (
        view.finish is None
    )  # the library raises at the error: what follows it, such as response.failed, it never shows
    call = round_.calls[0]
    assert call.error is not None
    assert (str(call.outcome), call.error.message) == ("failed", "Overloaded")
    assert call.finish_reason == ("failed" if library.wire == "openai-responses" else None)


@LIBRARY
@STREAMED
@ASYNC
async def test_a_connection_that_is_torn_down_is_an_error_to_both(
    library: Library, streamed: bool, is_async: bool
) -> None:
    async with behind(library.wire) as stand:
        if library.wire == "gemini" and is_async:
            aiohttp = pytest.importorskip("aiohttp")  # what this library's async client takes where it is installed
            with pytest.raises(aiohttp.ClientError):
                await asked(library, stand.base(), "reset", streamed=streamed, is_async=True)
        else:
            view = await asked(library, stand.base(), "reset", streamed=streamed, is_async=is_async)
            assert view.raised is not None
        await stand.until(lambda: any(isinstance(event, CallFinished) for event in stand.events))
        (round_,) = stand.ledger.rounds.values()

    assert str(round_.calls[0].outcome) == "body_cut"


class Recorded(httpx2.SyncByteStream, httpx.SyncByteStream):
    """A body of either HTTP library; keeps what went through."""

    def __init__(self, inner: Any, kept: bytearray) -> None:
        self._inner, self._kept = inner, kept

    def __iter__(self) -> Any:
        for piece in self._inner:
            self._kept += piece
            yield piece

    def close(self) -> None:
        self._inner.close()


def recording(wire: str, kept: bytearray) -> Any:
    """Return what the library of ``wire`` takes as its HTTP client, with a transport that keeps what it receives."""
    library: Any = httpx if wire == "ollama" else httpx2

    inner: Any = library.HTTPTransport()

    class Transport(library.BaseTransport):  # type: ignore[misc]
        def handle_request(self, request: Any) -> Any:
            response: Any = inner.handle_request(request)
            kept.extend(repr((response.status_code, response.headers.raw)).encode())
            response.stream = Recorded(response.stream, kept)
            return response

        def close(self) -> None:
            inner.close()

    return Transport() if wire == "ollama" else httpx2.Client(transport=Transport())


@LIBRARY
@STREAMED
@pytest.mark.parametrize("story", ["answer", "tool", "cap", "no-finish", "error"])
async def test_the_bytes_through_the_proxy_are_those_received_directly(
    library: Library, streamed: bool, story: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted_provider, "time", SimpleNamespace(time=lambda: 1_790_000_000.0))
    direct, through = bytearray(), bytearray()
    async with ScriptedProvider(scripts(library.wire), speed=100.0) as provider:
        http = recording(library.wire, direct)
        first = await asked(library, provider.base_url, story, streamed=streamed, http=http)
    async with behind(library.wire) as stand:
        http = recording(library.wire, through)
        second = await asked(library, stand.base(), story, streamed=streamed, http=http)

    assert direct
    assert through == direct
    assert second == first


@pytest.mark.parametrize("wire", ["openai-chat", "anthropic", "gemini", "ollama"])
async def test_a_second_question_is_a_second_round_of_the_thread(wire: str) -> None:
    library = BY_WIRE[wire]
    async with behind(wire) as stand:
        first = await asked(library, stand.base(), "answer", streamed=True)
        reply, again = (
            ({"role": "model", "parts": [{"text": first.text}]}, {"role": "user", "parts": [{"text": "And the mill?"}]})
            if wire == "gemini"
            else ({"role": "assistant", "content": first.text}, {"role": "user", "content": "And the mill?"})
        )
        said = [*library.opening(), reply, again]
        await asked(library, stand.base(), "answer", said=said, streamed=True)
        one, two = await stand.ended(2)

    assert (one.title, two.title) == (USER, "And the mill?")
    assert one.thread == two.thread
    assert len(one.calls) == len(two.calls) == 1


@STREAMED
async def test_a_response_that_names_the_one_before_is_of_its_thread(streamed: bool) -> None:
    library = BY_WIRE["openai-responses"]
    async with behind(library.wire) as stand:
        first = await asked(library, stand.base(), "answer", streamed=streamed)
        said = [{"previous": first.said}, {"role": "user", "content": "And the mill?"}]
        await asked(library, stand.base(), "answer", said=said, streamed=streamed)
        one, two = await stand.ended(2)

    assert one.thread == two.thread
    assert two.title == "And the mill?"
