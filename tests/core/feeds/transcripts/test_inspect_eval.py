"""Logs of inspect: samples are rounds; a zip that is cut, damaged or swells beyond all bounds is counted."""

from __future__ import annotations

import io
import zipfile

import pytest
from roundwatch.core.feeds.transcripts import inspect_eval
from roundwatch.core.feeds.transcripts.inspect_eval import InspectEval

from .foreign_records import (
    INSPECT,
    Row,
    events_of,
    inspect_log,
    inspect_model,
    inspect_sample,
    outcomes,
    rounds_of,
    stamp,
)


def test_a_sample_is_a_round_with_its_calls_and_tools() -> None:
    [round_] = rounds_of(events_of(InspectEval(), INSPECT))
    assert (round_.id, round_.agent, round_.title) == ("run/1.1", "counting", "question 1")
    assert [(call.provider, call.model, call.finish_reason) for call in round_.calls] == [
        ("openai", "gpt-x", "tool_calls"),
        ("openai", "gpt-x", "stop"),
    ]
    assert round_.calls[0].max_output_tokens == 64
    assert round_.calls[0].total_ms == 1500
    assert round_.calls[0].usage.input_tokens == 14
    assert round_.calls[0].tool_calls[0].duration_ms == 250
    assert outcomes([round_])[0].is_answer


@pytest.mark.parametrize(
    ("event", "verdict"),
    [
        ({"event": "sample_limit", "type": "token", "limit": 50}, "token_budget"),
        ({"event": "error", "error": {"message": "no such sandbox"}}, "faulted"),
        ({"event": "interrupt"}, "cancelled"),
    ],
)
def test_a_limit_an_error_and_an_interrupt_are_what_they_are(event: Row, verdict: str) -> None:
    log = inspect_log(inspect_sample(1, inspect_model("half", "stop"), {**event, "timestamp": stamp(4000)}))
    assert outcomes(rounds_of(events_of(InspectEval(), log)))[0].verdict == verdict


def test_a_rejected_approval_is_a_refused_tool() -> None:
    asking = inspect_model("", "tool_calls", message={"tool_calls": [{"id": "t", "function": "rm", "arguments": {}}]})
    rejected = {"event": "approval", "decision": "reject", "call": {"id": "t"}, "explanation": "too dangerous"}
    [round_] = rounds_of(events_of(InspectEval(), inspect_log(inspect_sample(1, asking, rejected))))
    assert (round_.calls[0].tool_calls[0].state, round_.calls[0].tool_calls[0].message) == ("refused", "too dangerous")


def test_agents_and_scorers_are_rounds_below_and_only_where_they_asked_a_model() -> None:
    spans: list[Row] = [
        {"event": "span_begin", "id": "s1", "type": "agent", "name": "searcher", "timestamp": stamp(100)},
        inspect_model("found", "stop", span_id="s1"),
        {"event": "span_end", "id": "s1", "timestamp": stamp(4000)},
        inspect_model("answer", "stop"),
        {"event": "span_begin", "id": "s2", "type": "scorer", "name": "match", "timestamp": stamp(5000)},
        {"event": "span_end", "id": "s2", "timestamp": stamp(5001)},
    ]
    rounds = {
        round_.id: round_ for round_ in rounds_of(events_of(InspectEval(), inspect_log(inspect_sample(1, *spans))))
    }
    assert set(rounds) == {"run/1.1", "run/1.1/s1"}
    assert [call.text for call in rounds["run/1.1"].calls] == ["answer"]


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_a_cut_zip_is_counted(cut: int) -> None:
    parser = InspectEval()
    assert events_of(parser, INSPECT[:-cut]) == []
    assert parser.unreadable.count == 1


def test_a_damaged_sample_is_counted_and_the_others_are_told() -> None:
    log = bytearray(inspect_log(*(inspect_sample(n, inspect_model("done", "stop")) for n in (1, 2, 3))))
    with zipfile.ZipFile(io.BytesIO(log)) as archive:
        start = archive.getinfo("samples/2_epoch_1.json").header_offset + 60
    log[start : start + 20] = b"\xff" * 20
    parser = InspectEval()
    assert [round_.id for round_ in rounds_of(events_of(parser, bytes(log)))] == ["run/1.1", "run/3.1"]
    assert parser.unreadable.count == 1


def test_a_sample_that_swells_beyond_all_bounds_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_eval, "MEMBER_BYTES", 100_000)
    bomb = inspect_sample(2, padding="0" * 50_000_000)
    parser = InspectEval()
    rounds = rounds_of(events_of(parser, inspect_log(inspect_sample(1, inspect_model("done", "stop")), bomb)))
    assert [round_.id for round_ in rounds] == ["run/1.1"]
    assert parser.unreadable.places[0].why == "an entry is too large when unpacked"
