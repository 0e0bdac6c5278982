from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import ParsedArguments, parse_args

SECRET = "sk-very-secret"

json_objects = st.dictionaries(
    st.text(max_size=5),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=5,
    ),
    max_size=4,
)


@given(json_objects, st.data())
def test_any_split_of_an_object_parses_to_it(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    parsed = parse_args([text[:at], text[at:]])
    assert parsed.ok
    assert parsed.args == value
    assert parsed.length == len(text)
    assert (parsed.error, parsed.offset, parsed.log_line, parsed.model_text) == (None, None, None, None)


@pytest.mark.parametrize("fragments", [[], [""], ["", ""], [" ", "\n"]])
def test_nothing_received_is_an_empty_map_without_a_complaint(fragments: list[str]) -> None:
    parsed = parse_args(fragments)
    assert parsed.ok
    assert parsed.args == {}
    assert parsed.log_line is None


def test_cut_arguments_give_an_empty_map_and_tell_where_they_broke() -> None:
    parsed = parse_args(['{"path"', ': "/a'])
    assert (parsed.ok, parsed.args, parsed.length, parsed.error, parsed.offset) == (
        False, {}, 12, "JSONDecodeError", 9,
    )  # fmt: skip
    assert parsed.log_line == ("tool arguments are no JSON object: JSONDecodeError, offset 9, 12 characters received")


@pytest.mark.parametrize(
    ("text", "error"),
    [("[1]", "list in an object's place"), ("null", "NoneType in an object's place"),
     ('"x"', "str in an object's place"), ("5", "int in an object's place"), ("NaN", "ValueError"),
     ('{"a": Infinity}', "ValueError"), ("[" * 200_000, "RecursionError"), ('{"a": ' + "9" * 5000 + "}", "ValueError")],
)  # fmt: skip
def test_what_is_no_object_is_told_by_its_kind_without_an_offset(text: str, error: str) -> None:
    parsed = parse_args([text])
    assert (parsed.ok, parsed.args, parsed.error, parsed.offset) == (False, {}, error, None)
    assert parsed.log_line is not None
    assert "offset" not in parsed.log_line


@pytest.mark.parametrize(
    "text",
    [
        f'{{"token": {SECRET}}}',
        f'{{"token": "{SECRET}',
        f'"{SECRET}"',
        f"{SECRET}",
        f'{{"{SECRET}": NaN}}',
        f'["{SECRET}"]',
    ],
)
def test_no_part_of_a_failure_quotes_the_arguments(text: str) -> None:
    parsed = parse_args([text])
    assert not parsed.ok
    for said in (parsed.log_line, parsed.model_text, parsed.error, repr(parsed)):
        assert said is not None
        assert SECRET not in said


def test_good_arguments_stay_out_of_the_repr_too() -> None:
    assert SECRET not in repr(parse_args([f'{{"token": "{SECRET}"}}']))


def test_the_model_is_told_offset_and_length() -> None:
    told = ParsedArguments({}, ok=False, length=23, error="JSONDecodeError", offset=21).model_text
    assert told is not None
    assert "23 characters, offset 21" in told
    assert "not run" in told
