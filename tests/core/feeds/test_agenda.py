from __future__ import annotations

import math
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.agenda import TICK_S, Agenda


@dataclass(eq=False)
class Entry:
    name: str
    due: int | None = None


PLANS = st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 1)), max_size=30)


@given(PLANS, st.floats(0, 1))
def test_what_is_planned_comes_back_once_neither_early_nor_a_tick_late(
    plans: list[tuple[str, float]], until_s: float
) -> None:
    agenda, entries = Agenda[Entry](), {name: Entry(name) for name in "abcd"}
    earliest: dict[str, float] = {}
    for name, due_s in plans:
        agenda.plan(entries[name], due_s)
        earliest[name] = min(due_s, earliest.get(name, math.inf))

    found: list[str] = []
    while (entry := agenda.pop(until_s)) is not None:
        found.append(entry.name)

    assert len(found) == len(set(found))
    assert all(earliest[name] <= until_s for name in found)
    assert set(found) >= {name for name, due_s in earliest.items() if due_s + TICK_S < until_s}
    assert agenda.next_s() > until_s


def test_what_is_due_in_one_tick_comes_in_the_order_of_its_planning() -> None:
    agenda, entries = Agenda[Entry](), [Entry(name) for name in "abc"]
    for entry, due_s in zip(entries, (0.029, 0.001, 0.01), strict=True):
        agenda.plan(entry, due_s)

    assert [agenda.pop(1.0) for _ in range(4)] == [*entries, None]
    assert agenda.next_s() == math.inf


def test_what_was_taken_out_may_be_planned_again_and_comes_once_more() -> None:
    agenda, entry = Agenda[Entry](), Entry("a")
    agenda.plan(entry, 0.5)
    agenda.plan(entry, 0.1)
    assert agenda.pop(0.2) is entry
    agenda.plan(entry, 0.5)

    assert agenda.pop(1.0) is entry
    assert agenda.pop(1.0) is None


def test_everything_comes_at_once_in_the_order_of_its_planning_except_one() -> None:
    agenda, late, early, asking = Agenda[Entry](), Entry("late"), Entry("early"), Entry("asking")
    for entry, due_s in ((late, 0.9), (asking, 0.2), (early, 0.1)):
        agenda.plan(entry, due_s)

    assert list(agenda.pop_all(but=asking)) == [late, early]
    assert agenda.pop(1.0) is asking
    assert agenda.pop(1.0) is None


def test_what_nobody_took_of_everything_still_stands_in_it() -> None:
    agenda, first, second = Agenda[Entry](), Entry("first"), Entry("second")
    for entry in (first, second):
        agenda.plan(entry, 0.1)

    assert next(agenda.pop_all(but=Entry("other"))) is first
    assert agenda.pop(1.0) is second
