from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roundwatch.core.hub.stamping import FIT_BYTES, TooLarge, outgoing_line
from roundwatch.core.rounds.base import CallOutcome
from roundwatch.core.rounds.events import CallFinished, Unrecognised
from roundwatch.core.rounds.parse import EventError, parse_event

NOW = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=1)))


def test_a_line_keeps_its_own_words_and_gets_what_is_missing() -> None:
    line = outgoing_line('{"id":"x:9", "type":"round.finished",\n"round":"r", "mine":1.50,"seq":4}', NOW)
    assert line == '{"at":"2026-03-01T11:00:00.250Z","v":1,"type":"round.finished","round":"r","mine":1.50}'


def test_what_is_there_is_not_stamped_again() -> None:
    text = '{"v":1,"at":"2020-01-01T00:00:00.000Z","type":"round.finished","round":"r"}'
    assert outgoing_line(text.encode(), NOW) == text
    assert json.loads(outgoing_line('{"type":"round.finished","round":"r","at":null}', NOW))["at"].startswith("2026")


def test_an_event_object_leaves_out_what_is_not_reported() -> None:
    event = CallFinished(round="r", call="c", outcome=CallOutcome.COMPLETED, total_ms=1.5)
    fields = json.loads(outgoing_line(event, NOW))
    assert fields.pop("at") == "2026-03-01T11:00:00.250Z"
    assert (fields["type"], fields["outcome"], fields["total_ms"]) == ("call.finished", "completed", 1.5)
    assert None not in fields.values()
    assert not {"usage", "finish_reason", "id", "seq"} & set(fields)


def test_an_unknown_event_goes_out_as_it_came() -> None:
    raw = '{"v":1,"at":"2020-01-01T00:00:00Z","type":"robot.waved","arms":[1,2]}'
    event = parse_event(raw)
    assert isinstance(event, Unrecognised)
    assert outgoing_line(event, NOW) == raw


@pytest.mark.parametrize(
    "bad",
    [
        "nonsense", "[]", b"\xff", {"round": "r"}, {"type": "round.output", "round": "r"},
        {"type": "x", "value": float("nan")}, {"type": "x", "value": object()}, {"type": "x", "text": "\ud800"},
        '{"type":"x","value":NaN}',
    ],
)  # fmt: skip
def test_what_is_no_event_is_told_at_once(bad: object) -> None:
    with pytest.raises(EventError):
        outgoing_line(bad, NOW)  # type: ignore[arg-type]


@settings(max_examples=15, deadline=None)
@given(st.sampled_from('a\n"ü€😀'), st.integers(FIT_BYTES // 4, 6_000_000))
def test_a_long_text_is_cut_to_fit_and_its_size_is_stated(char: str, count: int) -> None:
    line = outgoing_line({"type": "call.output", "round": "r", "call": "c", "kind": "text", "text": char * count}, NOW)
    fields = json.loads(line)
    assert len(line.encode()) <= FIT_BYTES
    assert char * len(fields["text"]) == fields["text"]
    if len(fields["text"]) < count:
        assert (fields["chars"], fields["cut"]) == (count, {"text": count})
        assert len(line.encode()) > FIT_BYTES // 2


def test_every_cut_text_is_named_and_a_reported_size_stays() -> None:
    event = {
        "type": "round.partial", "round": "r", "source": "s", "kept_chars": 1, "chars": 7,
        "text": "t" * 2_000_000, "summary": {"text": "s" * 2_000_000}, "short": "kept",
    }  # fmt: skip
    fields = json.loads(outgoing_line(event, NOW))
    assert fields["cut"] == {"text": 2_000_000, "summary.text": 2_000_000}
    assert (fields["chars"], fields["short"]) == (7, "kept")


def test_what_cannot_be_cut_does_not_fit_and_keeps_its_line() -> None:
    with pytest.raises(TooLarge) as caught:
        outgoing_line({"type": "x", "numbers": list(range(300_000))}, NOW)
    assert json.loads(caught.value.line)["numbers"][-1] == 299_999
    with pytest.raises(TooLarge):
        outgoing_line({"type": "round.finished", "round": "r" * FIT_BYTES}, NOW)


def test_the_time_is_utc() -> None:
    assert (
        json.loads(outgoing_line({"type": "x"}, datetime(2026, 1, 1, tzinfo=UTC)))["at"] == "2026-01-01T00:00:00.000Z"
    )
