from __future__ import annotations

from roundwatch.core.feeds.asked import ToolResult
from roundwatch.core.feeds.pending_tools import MOST, Pending, PendingTools


class Counted(str):
    """A name that counts how often anybody compares it."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def result(id_: str | None, name: str | None = None) -> ToolResult:
    return ToolResult(id_, name, "")


def test_a_result_finds_its_call_by_its_id_and_else_by_its_name_the_oldest_first() -> None:
    tools = PendingTools()
    given, made, later = Pending("c1", "a", "x"), Pending("c1", "made-0", "x", False), Pending("c2", "a", "y")
    for tool in (given, made, later):
        assert tools.add(tool)

    assert tools.answered(result("a")) is given
    assert tools.answered(result("unknown", "x")) is made
    assert tools.answered(result("unknown", "y")) is None
    assert tools.answered(result(None, "y")) is later
    assert tools.answered(result(None)) is given
    tools.remove(given)
    assert tools.answered(result("a")) is later
    tools.remove(later)
    assert tools.answered(result("a", "z")) is None
    assert list(tools) == [made]


def test_a_later_word_on_a_call_corrects_its_name() -> None:
    tools = PendingTools()
    tools.add(Pending("c1", "a", "rea"))

    assert not tools.add(Pending("c1", "a", "read"))
    assert [(tool.name, tool.told_name) for tool in tools] == [("read", "read")]


def test_one_more_tool_call_costs_the_same_however_many_there_are_and_they_are_bounded() -> None:
    tools = PendingTools()
    for n in range(2 * MOST):
        tools.add(Pending("c1", Counted(n), "x"))
    for n in range(2 * MOST):
        tools.answered(result(Counted(n), "y"))

    assert len(list(tools)) == MOST
    assert Counted.compared < 40 * MOST
