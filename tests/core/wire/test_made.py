from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import OutputKind, Usage
from roundwatch.core.rounds.events import CallOutput, CallUsage, Event
from roundwatch.core.wire import WIRES
from roundwatch.core.wire.made import Like

from tests.benchmarks.wire_bodies import bodies
from tests.core.wire.bodies import Json, chat, chunk, sse, told
from tests.core.wire.more_bodies import ALL

LONG = {f"{wire}, long": (wire, body) for wire, (body, _) in bodies().items()}
EVERY = {**ALL, **LONG}
PATTERN = CallOutput(round="r", call="c", kind=OutputKind.TEXT, text="one")


def assert_same_as_checked(event: Event) -> None:
    checked = type(event).model_validate(event.model_dump(exclude_unset=True))
    assert event == checked
    assert event.model_fields_set == checked.model_fields_set
    assert event.model_dump_json() == checked.model_dump_json()
    assert list(event.__dict__) == list(checked.__dict__)


def test_every_wire_has_a_long_body() -> None:
    assert {wire for wire, _ in LONG.values()} == set(WIRES)


@pytest.mark.parametrize("name", EVERY)
def test_what_a_translator_makes_is_what_a_check_would_make_of_it(name: str) -> None:
    wire, body = EVERY[name]
    events = told(wire, body).events
    for event in events:
        assert_same_as_checked(event)
    assert name not in LONG or len(events) > len(WIRES) * 50


@given(st.sampled_from(sorted(ALL)), st.data())
def test_a_damaged_body_makes_no_event_that_a_check_would_refuse(name: str, data: st.DataObject) -> None:
    wire, body = ALL[name]
    at = data.draw(st.integers(0, len(body)))
    scrap = data.draw(st.sampled_from((b"", b"\\ud800", b'"', b"null", b"-1", b"1e400", b"true", b"\x00", b"\xff")))
    for event in told(wire, body[:at] + scrap + body[at + len(scrap) :]).events:
        assert_same_as_checked(event)


def test_half_a_character_is_mended_in_later_pieces_too() -> None:
    found = chat(sse(chunk({"content": "a"}), chunk({"content": "b"}), '{"choices":[{"delta":{"content":"\\ud83d"}}]}'))
    assert found.said() == "ab\ufffd"


def test_numbers_that_are_no_counts_stay_unreported_in_later_reports_too() -> None:
    usages = [{"prompt_tokens": 3}, {"completion_tokens": "7"}, {"completion_tokens": 1.5}, {"completion_tokens": 5}]
    chunks: list[Json] = [{"choices": [], "usage": usage} for usage in usages]
    found = chat(sse(*chunks))
    assert [one.usage for one in found.usages] == [Usage(input_tokens=3), Usage(input_tokens=3, output_tokens=5)]


def test_a_made_value_is_frozen_copied_hashed_and_pickled_like_any_other() -> None:
    made = Like(PATTERN).make("text", "two")
    assert made == PATTERN.model_copy(update={"text": "two"})
    assert hash(made) == hash(CallOutput(round="r", call="c", kind=OutputKind.TEXT, text="two"))
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(ValueError, match="frozen"):
        made.text = "three"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def test_copies_of_made_values_leave_their_pattern_alone() -> None:
    like = Like(PATTERN)
    like.make("text", "two").model_copy(update={"chars": 3})
    assert like.make("text", "four").model_fields_set == {"round", "call", "kind", "text"}
    assert PATTERN.text == "one"


def test_a_whole_state_takes_the_place_of_the_pattern() -> None:
    usage = CallUsage(round="r", call="c", usage=Usage(output_tokens=1))
    assert Like(usage).of({**usage.__dict__, "call": "d"}) == usage.model_copy(update={"call": "d"})
