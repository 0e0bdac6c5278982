from __future__ import annotations

import pytest
from roundwatch.core.rounds.events import ToolRequested
from roundwatch.core.wire import tools as tools_module
from roundwatch.core.wire.tools import ToolBook


def test_arguments_that_outgrow_what_is_kept_make_the_call_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools_module, "MAX_ARGUMENTS", 4)
    told: list[ToolRequested] = []
    book = ToolBook(round_="r", call="c", emit=told.append)
    tool = book.open("k", id_="a", name="x")
    assert tool is not None
    assert book.add(tool, "{}")
    assert not book.add(tool, "   ")
    book.tell(tool, cut=False)
    assert [(event.arguments, event.complete) for event in told] == [("{}", False)]


def test_the_same_state_is_told_once_and_a_changed_one_again() -> None:
    told: list[ToolRequested] = []
    book = ToolBook(round_="r", call="c", emit=told.append)
    tool = book.open("k", id_=None, name="x", server=True)
    assert tool is not None
    book.tell(tool, cut=False)
    book.tell(tool, cut=False)
    book.tell(tool, cut=True)
    assert [(event.complete, event.server, event.id_given) for event in told] == [
        (True, True, False),
        (False, True, False),
    ]


def test_an_id_of_ours_never_takes_a_given_one() -> None:
    book = ToolBook(round_="r", call="c", emit=lambda _: None)
    ids = [tool.id for id_ in ("c:2", None, "c:2") if (tool := book.open(object(), id_=id_, name="x")) is not None]
    assert len(set(ids)) == 3
