from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.otlp import Assembler, Log, Span
from roundwatch.core.feeds.otlp.assembler import ABSENT_S
from roundwatch.core.feeds.otlp.details import EVENT, call_span
from roundwatch.core.feeds.otlp.records import line_of, record_of
from roundwatch.core.hub.inlet import Numbered
from roundwatch.core.rounds import classify

from tests.core.feeds.otlp.posting import as_json, ledger_of, log_json, post, receiving
from tests.core.feeds.otlp.spans import BEGAN_NS, SECOND, TRACE, agent, chat, folded, ident

CREW = (chat("c", "boss"), agent("boss", lasts=3))
FULL: dict[str, Any] = {**chat("c", text="East of the mill.").attributes}


def told_by_log(span: str = "c", **attributes: Any) -> Span:
    """The call of a log event that names a span."""
    return call_span(Log(EVENT, BEGAN_NS + SECOND, {**FULL, **attributes}, trace=TRACE, span=ident(span)))


@given(st.data())
def test_span_and_event_in_any_order_any_number_of_times_are_one_call_with_its_texts(data: st.DataObject) -> None:
    told: list[Numbered] = []
    assembler = Assembler()
    things = data.draw(st.permutations([*CREW, told_by_log()]))
    for number, thing in enumerate([*things, *data.draw(st.permutations(things))]):
        is_event = thing.name == EVENT
        told += (assembler.feed_details if is_event else assembler.feed)("me", [thing], float(number))
        if data.draw(st.booleans()):
            lines = [line_of(record).encode() for record in assembler.records()]
            assembler = Assembler()
            told += assembler.restore([record for line in lines if (record := record_of(line))], float(number))
    told += assembler.close()
    (round_,) = folded(told).rounds.values()
    (call,) = round_.calls
    assert (round_.text, call.finish_reason, call.usage.output_tokens) == ("East of the mill.", "stop", 5)
    assert (round_.is_over, call.total_ms, classify(round_).is_answer) == (True, 1000, True)


def test_texts_that_stand_in_both_are_told_once() -> None:
    assembler = Assembler()
    told = assembler.feed_details("me", [told_by_log()], 0.0)
    told += assembler.feed("me", [chat("c", "boss", text="East of the mill."), CREW[1]], 1.0)
    told += assembler.feed_details("me", [told_by_log()], 2.0)
    assert next(iter(folded(told).rounds.values())).text == "East of the mill."


def test_an_event_whose_span_never_comes_is_a_call_that_nobody_timed() -> None:
    assembler = Assembler()
    assert assembler.feed_details("me", [told_by_log()], 0.0) == []
    (round_,) = folded(assembler.due(ABSENT_S)).rounds.values()
    (call,) = round_.calls
    assert (call.finish_reason, call.started_at, call.total_ms, round_.is_over) == ("stop", None, None, False)
    late = folded([*assembler.feed("me", CREW, ABSENT_S + 1)])
    assert len(late.rounds) == 1


def test_a_call_inside_a_call_is_not_told_by_its_event_either() -> None:
    told = Assembler().feed("me", [chat("in", "c"), *CREW], 0.0)
    assembler = Assembler()
    again = assembler.feed("me", [chat("in", "c"), *CREW], 0.0) + assembler.feed_details("me", [told_by_log("in")], 1.0)
    assert [each.event for each in again] == [each.event for each in told]


async def test_over_http_an_event_without_a_span_is_a_round_of_its_own_and_is_stored_once(tmp_path: Path) -> None:
    attributes = FULL | {"gen_ai.conversation.id": "talk-1", "gen_ai.response.finish_reasons": ["length"]}
    record = {"event": EVENT, "ns": BEGAN_NS, "attributes": attributes}
    async with receiving(store=tmp_path / "s.db") as hub:
        for _ in range(2):
            assert (await post(hub, "/v1/logs", log_json(record))).status == 200
        stored = hub.counters.stored
    async with receiving(store=tmp_path / "s.db") as hub:
        assert (await post(hub, "/v1/logs", log_json(record))).status == 200
        assert hub.counters.stored == 0 < stored
    (round_,) = (await ledger_of(tmp_path / "s.db")).rounds.values()
    assert (round_.thread, round_.text, classify(round_).verdict) == (
        "talk-1", "East of the mill.", "output_cap_reached",
    )  # fmt: skip


@pytest.mark.parametrize("logs_first", [True, False])
async def test_over_http_beside_its_span(logs_first: bool, tmp_path: Path) -> None:
    named = {"trace": TRACE, "span": ident("c")}
    exports = [
        ("/v1/logs", log_json({"event": EVENT, "ns": BEGAN_NS, "attributes": FULL, **named})),
        ("/v1/traces", as_json(*CREW)),
    ]
    async with receiving(store=tmp_path / "s.db") as hub:
        for path, body in exports if logs_first else reversed(exports):
            assert (await post(hub, path, body)).status == 200
    (round_,) = (await ledger_of(tmp_path / "s.db")).rounds.values()
    assert (len(round_.calls), round_.text) == (1, "East of the mill.")


def test_events_that_wait_are_bounded_too() -> None:
    assembler = Assembler(most_bytes=100_000)
    for number in range(50):
        call = replace(told_by_log(), trace=f"{number + 1:032x}", attributes=FULL | {"gen_ai.completion": "x" * 10_000})
        assembler.feed_details("me", [call], 0.0)
    assert len(list(assembler.records())) < 10
