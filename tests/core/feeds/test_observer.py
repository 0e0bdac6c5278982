from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from roundwatch.core.feeds import Capture, Ending, Endpoint, Observer
from roundwatch.core.feeds.exchange import Traffic
from roundwatch.core.feeds.observation import HELD_BYTES
from roundwatch.core.feeds.observer import BATCH_S, MOST_BATCH_S, UNHURRIED, batch_s
from roundwatch.core.feeds.recording import Recording
from roundwatch.core.rounds import Event, Ledger, Round, Verdict, classify
from roundwatch.core.rounds.events import CallOutput, CallStarted, RoundStarted

from tests.core.feeds.encoded import ENCODERS, zstd

CHAT = Endpoint("openai-chat")
ASKED = json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "Where?"}]}).encode()
SAID = b'data: {"choices":[{"index":0,"delta":{"content":"East."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

PATIENCE_S = 20.0


class Published:
    """Everything that came, folded."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.ledger = Ledger()
        self.output = asyncio.Event()

    async def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, CallOutput):
            self.output.set()
        self.ledger.apply(event)

    @property
    def round(self) -> Round:
        (only,) = self.ledger.rounds.values()
        return only


@pytest.fixture
def published() -> Published:
    return Published()


def asked(observer: Observer, endpoint: Endpoint = CHAT, body: bytes = ASKED, *headers: tuple[bytes, bytes]) -> Traffic:
    traffic = observer.begin("up", endpoint, headers)
    traffic.request_body(body)
    traffic.request_end()
    return traffic


def answered(traffic: Traffic, body: bytes, *headers: tuple[bytes, bytes], status: int = 200) -> None:
    traffic.response(status, headers)
    traffic.response_body(body)
    traffic.end(Ending.COMPLETE)


@pytest.mark.parametrize("encoding", ENCODERS)
async def test_compressed_answers_are_read(encoding: str, published: Published) -> None:
    async with Observer(published) as observer:
        answered(asked(observer), ENCODERS[encoding](SAID), (b"Content-Encoding", encoding.encode()))

    assert published.round.calls[0].text == "East."
    assert classify(published.round).is_answer


async def test_a_compressed_request_is_read(published: Published) -> None:
    async with Observer(published) as observer:
        answered(asked(observer, CHAT, zstd(ASKED), (b"Content-Encoding", b"zstd")), SAID)

    assert published.round.title == "Where?"


async def test_an_answer_that_cannot_be_decompressed_says_so_and_is_no_answer(
    published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    async with Observer(published) as observer:
        answered(asked(observer), b"\x28\xb5\x2f\xfd", (b"Content-Encoding", b"zstd"))

    error = published.round.calls[0].error
    assert error is not None
    assert (error.kind, "pip install zstandard" in (error.message or "")) == ("observation", True)
    assert not classify(published.round).is_success


async def test_traffic_has_its_turn_while_a_bomb_of_tiny_events_is_read(published: Published) -> None:
    bomb = ENCODERS["gzip"](b"data: {}\n\n" * 200_000 + SAID)
    turns = 0

    async def traffic_goes_on() -> None:
        nonlocal turns
        while not published.ledger.rounds or not published.round.calls[0].outcome:
            turns += 1
            await asyncio.sleep(0)

    async with Observer(published) as observer:
        answered(asked(observer), bomb, (b"Content-Encoding", b"gzip"))
        await traffic_goes_on()

    assert turns > 50
    assert published.round.calls[0].text == "East."


async def test_an_end_that_comes_while_the_body_is_read_is_told_behind_it(published: Published) -> None:
    async with Observer(published) as observer:
        traffic = asked(observer)
        traffic.response(200, ((b"Content-Encoding", b"gzip"),))
        first = b'data: {"choices":[{"index":0,"delta":{"content":"North-"}}]}\n\n'
        traffic.response_body(ENCODERS["gzip"](first + b"data: {}\n\n" * 100_000))
        await published.output.wait()  # the first of it is read, most is not
        traffic.response_body(ENCODERS["gzip"](SAID))
        traffic.end(Ending.COMPLETE)

    assert published.round.calls[0].text == "North-East."
    assert published.round.calls[0].finish_reason == "stop"


async def test_a_call_that_could_not_be_followed_says_so_and_blames_nobody(published: Published) -> None:
    async with Observer(published, queue_bytes=HELD_BYTES + len(ASKED) + len(SAID)) as observer:
        traffic = asked(observer)
        traffic.response(200, ())
        traffic.response_body(SAID)
        traffic.response_body(SAID)
        traffic.end(Ending.COMPLETE)

    error = published.round.calls[0].error
    assert observer.lost_calls == 1
    assert error is not None
    assert error.kind == "observation"
    assert classify(published.round).verdict is Verdict.FAULTED


async def test_what_waits_is_bounded_by_calls_too_and_those_without_room_are_counted(published: Published) -> None:
    async with Observer(published, queue_bytes=2 * HELD_BYTES + 2 * len(ASKED)) as observer:
        calls = [asked(observer) for _ in range(5)]  # nothing is read before the loop has its turn
        for traffic in calls:
            traffic.response(200, ())
            traffic.end(Ending.COMPLETE)

    assert (observer.calls, observer.lost_calls) == (5, 3)


async def test_room_is_given_back_when_what_waited_was_read(published: Published) -> None:
    async with Observer(published, queue_bytes=HELD_BYTES + len(ASKED) + len(SAID)) as observer:
        for _ in range(3):
            answered(asked(observer), SAID)
            async with asyncio.timeout(PATIENCE_S):
                while not observer.keep(HELD_BYTES + len(ASKED) + len(SAID)):  # noqa: ASYNC110 - asked, not told
                    await asyncio.sleep(0.01)
            observer.taken(HELD_BYTES + len(ASKED) + len(SAID))

    assert observer.lost_calls == 0


async def test_a_fault_in_one_call_reaches_no_other(
    published: Published, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    really = Recording.response_body

    def fail(recording: Recording, pieces: Sequence[tuple[bytes, float]]) -> Iterator[list[Event]]:
        if pieces[0][0] == b"bad":
            raise ZeroDivisionError
        return really(recording, pieces)

    monkeypatch.setattr(Recording, "response_body", fail)
    async with Observer(published) as observer:
        answered(asked(observer), b"bad")
        answered(asked(observer, CHAT, ASKED.replace(b"Where", b"When")), SAID)

    first, second = published.ledger.rounds.values()
    assert first.calls[0].error is not None
    assert first.calls[0].error.kind == "observation"
    assert classify(second).is_answer
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("ending", "name", "verdict"),
    [
        (Ending.CLIENT_LEFT, "finished", Verdict.COMPLETED),
        (Ending.CLIENT_LEFT, "begun", Verdict.CANCELLED),
        (Ending.CLIENT_LEFT, "nothing", Verdict.CANCELLED),
        (Ending.DROPPED, "begun", Verdict.RESPONSE_BODY_CUT),
        (Ending.DROPPED, "whole", Verdict.COMPLETED),
        (Ending.STOPPED, "nothing", Verdict.RESPONSE_BODY_CUT),
    ],
)
async def test_how_an_exchange_ended_decides_where_the_bytes_do_not(
    ending: Ending, name: str, verdict: Verdict, published: Published
) -> None:
    begun = b'data: {"choices":[{"index":0,"delta":{"content":"E"}}]}\n\n'
    bodies = {"whole": SAID, "finished": SAID.partition(b"data: [DONE]")[0], "begun": begun, "nothing": b""}
    async with Observer(published, idle_s=0.0) as observer:
        traffic = asked(observer)
        traffic.response(200, ())
        traffic.response_body(bodies[name])
        traffic.end(ending)

    assert classify(published.round).verdict is verdict


@pytest.mark.parametrize("ending", [Ending.CLIENT_LEFT, Ending.DROPPED, Ending.UNREACHABLE, Ending.STOPPED])
async def test_an_exchange_without_an_answer_ends_its_call(ending: Ending, published: Published) -> None:
    async with Observer(published, idle_s=0.0) as observer:
        asked(observer).end(ending, "for a reason")

    assert published.round.calls[0].outcome is not None
    assert published.round.is_over
    assert not classify(published.round).is_success


async def test_calls_under_way_at_the_end_are_ended_too(published: Published) -> None:
    async with Observer(published) as observer:
        asked(observer).response(200, ())

    assert published.round.is_over
    assert classify(published.round).verdict is Verdict.RESPONSE_BODY_CUT


async def test_a_second_end_is_none(published: Published) -> None:
    async with Observer(published) as observer:
        traffic = asked(observer)
        answered(traffic, SAID)
        traffic.end(Ending.CLIENT_LEFT)

    assert [event.type for event in published.events].count("call.finished") == 1


UNREADABLE = {"empty": b"", "no json": b"no json", "no object": b"[]", "too long": bytes(33 * 1024 * 1024)}


@pytest.mark.parametrize("name", UNREADABLE)
async def test_a_request_that_cannot_be_read_still_has_its_answer_read(name: str, published: Published) -> None:
    body = UNREADABLE[name]
    async with Observer(published) as observer:
        answered(asked(observer, CHAT, body), SAID)

    assert published.round.calls[0].text == "East."


async def test_output_is_published_at_most_ten_times_a_second_and_nothing_is_lost(published: Published) -> None:
    piece = b'data: {"choices":[{"index":0,"delta":{"content":"ha "}}]}\n\n'
    async with Observer(published) as observer:
        traffic = asked(observer)
        traffic.response(200, ())
        for _ in range(10):
            for _ in range(50):
                traffic.response_body(piece)
            await asyncio.sleep(0.05)
        held = sum(isinstance(event, CallOutput) for event in published.events)
        traffic.end(Ending.COMPLETE)

    assert published.round.calls[0].text == "ha " * 500
    assert held > 1  # while the call goes on
    assert sum(isinstance(event, CallOutput) for event in published.events) <= 11


async def test_a_secret_that_a_model_repeats_piece_by_piece_is_taken_out(published: Published) -> None:
    async with Observer(published) as observer:
        traffic = asked(observer, CHAT, ASKED, (b"X-Api-Key", b"secret-of-the-user"))
        traffic.response(200, ())
        for word in ("It is ", "secret-", "of-the-", "user."):
            piece = json.dumps({"choices": [{"index": 0, "delta": {"content": word}}]})
            traffic.response_body(f"data: {piece}\n\n".encode())
        traffic.end(Ending.COMPLETE)

    assert published.round.calls[0].text == "It is […]."


async def test_an_answer_of_ten_megabytes_in_one_event_is_read(published: Published) -> None:
    text = "x" * 7 * 1024 * 1024
    said = (
        b"data: "
        + json.dumps({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}).encode()
    )
    async with Observer(published, capture=Capture.NONE) as observer:
        answered(asked(observer), said + b"\n\ndata: [DONE]\n\n")

    assert published.round.calls[0].text_chars == len(text)


async def test_a_gemini_call_takes_its_model_from_the_path(published: Published) -> None:
    body = json.dumps({"contents": [{"parts": [{"text": "Where?"}]}]}).encode()
    said = json.dumps({"candidates": [{"content": {"parts": [{"text": "East."}]}, "finishReason": "STOP"}]}).encode()
    async with Observer(published) as observer:
        answered(asked(observer, Endpoint("gemini", "gemini-2"), body), said)

    assert (published.round.calls[0].model, published.round.calls[0].text) == ("gemini-2", "East.")


async def test_a_response_that_a_later_request_names_continues_its_thread(published: Published) -> None:
    said = json.dumps(
        {
            "id": "resp_1",
            "status": "completed",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": "East."}]}],
        }
    ).encode()
    wire = Endpoint("openai-responses")
    async with Observer(published) as observer:
        answered(asked(observer, wire, b'{"input": "Where?"}'), said)
        answered(asked(observer, wire, b'{"input": "And now?", "previous_response_id": "resp_1"}'), said)

    first, second = published.ledger.rounds.values()
    assert first.thread == second.thread
    assert (first.title, second.title) == ("Where?", "And now?")


def test_many_calls_are_read_as_often_altogether_as_a_few_and_each_at_least_twice_a_second() -> None:
    waits = [batch_s(calls) for calls in range(2000)]

    assert set(waits[: UNHURRIED + 1]) == {BATCH_S}
    assert waits == sorted(waits)
    assert waits[-1] == MOST_BATCH_S <= 0.5
    assert all(calls / wait <= UNHURRIED / BATCH_S * 1.001 for calls, wait in enumerate(waits) if wait < MOST_BATCH_S)


async def test_a_round_begins_when_its_request_went_out_not_when_that_was_read(published: Published) -> None:
    async with Observer(published) as observer:
        before = datetime.now(UTC) - timedelta(milliseconds=1)
        traffic = asked(observer)
        after = datetime.now(UTC)
        answered(traffic, SAID)

    moments = [event.at for event in published.events if isinstance(event, RoundStarted | CallStarted)]
    assert len(moments) == 2
    assert all(moment is not None and before <= moment <= after for moment in moments)
