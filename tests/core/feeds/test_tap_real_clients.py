"""The real client libraries with a tap as their transport: what they make of an answer, and what we say of it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from roundwatch.core.feeds import tap_httpx, tap_httpx2
from roundwatch.core.feeds.tap import Tap
from roundwatch.core.hub import Access, Hub, Identity, stored_events
from roundwatch.core.rounds import Ledger, Round, ToolState, classify, parse_event
from roundwatch.core.rounds.events import CallFinished
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.feeds.real_clients import KEY, LIBRARIES, PATIENCE_S, Library, asked
from tests.core.feeds.scripts import SAID, scripts

LIBRARY = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.wire)
STREAMED = pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
ASYNC = pytest.mark.parametrize("is_async", [True, False], ids=["async", "sync"])


def tapped(library: Library, tap: Tap, is_async: bool) -> Any:
    """Return what a library takes as its HTTP client: an httpx2 client, for Ollama an httpx transport."""
    if library.wire == "ollama":
        return tap_httpx.AsyncTapTransport(tap) if is_async else tap_httpx.TapTransport(tap)
    if is_async:
        return httpx2.AsyncClient(transport=tap_httpx2.AsyncTapTransport(tap), timeout=PATIENCE_S)
    return httpx2.Client(transport=tap_httpx2.TapTransport(tap), timeout=PATIENCE_S)


class Stored:
    """What a tap has published, once it is closed."""

    def __init__(self, folder: Any) -> None:
        self.ledger, self.ends = Ledger(), list[CallFinished]()
        for stored in stored_events(folder / "s.sqlite3"):
            assert KEY.encode() not in stored.line
            event = parse_event(stored.line)
            self.ledger.apply(event)
            self.ends += [event] if isinstance(event, CallFinished) else []

    @property
    def round(self) -> Round:
        """The only round."""
        (round_,) = self.ledger.rounds.values()
        return round_


@LIBRARY
@STREAMED
@ASYNC
async def test_a_tapped_client_and_we_see_the_same_answer_and_tools(
    library: Library, streamed: bool, is_async: bool, tmp_path: Any
) -> None:
    async with (
        ScriptedProvider(scripts(library.wire), speed=100.0) as provider,
        Hub(tmp_path / "s.sqlite3", port=0, access=Access({"token": Identity("t")})) as hub,
    ):
        tap = Tap(hub.url, token="token", folder=tmp_path / "spool")
        tap.start()
        how, base = {"streamed": streamed, "is_async": is_async}, provider.base_url
        wants = await asked(library, base, "tool", http=tapped(library, tap, is_async), **how)
        said = library.answered(library.opening(), wants, "a map")
        view = await asked(library, base, "tool", said=said, http=tapped(library, tap, is_async), **how)
        await asyncio.to_thread(tap.close)

    stored = Stored(tmp_path)
    assert (view.text, view.raised) == (SAID, None)
    assert classify(stored.round).is_answer
    assert [call.finish_reason for call in stored.round.calls] == [wants.finish, view.finish]
    assert stored.round.calls[1].text == view.text
    usage = stored.ends[-1].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (view.input_tokens, view.output_tokens)
    (tool,) = stored.round.calls[0].tool_calls
    assert (tool.name, tool.state) == ("look", ToolState.OK)


@LIBRARY
@ASYNC
async def test_a_tapped_stream_that_just_ends_raises_nothing_and_is_no_answer(
    library: Library, is_async: bool, tmp_path: Any
) -> None:
    async with (
        ScriptedProvider(scripts(library.wire), speed=100.0) as provider,
        Hub(tmp_path / "s.sqlite3", port=0, access=Access({"token": Identity("t")})) as hub,
    ):
        tap = Tap(hub.url, token="token", folder=tmp_path / "spool")
        tap.start()
        http = tapped(library, tap, is_async)
        view = await asked(library, provider.base_url, "no-finish", streamed=True, is_async=is_async, http=http)
        await asyncio.to_thread(tap.close)

    stored = Stored(tmp_path)
    assert (view.raised, view.finish) == (None, None)
    assert (stored.round.calls[0].text, stored.round.calls[0].finish_reason) == ("It lies", None)
    assert not classify(stored.round).is_answer


@LIBRARY
@STREAMED
@ASYNC
async def test_a_tapped_transfer_that_breaks_raises_as_ever_and_is_told(
    library: Library, streamed: bool, is_async: bool, tmp_path: Any
) -> None:
    async with (
        ScriptedProvider(scripts(library.wire), speed=100.0) as provider,
        Hub(tmp_path / "s.sqlite3", port=0, access=Access({"token": Identity("t")})) as hub,
    ):
        tap = Tap(hub.url, token="token", folder=tmp_path / "spool")
        tap.start()
        http = tapped(library, tap, is_async)
        view = await asked(library, provider.base_url, "reset", streamed=streamed, is_async=is_async, http=http)
        await asyncio.to_thread(tap.close)

    assert view.raised is not None
    assert str(Stored(tmp_path).round.calls[0].outcome) == "body_cut"
