from __future__ import annotations

from collections.abc import Callable

from roundwatch.tui.filter_subject import FilterSubject
from roundwatch.tui.round_list import AT_ONCE
from roundwatch.tui.sort_order import SortOrder
from roundwatch.tui.watched import Watched

from tests.scenes import NOW, call, end, event, everything, received, start
from tests.tui.filtering import a_filter, watching


def always() -> bool:
    return True


def shown(watched: Watched) -> list[str]:
    rows = watched.shown.rows
    return [rows.at(row).id for row in range(len(rows))]


def filtered(watched: Watched, text: str, order: SortOrder = SortOrder.NEWEST) -> list[str]:
    watched.show(a_filter(text) if text else None, order)
    watched.settle(NOW, always)
    return shown(watched)


def take(watched: Watched, *lines: list[dict[str, object]]) -> None:
    for each in lines:
        for item in received(each, 1000):
            watched.take(item, 1.0)


def test_without_filter_and_order_the_whole_tree_is_shown() -> None:
    watched = watching(everything())
    assert watched.shown.rows is watched.tree
    filtered(watched, "is:answer")
    watched.show(None, SortOrder.NEWEST)
    assert watched.shown.rows is watched.tree
    assert watched.shown.is_settled


def test_a_round_comes_and_goes_as_events_change_it() -> None:
    watched = watching(everything())
    assert filtered(watched, "is:running") == ["d0cb3e56"]
    take(watched, start("new", 70))
    watched.settle(NOW, always)
    assert shown(watched) == ["new", "d0cb3e56"]
    take(watched, end("d0cb3e56", 75))
    assert not watched.shown.is_settled
    watched.settle(NOW, always)
    assert shown(watched) == ["new"]
    assert watched.shown.is_settled


def counting(watched: Watched, looked: list[str]) -> Callable[[str], FilterSubject | None]:
    def subject(id_: str) -> FilterSubject | None:
        looked.append(id_)
        return watched.subject(id_, NOW)

    return subject


def test_only_changed_rounds_are_looked_at_and_each_once() -> None:
    watched = watching(everything())
    filtered(watched, "is:running")
    take(watched, *(event("call.output", "d0cb3e56", 70, call="c2", kind="text", text="x") for _ in range(50)))
    looked: list[str] = []
    watched.shown.settle(counting(watched, looked), always)
    assert looked == ["d0cb3e56"]


def test_a_long_list_is_looked_at_in_pieces_the_newest_first() -> None:
    lines = [line for number in range(AT_ONCE * 3) for line in start(f"r{number}", number / 10)]
    watched = watching(lines)
    watched.show(a_filter("worker"), SortOrder.NEWEST)
    watched.settle(NOW, lambda: False)
    assert len(watched.shown.rows) == AT_ONCE
    assert shown(watched)[0] == f"r{AT_ONCE * 3 - 1}"
    assert not watched.shown.is_settled
    watched.settle(NOW, always)
    assert len(watched.shown.rows) == AT_ONCE * 3


def test_running_rounds_are_looked_at_again_when_their_age_matters() -> None:
    watched = watching(start("r", 0))
    assert filtered(watched, "total:>2min") == []
    watched.age()
    watched.settle(NOW.replace(minute=30), always)
    assert shown(watched) == ["r"]


def test_orders_sort_by_what_they_are_called() -> None:
    lines = [
        *start("a", 0, "zoe"), *call("a", "c", 0, first=1, total=2, usage=(10, 1), text="x"), *end("a", 30),
        *start("b", 1, "adam"), *call("b", "c", 1, first=1, total=2, usage=(None, None), finish="length"), *end("b", 5),
        *start("c", 2, None), *call("c", "c", 2, first=1, total=2, usage=(500, 1)),
        *call("c", "d", 4, first=1, total=2, usage=(500, 1), text="x"), *end("c", 9),
    ]  # fmt: skip
    watched = watching(lines)
    assert filtered(watched, "", SortOrder.LONGEST) == ["a", "c", "b"]
    assert filtered(watched, "", SortOrder.TOKENS) == ["c", "a", "b"]
    assert filtered(watched, "", SortOrder.CALLS) == ["c", "b", "a"]
    assert filtered(watched, "", SortOrder.AGENT) == ["b", "a", "c"]
    assert filtered(watched, "", SortOrder.PROBLEMS)[0] == "b"
    assert filtered(watched, "", SortOrder.NEWEST) == ["c", "b", "a"]


def test_the_selected_round_stays_selected_when_the_rows_change() -> None:
    watched = watching(everything())
    watched.position.select_round("77e0c1b2", 10)
    filtered(watched, "agent:triage|writer")
    assert watched.position.selected == "77e0c1b2"
    assert watched.position.row == 1
    filtered(watched, "agent:writer")
    assert watched.position.selected == "77e0c1b2"
    assert watched.position.row == 0
    watched.show(None, SortOrder.NEWEST)
    assert watched.shown.rows.at(watched.position.row).id == "77e0c1b2"


def test_the_next_problem_is_found_among_the_rows_that_are_shown() -> None:
    watched = watching(everything())
    rows = filtered(watched, "agent:worker")
    assert [watched.tree.is_problem(id_) for id_ in rows] == [True, True, True, False]
    assert watched.shown.rows.problem_from(0, 1) == rows[1]
    assert watched.shown.rows.problem_from(2, 1) is None
    assert watched.shown.rows.problem_from(3, -1) == rows[2]
