from __future__ import annotations

import pytest
from roundwatch.tui.list_position import ListPosition
from roundwatch.tui.round_rows import RoundTree

HEIGHT = 5


@pytest.fixture
def tree() -> RoundTree:
    tree = RoundTree()
    for number in range(20):
        tree.place(f"r{number}", None)
    return tree


@pytest.fixture
def position(tree: RoundTree) -> ListPosition:
    return ListPosition(tree)


def shown(position: ListPosition) -> list[str]:
    return [row.id for row in position.window(HEIGHT)[1]]


def test_it_follows_the_newest_from_the_start(tree: RoundTree, position: ListPosition) -> None:
    tree.place("new", None)
    assert position.selected == "new"
    assert shown(position)[0] == "new"


def test_a_selection_further_down_stays_with_its_window(tree: RoundTree, position: ListPosition) -> None:
    position.select(7, HEIGHT)
    before = (position.selected, shown(position))
    for number in range(30):
        tree.place(f"new{number}", None)
        tree.place(f"sub{number}", f"new{number}")
    assert (position.selected, shown(position)) == before
    assert position.row == 67


def test_returning_to_the_newest_follows_again(tree: RoundTree, position: ListPosition) -> None:
    position.select(3, HEIGHT)
    position.select(-5, HEIGHT)
    assert position.following
    tree.place("new", None)
    assert position.selected == "new"


def test_scrolling_holds_the_selection_and_the_window(tree: RoundTree, position: ListPosition) -> None:
    position.scroll(4, HEIGHT)
    before = shown(position)
    tree.place("new", None)
    assert shown(position) == before
    assert position.selected == "r19"
    assert not position.following


def test_a_window_never_goes_past_the_last_row(position: ListPosition) -> None:
    position.scroll(1000, HEIGHT)
    assert shown(position) == ["r4", "r3", "r2", "r1", "r0"]
    position.select(1000, HEIGHT)
    assert position.selected == "r0"


def test_holding_keeps_the_newest_of_now(tree: RoundTree, position: ListPosition) -> None:
    position.hold()
    tree.place("new", None)
    assert position.selected == "r19"
    position.follow()
    assert position.selected == "new"


def test_an_empty_list_has_nothing_selected() -> None:
    position = ListPosition(RoundTree())
    position.select(3, HEIGHT)
    position.scroll(2, HEIGHT)
    position.hold()
    assert position.selected is None
    assert position.window(HEIGHT) == (0, [])
    assert position.row == 0
