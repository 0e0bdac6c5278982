from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub.errors import FrameError
from roundwatch.core.hub.lines import one_line, split_frame, string_member, with_member, with_seq, without_member

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=4)


@given(st.lists(OBJECTS, max_size=4), st.sampled_from([None, 1]), st.booleans())
def test_an_array_is_cut_into_exactly_the_texts_it_was_joined_from(
    values: list[object], indent: int | None, ascii_only: bool
) -> None:
    texts = [json.dumps(value, indent=indent, ensure_ascii=ascii_only) for value in values]
    pieces = split_frame(" [\n" + " ,\t".join(texts) + "\r\n] ")
    assert [piece.text for piece in pieces] == texts
    assert [piece.value for piece in pieces] == values


@given(OBJECTS)
def test_a_single_object_keeps_its_own_text(value: object) -> None:
    text = json.dumps(value)
    assert [piece.text for piece in split_frame(f"\n{text} ")] == [text]


@pytest.mark.parametrize("text", ["", "   ", "hello", "{", "[1,", "[1 2]", "[1,]", "{} {}", "[] x", "]"])
def test_what_is_not_json_is_one_bad_frame(text: str) -> None:
    with pytest.raises(FrameError, match="not JSON"):
        split_frame(text)


@pytest.mark.parametrize("bad", ["[" * 20_000 + "]" * 20_000, "9" * 10_000, "NaN", '{"a":-Infinity}'])
def test_an_element_that_cannot_be_decoded_does_not_cost_its_neighbours(bad: str) -> None:
    pieces = split_frame(f'[{{"a":"]}},["}}, {bad} ,{{"b":2}}]')
    assert [piece.fault is None for piece in pieces] == [True, False, True]
    assert pieces[0].value == {"a": "]},["}
    assert pieces[2].text == '{"b":2}'


def test_brackets_that_do_not_match_are_a_bad_frame_also_when_they_are_deep() -> None:
    with pytest.raises(FrameError, match="brackets"):
        split_frame("[" * 20_000)


@given(OBJECTS.filter(bool), st.text(max_size=5))
def test_a_member_is_taken_out_and_the_others_keep_their_text(value: dict[str, object], name: str) -> None:
    text = json.dumps(value, indent=1)
    rest = json.loads(without_member(text, name))
    assert rest == {key: item for key, item in value.items() if key != name}


def test_every_spelling_and_repetition_of_the_member_goes() -> None:
    assert without_member('{"seq":1, "a":1.50, "s\\u0065q":[2] ,"b":{"seq":3}}', "seq") == '{"a":1.50,"b":{"seq":3}}'


def test_members_are_put_first_without_touching_the_rest() -> None:
    assert with_member('{"a":1.50}', "id", 'p"1') == '{"id":"p\\"1","a":1.50}'
    assert with_seq('{"a":"ü"}'.encode(), 7) == '{"seq":7,"a":"ü"}'.encode()


def test_line_ends_between_tokens_become_spaces() -> None:
    assert one_line('{\r\n"a":\n"\\n"}') == '{  "a": "\\n"}'


@pytest.mark.parametrize("bad", ["[" * 20_000 + "]" * 20_000, "9" * 10_000, "NaN"], ids=["deep", "long", "NaN"])
def test_a_string_member_is_found_beside_one_that_cannot_be_decoded(bad: str) -> None:
    text = f'{{"a":{{"id":"inner"}},"b":["id","x"],"c":"id","bad":{bad},"id" : "p\\u00e9:1","n":5}}'
    assert string_member(text, "id") == "pé:1"
    assert string_member(text, "n") is None
    assert string_member(text, "x") is None


@given(OBJECTS)
def test_a_string_member_is_what_decoding_says(value: dict[str, object]) -> None:
    plain = {name: member for name, member in value.items() if json.dumps(name)[1:-1] == name}
    for name, member in plain.items():
        assert string_member(json.dumps(plain), name) == (member if isinstance(member, str) else None)
