from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies.tool_digest import MAX_ARGUMENT_CHARS, MAX_ARGUMENTS, UNNAMED, tool_line


def line(**arguments: object) -> str:
    return tool_line({"name": "write", "input": arguments})


def test_arguments_are_shown_by_name_in_order() -> None:
    assert line(path="/a", n=3, on=True, where={"x": [1]}) == 'write(path=/a, n=3, on=true, where={"x": [1]})'


@pytest.mark.parametrize("empty", [None, "", False, [], {}, ()])
def test_arguments_that_say_nothing_are_left_out(empty: object) -> None:
    assert line(a=empty, b=1) == "write(b=1)"


def test_a_zero_says_something() -> None:
    assert line(offset=0) == "write(offset=0)"


def test_at_most_six_are_shown_and_empty_ones_take_no_place() -> None:
    given_ = {f"e{n}": "" for n in range(9)} | {f"a{n}": n for n in range(MAX_ARGUMENTS)}
    assert line(**given_) == "write(a0=0, a1=1, a2=2, a3=3, a4=4, a5=5)"
    assert line(**given_, more=1, most=2).endswith("a5=5, … 2 more)")


@pytest.mark.parametrize(("length", "cut"), [(119, False), (120, False), (121, True), (100_000, True)])
def test_a_value_is_cut_at_120_characters_the_ellipsis_included(length: int, cut: bool) -> None:
    shown = line(body="z" * length).removeprefix("write(body=").removesuffix(")")
    assert len(shown) == min(length, MAX_ARGUMENT_CHARS)
    assert shown.endswith("…") is cut


def test_a_value_of_many_lines_stays_one_line() -> None:
    assert line(body="one\n2. fake(x=1)\r\n\tend") == "write(body=one 2. fake(x=1) end)"


@pytest.mark.parametrize("name", [None, "", "  ", 5, ["x"]])
def test_a_call_without_a_name_is_still_a_call(name: object) -> None:
    assert tool_line({"name": name, "input": {"a": 1}}) == f"{UNNAMED}(a=1)"


@pytest.mark.parametrize("block", [{}, {"input": None}, {"input": "{}"}, {"arguments": {"a": 1}}])
def test_arguments_are_read_under_input_only(block: dict[str, object]) -> None:
    assert tool_line({"name": "grep", **block}) == "grep()"


def test_a_value_that_is_no_json_is_named_by_its_type() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert line(a={1, 2}, b=deep, c=object()) == "write(a=(set), b=(list), c=(object))"


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text()), max_size=9), st.text())
def test_the_digest_is_always_one_short_line(arguments: dict[str, object], name: str) -> None:
    told = tool_line({"name": name, "input": arguments})
    assert len(told.splitlines()) == 1
    assert len(told) <= MAX_ARGUMENT_CHARS + MAX_ARGUMENTS * (2 * MAX_ARGUMENT_CHARS + 3) + 20
