from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from roundwatch.core.rounds import Event, EventError, Unrecognised, parse_event
from roundwatch.core.rounds.events import CallFinished, RoundStarted
from roundwatch.core.rounds.parse import WHY_CHARS, parse_known

FINISHED = {"type": "call.finished", "round": "r", "call": "c", "outcome": "completed"}


def test_unknown_fields_are_ignored_and_events_cannot_be_changed() -> None:
    event = parse_event({**FINISHED, "finish_reason": "stop", "brand_new": 1})
    assert isinstance(event, CallFinished)
    with pytest.raises(ValidationError):
        event.finish_reason = "length"  # type: ignore[misc]


def test_what_is_absent_or_null_is_none_and_never_zero() -> None:
    event = parse_event({**FINISHED, "usage": {"input_tokens": None}})
    assert isinstance(event, CallFinished)
    assert (event.finish_reason, event.total_ms) == (None, None)
    assert event.usage is not None
    assert event.usage.input_tokens is None


def test_an_unknown_type_keeps_its_text_and_its_place() -> None:
    line = '{"type": "call.teleported", "round": "r1", "seq": 7, "x": [1]}'
    assert parse_event(line) == Unrecognised(type="call.teleported", raw=line, round="r1", seq=7)


def test_an_unknown_type_with_unusable_common_fields_is_still_kept() -> None:
    event = parse_event('{"type": "odd", "round": {"no": "id"}}')
    assert isinstance(event, Unrecognised)
    assert event.round is None


def test_moments_of_any_zone_are_kept_in_utc() -> None:
    event = parse_event({"type": "round.started", "round": "r", "at": "2026-03-01T12:00:00.250+02:00"})
    assert isinstance(event, RoundStarted)
    assert event.at is not None
    assert event.at.isoformat() == "2026-03-01T10:00:00.250000+00:00"


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("{", "not JSON"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        ("[1]", "a JSON object is expected"),
        ("null", "a JSON object is expected"),
        ("{}", "'type' is missing"),
        ('{"type": 5}', "'type' is missing"),
        (json.dumps({**FINISHED, "round": ""}), "field 'round'"),
        (json.dumps({**FINISHED, "outcome": "fine"}), "field 'outcome'"),
        (json.dumps({**FINISHED, "usage": {"input_tokens": "many"}}), "field 'usage.input_tokens'"),
        (json.dumps({**FINISHED, "total_ms": float("nan")}), "field 'total_ms'"),
        (json.dumps({**FINISHED, "at": "2026-03-01T12:00:00"}), "field 'at'"),
        (json.dumps({**FINISHED, "at": "0001-01-01T00:00:00+14:00"}), "field 'at'"),
        (json.dumps({**FINISHED, "v": 2}), "field 'v'"),
        ("[" * 200_000, "nested too deeply"),
        ('{"type": "x", "n": ' + "9" * 5000 + "}", "number is too long"),
    ],
)
def test_what_is_no_event_is_refused_with_the_place_and_the_reason(bad: str | bytes, says: str) -> None:
    with pytest.raises(EventError, match="^.*" + says.replace("[", r"\[")):
        parse_event(bad)


def test_an_error_never_quotes_what_was_sent() -> None:
    with pytest.raises(EventError) as caught:
        parse_event({**FINISHED, "outcome": "sk-secret-" + "x" * 10_000})
    assert "sk-secret" not in str(caught.value)
    assert len(str(caught.value)) <= WHY_CHARS


def fault_of(data: str | bytes | dict[str, Any]) -> str:
    try:
        parse_event(data)
    except EventError as error:
        return str(error)
    return "none"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_bytes_give_an_event_or_a_clear_error(data: str | bytes) -> None:
    assert fault_of(data) != ""


@given(st.sampled_from(["call.finished", "tool.refused", "round.started", "thread.supervised", "nonsense"]), st.data())
def test_any_fields_give_an_event_or_a_clear_error(kind: str, data: st.DataObject) -> None:
    names = st.sampled_from(["round", "call", "usage", "at", "cuts", "error", "thread", "why", "seq", "choices"])
    fields: dict[str, Any] = data.draw(st.dictionaries(names, json_values))
    assert fault_of({"type": kind, **fields}).startswith((kind, "none"))


MOMENTS = ["2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00-03:30", "2026-03-01T12:00:00", "0001-01-01T00:00:00+01:00", 9]
moments = st.sampled_from(MOMENTS) | json_values
names = st.sampled_from(["r", "", "\ud800", "\u2028"]) | json_values
types = st.sampled_from(["call.output", "call.finished", "round.warning", "thread.supervised", "odd"]) | json_values
fields_of_events = st.fixed_dictionaries(
    {"type": types},
    optional={
        "round": names, "thread": names, "call": names, "at": moments, "seq": json_values,
        "v": st.sampled_from([1, 2, "1"]),
        "kind": st.sampled_from(["text", "usage", "song"]), "text": names, "chars": json_values, "code": names,
        "outcome": st.sampled_from(["completed", "failed", "odd"]), "usage": json_values, "facts": json_values,
        "state": st.just("idle"), "verdict": st.just("parked"),
        "cuts": st.lists(st.fixed_dictionaries({"at": moments})),
    },
)  # fmt: skip


def read(data: str | bytes | dict[str, Any]) -> Event | str:
    try:
        found = parse_event(data)
    except EventError as error:
        return str(error)
    return found.model_copy(update={"raw": ""}) if isinstance(found, Unrecognised) else found


@given(fields_of_events, st.booleans())
def test_a_text_is_read_like_what_it_decodes_to(fields: dict[str, Any], escaped: bool) -> None:
    line = json.dumps(fields, ensure_ascii=escaped)
    assert repr(read(line)).replace("TzInfo(0)", "UTC") == repr(read(json.loads(line))).replace("TzInfo(0)", "UTC")
    if escaped:
        assert repr(read(line.encode())) == repr(read(line))


@given(st.lists(fields_of_events, max_size=5))
def test_an_array_read_in_one_go_is_what_its_elements_are_or_nothing(batch: list[dict[str, Any]]) -> None:
    each = [read(json.dumps(fields)) for fields in batch]
    found = parse_known(json.dumps(batch))
    if any(isinstance(one, str | Unrecognised) for one in each):
        assert found is None
    elif found is not None:  # half a surrogate pair is read element by element
        assert repr(found) == repr(each)
    else:
        assert "\\ud800" in json.dumps(batch)


@pytest.mark.parametrize("frame", ["", "{", "{}", "null", "[1]", "[[]]", "[{}]", json.dumps(FINISHED), b"[\xff]"])
def test_what_is_no_array_of_known_events_is_left_to_be_read_by_itself(frame: str | bytes) -> None:
    assert parse_known(frame) is None


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("2026-03-01T12:00:00", "field 'at': Input should have timezone info"),
        ("0001-01-01T00:00:00+14:00", "field 'at': Value error, the time lies outside the years 1 to 9999"),
        ([], "field 'at': Input should be a valid datetime"),
    ],
)
@pytest.mark.parametrize("write", [json.dumps, dict], ids=["text", "object"])
def test_a_wrong_moment_is_one_fault(write: Callable[[Any], Any], at: Any, says: str) -> None:
    assert read(write({**FINISHED, "at": at})) == f"call.finished: {says}"


def test_a_place_is_told_once() -> None:
    with pytest.raises(EventError, match=r"^not JSON: Invalid control character at character 10$"):
        parse_event('{"type":"\x01"}')
