from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

from roundwatch.core.feeds import Ending, Endpoint, Observer
from roundwatch.core.rounds import Event, Ledger, ToolState
from roundwatch.core.rounds.events import CallFinished, CallOutput

CHAT = Endpoint("openai-chat")


def request(*messages: dict[str, object]) -> bytes:
    return json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "Where?"}, *messages]}).encode()


def said(delta: Mapping[str, object], finish: str | None = None) -> bytes:
    return (
        b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}).encode() + b"\n\n"
    )


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_pieces_read_together_keep_the_times_at_which_they_came() -> None:
    events: list[Event] = []
    clock = Clock()

    async def publish(event: Event) -> None:
        events.append(event)

    async with Observer(publish, clock=clock) as observer:
        traffic = observer.begin("up", CHAT, ())
        traffic.request_body(request())
        traffic.request_end()
        traffic.response(200, ())
        for at_s, delta in ((101, {"reasoning": "Hm."}), (102, {"content": "East."}), (103, {"content": " Or west."})):
            clock.now = at_s
            traffic.response_body(said(delta))
        clock.now = 104.0
        traffic.end(Ending.COMPLETE)

    (end,) = [event for event in events if isinstance(event, CallFinished)]
    assert (end.first_output_ms, end.first_answer_ms, end.total_ms) == (1000, 2000, 4000)
    assert [event.text for event in events if isinstance(event, CallOutput)] == ["Hm.", "East. Or west."]


async def test_a_request_with_results_finds_the_call_that_asked_though_its_answer_still_waits_to_be_read() -> None:
    ledger = Ledger()

    async def publish(event: Event) -> None:
        ledger.apply(event)

    tool = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    async with Observer(publish) as observer:
        first = observer.begin("up", CHAT, ())
        first.request_body(request())
        first.request_end()
        first.response(200, ())
        first.response_body(said({"content": "Let me look."}))
        await asyncio.sleep(0.05)  # from now on pieces wait for their tick
        first.response_body(said({"tool_calls": [{"index": 0, **tool}]}, "tool_calls"))
        second = observer.begin("up", CHAT, ())
        second.request_body(
            request({"role": "assistant", "tool_calls": [tool]}, {"role": "tool", "tool_call_id": "t1", "content": "x"})
        )
        second.request_end()
        await asyncio.sleep(0.05)
        first.end(Ending.COMPLETE)
        second.response(200, ())
        second.response_body(said({"content": "East."}, "stop"))
        second.end(Ending.COMPLETE)

    (round_,) = ledger.rounds.values()
    assert [call.text for call in round_.calls] == ["Let me look.", "East."]
    assert round_.calls[0].tool_calls[0].state is ToolState.OK


async def test_an_observer_without_work_sleeps() -> None:
    asked = 0

    def clock() -> float:
        nonlocal asked
        asked += 1
        return 0.0

    async with Observer(lambda _: asyncio.sleep(0), clock=clock):
        await asyncio.sleep(0.05)
        before = asked
        await asyncio.sleep(0.5)
        assert asked == before


async def test_nothing_is_kept_of_an_exchange_behind_its_end() -> None:
    events: list[Event] = []

    async def publish(event: Event) -> None:
        events.append(event)

    async with Observer(publish) as observer:
        traffic = observer.begin("up", CHAT, ())
        traffic.request_end()
        traffic.response(200, ())
        traffic.end(Ending.COMPLETE)
        traffic.response_body(said({"content": "late"}))
        traffic.request_body(b"late")
        traffic.request_end()

    assert not any(isinstance(event, CallOutput) for event in events)
    assert sum(isinstance(event, CallFinished) for event in events) == 1
