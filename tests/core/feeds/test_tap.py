from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anthropic
import httpx
import httpx2
import openai
import pytest
from roundwatch.core.feeds.tap import Tap
from roundwatch.core.feeds.tap_httpx import AsyncTapTransport as AsyncHttpxTransport
from roundwatch.core.feeds.tap_httpx import TapTransport as HttpxTransport
from roundwatch.core.feeds.tap_httpx2 import AsyncTapTransport, TapTransport
from roundwatch.core.hub import Access, Hub, HubError, Identity, stored_events
from roundwatch.core.rounds import Ledger, Round, Verdict, classify, parse_event
from roundwatch.core.runner.script import Counts, Ending, Finish, Reply, Script, Text, Wait
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.feeds.stand import PATIENCE_S

USER: Any = [{"role": "user", "content": "Where is the harbour?"}]
SAID = "It lies east of the mill."
KEY = "sk-a-key-that-nobody-may-see"


def one(*steps: Any, **more: Any) -> Script:
    return Script((Reply(steps=steps, **more),), repeat_last=True)


SCRIPTS = {
    "gpt": one(Text(SAID), Finish("stop"), counts=Counts(21, 9)),
    "claude": one(Text(SAID), Finish("end_turn"), counts=Counts(21, 9)),
    "gpt-reset": one(Text("It lies"), ending=Ending.RESET),
    "gpt-hang": one(Text("It lies"), Wait(1e9)),
}


class Watched:
    """A hub, a tap that publishes to it, and what is in its store in the end."""

    def __init__(self, folder: Path, hub: Hub) -> None:
        self.store = folder / "s.sqlite3"
        self.tap = Tap(hub.url, token="token", folder=folder / "spool")

    async def rounds(self) -> list[Round]:
        """Close the tap and return what it published."""
        await asyncio.to_thread(self.tap.close)
        ledger = Ledger()
        for event in stored_events(self.store):
            assert KEY.encode() not in event.line
            ledger.apply(parse_event(event.line))
        return list(ledger.rounds.values())


@pytest.fixture
async def base() -> AsyncIterator[str]:
    async with ScriptedProvider(SCRIPTS, speed=50.0) as provider:
        yield provider.base_url


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    async with Hub(tmp_path / "s.sqlite3", port=0, access=Access({"token": Identity("t")})) as hub:
        found = Watched(tmp_path, hub)
        found.tap.start()
        yield found
        await asyncio.to_thread(found.tap.close)


def clients(library: str, tap: Tap) -> Any:
    """Return the async client of a library with the tap as its transport."""
    if library == "httpx2":
        return httpx2.AsyncClient(transport=AsyncTapTransport(tap), timeout=PATIENCE_S)
    return httpx.AsyncClient(transport=AsyncHttpxTransport(tap), timeout=PATIENCE_S)


def sync_client(library: str, tap: Tap) -> Any:
    """Return the client of a library with the tap as its transport."""
    if library == "httpx2":
        return httpx2.Client(transport=TapTransport(tap), timeout=PATIENCE_S)
    return httpx.Client(transport=HttpxTransport(tap), timeout=PATIENCE_S)


@pytest.mark.parametrize("library", ["httpx2", "httpx"])
@pytest.mark.parametrize("streamed", [True, False])
async def test_the_openai_sdk_takes_the_tap_as_its_client(
    library: str, streamed: bool, watched: Watched, base: str
) -> None:
    def ask() -> str:
        with openai.OpenAI(base_url=base + "/v1", api_key=KEY, http_client=sync_client(library, watched.tap)) as client:
            if not streamed:
                return client.chat.completions.create(model="gpt", messages=USER).choices[0].message.content or ""
            stream = client.chat.completions.create(model="gpt", messages=USER, stream=True)
            return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)

    assert await asyncio.to_thread(ask) == SAID
    (round_,) = await watched.rounds()
    assert classify(round_).is_answer
    assert (round_.calls[0].text, round_.calls[0].provider) == (SAID, "127.0.0.1")


async def test_the_anthropic_sdk_takes_the_tap_as_its_client(watched: Watched, base: str) -> None:
    http = httpx2.AsyncClient(transport=AsyncTapTransport(watched.tap), timeout=PATIENCE_S)
    async with (
        anthropic.AsyncAnthropic(base_url=base, api_key=KEY, http_client=http) as client,
        client.messages.stream(model="claude", max_tokens=64, messages=USER) as stream,
    ):
        reply = await stream.get_final_message()

    (round_,) = await watched.rounds()
    assert classify(round_).is_answer
    assert (round_.calls[0].text, round_.calls[0].finish_reason) == (SAID, reply.stop_reason)
    assert round_.calls[0].usage is not None
    assert round_.calls[0].usage.output_tokens == reply.usage.output_tokens


@pytest.mark.parametrize("library", ["httpx2", "httpx"])
async def test_a_reader_that_leaves_is_a_cancelled_call(library: str, watched: Watched, base: str) -> None:
    async with clients(library, watched.tap) as client:
        asked = {"model": "gpt-hang", "messages": USER, "stream": True}
        async with client.stream("POST", base + "/v1/chat/completions", json=asked) as response:
            async for _ in response.aiter_bytes():
                break

    (round_,) = await watched.rounds()
    assert classify(round_).verdict is Verdict.CANCELLED


@pytest.mark.parametrize("library", ["httpx2", "httpx"])
async def test_a_transfer_that_breaks_raises_as_ever_and_is_told(library: str, watched: Watched, base: str) -> None:
    error = {"httpx2": httpx2.TransportError, "httpx": httpx.TransportError}[library]
    async with clients(library, watched.tap) as client:
        asked = {"model": "gpt-reset", "messages": USER, "stream": True}
        with pytest.raises(error):
            await client.post(base + "/v1/chat/completions", json=asked)

    (round_,) = await watched.rounds()
    assert classify(round_).verdict is Verdict.RESPONSE_BODY_CUT


@pytest.mark.parametrize("library", ["httpx2", "httpx"])
async def test_a_provider_that_is_not_there_is_told(library: str, watched: Watched) -> None:
    error = {"httpx2": httpx2.ConnectError, "httpx": httpx.ConnectError}[library]
    async with clients(library, watched.tap) as client:
        with pytest.raises(error):
            await client.post("http://127.0.0.1:1/v1/responses", json={"input": "x"})

    (round_,) = await watched.rounds()
    assert round_.calls[0].error is not None
    assert round_.calls[0].error.message == "ConnectError"


@pytest.mark.parametrize("library", ["httpx2", "httpx"])
async def test_other_requests_are_none_of_its_business(library: str, watched: Watched, base: str) -> None:
    async with clients(library, watched.tap) as client:
        assert (await client.get(base + "/v1/models")).status_code == 404

    assert await watched.rounds() == []


async def test_a_tap_that_is_closed_or_never_started_lets_everything_pass(watched: Watched, base: str) -> None:
    await watched.rounds()
    for tap in (watched.tap, Tap()):
        async with httpx2.AsyncClient(transport=AsyncTapTransport(tap)) as client:
            reply = await client.post(base + "/v1/chat/completions", json={"model": "gpt", "messages": USER})
            assert reply.status_code == 200


def test_a_tap_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    tap = Tap("ws://127.0.0.1:1", folder=tmp_path / "file" / "below")
    with pytest.raises((HubError, OSError)):
        tap.start()


def test_without_a_hub_the_client_is_not_slowed_and_the_events_wait(tmp_path: Path) -> None:
    with Tap("ws://127.0.0.1:1", token="t", folder=tmp_path) as tap:
        traffic = tap.begin("POST", "http://127.0.0.1:1/v1/responses", [])
        assert traffic is not None
        traffic.request_end()
        began = time.monotonic()
    assert time.monotonic() - began < PATIENCE_S
    assert any(b"round.started" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert not any(thread.name == "roundwatch-tap" for thread in threading.enumerate())
