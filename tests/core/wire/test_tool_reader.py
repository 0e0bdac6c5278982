from __future__ import annotations

import pytest
from roundwatch.core.rounds.events import Event, ToolRequested
from roundwatch.core.wire import tools
from roundwatch.core.wire.answer import Answer
from roundwatch.core.wire.tool_reader import ToolReader


def reader() -> tuple[ToolReader, list[tuple[int, str]]]:
    faults: list[tuple[int, str]] = []
    return ToolReader(Answer(round_="r", call="c"), lambda at, why: faults.append((at, why))), faults


def requested(events: list[Event]) -> list[tuple[str, str | None, bool | None]]:
    return [(one.name, one.arguments, one.complete) for one in events if isinstance(one, ToolRequested)]


def test_a_whole_call_is_told_at_once() -> None:
    asked, faults = reader()
    asked.whole({"a": 1}, id_="t1", name="ls", offset=0)
    asked.whole('{"b": 2}', id_="", name="cat", offset=0)
    asked.whole(None, id_="", name="pwd", offset=0)
    assert requested(asked.answer.drain()) == [
        ("ls", '{"a":1}', True), ("cat", '{"b": 2}', True), ("pwd", "", True),
    ]  # fmt: skip
    assert faults == []


def test_a_call_that_ends_twice_is_told_once() -> None:
    asked, _ = reader()
    tool = asked.open(0, id_="t1", name="ls", offset=0)
    asked.end(tool)
    asked.end(tool)
    asked.end(None)
    assert requested(asked.answer.drain()) == [("ls", "", True)]


def test_too_many_calls_and_too_long_arguments_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "MAX_TOOLS", 1)
    monkeypatch.setattr(tools, "MAX_ARGUMENTS", 3)
    asked, faults = reader()
    tool = asked.open(0, id_="", name="ls", offset=1)
    assert tool is not None
    asked.arguments(tool, "1234", 2)
    assert asked.open(1, id_="", name="cat", offset=3) is None
    asked.whole("", id_="", name="cat", offset=4)
    assert faults == [
        (2, "tool arguments longer than are kept"),
        (3, "more tool calls than are followed"),
        (4, "more tool calls than are followed"),
    ]
