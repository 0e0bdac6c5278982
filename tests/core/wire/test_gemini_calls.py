from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds.events import CallOutput, Event, ToolRequested
from roundwatch.core.wire import gemini_calls
from roundwatch.core.wire.answer import Answer
from roundwatch.core.wire.gemini_calls import GeminiCalls
from roundwatch.core.wire.shapes import is_list, is_object
from roundwatch.core.wire.tool_reader import ToolReader

from tests.core.wire.bodies import Json


class Stage:
    """Function calls of candidate 0, and what was told of them."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.answer = Answer(round_="r", call="c")
        self.calls = GeminiCalls(ToolReader(self.answer, lambda _, why: self.faults.append(why)))
        self.events: list[Event] = []

    def read(self, *calls: Json) -> Stage:
        for call in calls:
            self.calls.read(0, call, 0)
        self.events += self.answer.drain()
        return self

    def told(self) -> list[tuple[str, str | None, bool | None]]:
        self.answer.end_tools()
        self.events += self.answer.drain()
        return [(one.name, one.arguments, one.complete) for one in self.events if isinstance(one, ToolRequested)]


def begin(name: str = "f") -> Json:
    return {"name": name, "willContinue": True}


def arg(path: str, **value: Any) -> Json:
    return {"partialArgs": [{"jsonPath": path, **value}], "willContinue": True}


def test_a_whole_call_is_told_at_once_and_may_have_no_arguments() -> None:
    assert Stage().read({"name": "f", "args": {"a": 1}}, {"name": "g"}).told() == [
        ("f", '{"a":1}', True),
        ("g", "", True),
    ]


def test_streamed_text_is_joined_and_output_as_it_comes() -> None:
    stage = Stage().read(begin(), arg("$.id", stringValue="A", willContinue=True), arg("$.id", stringValue="B"), {})
    assert stage.told() == [("f", '{"id":"AB"}', True)]
    assert [one.text for one in stage.events if isinstance(one, CallOutput)] == ["A", "B"]


def test_paths_lead_through_objects_arrays_and_quoted_names() -> None:
    stage = Stage().read(
        begin(),
        arg("$.a.b[0]", numberValue=1),
        arg("$.a.b[1].c", boolValue=True),
        arg("$['odd key']", nullValue="NULL_VALUE"),
        arg('$["quo\\"te"]', stringValue=""),
        {},
    )
    assert stage.told() == [("f", '{"a":{"b":[1,{"c":true}]},"odd key":null,"quo\\"te":""}', True)]


def test_the_empty_last_piece_may_be_missing_before_the_next_call() -> None:
    stage = Stage().read(begin("f"), arg("$.a", stringValue="x"), begin("g"), {})
    assert sorted(stage.told()) == [("f", '{"a":"x"}', True), ("g", "", True)]


@pytest.mark.parametrize(("whole", "complete"), [(True, True), (False, False)])
def test_a_call_that_still_streams_at_the_finish_word_is_as_whole_as_that_says(whole: bool, complete: bool) -> None:
    stage = Stage().read(begin(), arg("$.a", stringValue="x"))
    stage.calls.seal(0, whole=whole)
    stage.answer.finish("STOP")
    assert stage.told() == [("f", '{"a":"x"}', complete)]


def test_a_call_that_still_streams_at_the_end_of_the_body_shows_what_came_and_is_not_whole() -> None:
    stage = Stage().read(begin(), arg("$.a", stringValue="x"))
    stage.calls.seal_all()
    assert stage.told() == [("f", '{"a":"x"}', False)]


def test_arguments_in_the_first_piece_go_before_the_streamed_ones() -> None:
    stage = Stage().read({**begin(), "args": {"a": 1}}, arg("$.b", numberValue=2), {})
    assert stage.told() == [("f", '{"a":1,"b":2}', True)]


def test_paths_that_contradict_each_other_leave_the_later_one() -> None:
    stage = Stage().read(begin(), arg("$.a", stringValue="x"), arg("$.a.b", numberValue=1), {})
    assert stage.told() == [("f", '{"a":{"b":1}}', True)]


@pytest.mark.parametrize("path", ["", "a", "$", "$a", "$.", "$[x]", "$[99999999]", "$" + ".a" * 50])
def test_a_path_that_leads_nowhere_is_counted(path: str) -> None:
    stage = Stage().read(begin(), arg(path, stringValue="x"), {})
    assert stage.told() == [("f", "", False)]
    assert stage.faults == ["a partial argument without a path or value"]


def test_an_index_far_away_takes_no_room() -> None:
    assert Stage().read(begin(), arg("$.a[999999]", numberValue=1), {}).told() == [("f", '{"a":[1]}', True)]


def test_pieces_without_a_beginning_or_of_another_shape_are_counted() -> None:
    stage = Stage().read({}, arg("$.a", stringValue="x"))
    assert stage.faults == ["a piece of a function call that never began"]
    assert Stage().read(begin(), {"partialArgs": [7, {"jsonPath": "$.a"}]}).faults == [
        "a partial argument without a path or value"
    ] * 2  # fmt: skip


def test_what_outgrows_the_bounds_is_counted_and_the_call_not_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gemini_calls, "MAX_ARGUMENTS", 4)
    stage = Stage().read(begin(), arg("$.a", stringValue="1234"), arg("$.a", stringValue="5"), {})
    assert stage.told() == [("f", '{"a":"1234"}', False)]
    assert stage.faults == ["tool arguments longer than are kept"]


VALUES = st.recursive(
    st.text(max_size=5) | st.booleans() | st.integers(-99, 99),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.from_regex("[a-z]{1,3}", fullmatch=True), inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.from_regex("[a-z]{1,3}", fullmatch=True), VALUES, min_size=1, max_size=3)


def streamed(value: Any, path: str = "$") -> list[Json]:
    if is_object(value):
        return [piece for key, inner in value.items() for piece in streamed(inner, f"{path}.{key}")]
    if is_list(value):
        return [piece for at, inner in enumerate(value) for piece in streamed(inner, f"{path}[{at}]")]
    if isinstance(value, bool):
        return [arg(path, boolValue=value)]
    if isinstance(value, int):
        return [arg(path, numberValue=value)]
    half = len(value) // 2
    return [arg(path, stringValue=value[:half], willContinue=True), arg(path, stringValue=value[half:])]


@given(OBJECTS)
def test_arguments_streamed_leaf_by_leaf_are_the_arguments(value: Json) -> None:
    told = Stage().read(begin(), *streamed(value), {}).told()
    assert json.loads(told[0][1] or "") == value
