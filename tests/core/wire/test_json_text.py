from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.wire.json_text import Unread, compact, load, load_next, salvage, well_formed

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("{} {}", "more after"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "a number is too long"),
        ("", "not JSON"),
    ],
)
def test_what_is_no_json_is_told_and_not_raised(text: str, why: str) -> None:
    found = load(text)
    assert isinstance(found, Unread)
    assert found.why.startswith(why)


def test_control_characters_in_strings_are_read() -> None:
    assert load('"a\tb"') == "a\tb"


@pytest.mark.parametrize("text", ['{"a": "b', '{"a": tr', '{"a": -', '{"a": "\\u00', '{"a"', "[1,", '{"a": {"b": 1'])
def test_a_text_that_just_stops_is_told_from_a_wrong_one(text: str) -> None:
    found = load_next(text, 0)
    assert isinstance(found, Unread)
    assert found.ended


@pytest.mark.parametrize("text", ["{a: 1}", '{"a" 1}', "[1 2]", '{"a": "\\x"}'])
def test_a_wrong_text_is_not_taken_for_a_cut_one(text: str) -> None:
    found = load_next(text, 0)
    assert isinstance(found, Unread)
    assert not found.ended


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"a": "hel', {"a": "hel"}),
        ('{"a": [1, {"b": "x", "c": "y\\', {"a": [1, {"b": "x", "c": "y"}]}),
        ('{"a": "\\\\', {"a": "\\"}),
        ('{"a": "\\u00e', {"a": ""}),
        ('{"a": "x\\ud83d', {"a": "x"}),
        ('{"a": "x\\ud83d\\ude', {"a": "x"}),
        ('{"n": 12', {}),
        ('{"n": 12, "m": tru', {"n": 12}),
        ('{"n": 12, "ke', {"n": 12}),
        ('{"n": 12} x', {"n": 12}),
        ("nul", None),
        ('{"n": 12, "finish_reason": "stop', {"n": 12}),
        ('{"status": "incomplete", "type": "mess', {"status": "incomplete"}),
    ],
)
def test_what_arrived_before_a_cut_is_kept(text: str, kept: Any) -> None:
    assert salvage(text, 0) == kept


def test_a_cut_text_is_followed_down_a_bounded_number_of_levels() -> None:
    kept = compact(salvage("[" * 50_000, 0))
    assert 10 < kept.count("[") < 100


@given(JSON, st.data())
def test_salvaging_a_cut_text_never_raises_and_a_cut_string_is_a_beginning(value: Any, data: st.DataObject) -> None:
    text = json.dumps({"s": "begin", "v": value, "t": "the end"})
    kept = salvage(text[: data.draw(st.integers(0, len(text)))], 0)
    assert kept is None or "the end".startswith(kept.get("t", ""))
    if kept is not None and "t" in kept:
        assert kept["v"] == value


@given(JSON)
def test_compact_text_reads_back_the_same(value: Any) -> None:
    assert load(compact(value)) == value


def test_compact_text_has_no_blanks_and_keeps_letters() -> None:
    assert compact({"ä": [1, 2], "b": {}}) == '{"ä":[1,2],"b":{}}'


def test_a_lone_surrogate_is_replaced_and_all_else_kept() -> None:
    assert well_formed("a\ud83db 🚲") == "a�b 🚲"
