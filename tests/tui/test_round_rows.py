from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.round_rows import RoundTree

Steps = list[tuple[int, int | None, bool]]


def naive(steps: Steps) -> list[tuple[str, int]]:
    """Rows from plain lists: newest first, sub-rounds below their parent in order of their coming."""
    parents: dict[int, int | None] = {}
    children: dict[int | None, list[int]] = {None: []}
    for id_, parent, _ in steps:
        above, seen = parent, set[int]()
        while above is not None and above != id_ and above not in seen:
            seen.add(above)
            above = parents.get(above)
        if parent not in parents or above == id_:
            parent = None
        if id_ in parents:
            if parents[id_] == parent:
                continue
            children[parents[id_]].remove(id_)
        parents[id_] = parent
        children.setdefault(parent, []).append(id_)

    def rows(id_: int, depth: int) -> list[tuple[str, int]]:
        return [(str(id_), depth), *(row for child in children.get(id_, []) for row in rows(child, depth + 1))]

    return [row for root in reversed(children[None]) for row in rows(root, 0)]


steps_of = st.lists(st.tuples(st.integers(0, 12), st.none() | st.integers(0, 12), st.booleans()), max_size=40)


@given(steps_of)
def test_rows_are_those_of_plain_lists_whatever_comes_in_whatever_order(steps: Steps) -> None:
    tree = RoundTree()
    problems: set[str] = set()
    for id_, parent, is_problem in steps:
        tree.place(str(id_), str(parent) if parent is not None else None)
        tree.set_problem(str(id_), is_problem)
        (problems.add if is_problem else problems.discard)(str(id_))
    expected = naive(steps)
    assert [(row.id, row.depth) for row in map(tree.at, range(len(tree)))] == expected
    assert [tree.row_of(id_) for id_, _ in expected] == list(range(len(expected)))
    assert tree.problem_count == len(problems)
    for row in range(len(expected)):
        below = next((id_ for id_, _ in expected[row + 1 :] if id_ in problems), None)
        above = next((id_ for id_, _ in reversed(expected[:row]) if id_ in problems), None)
        assert tree.problem_from(row, 1) == below
        assert tree.problem_from(row, -1) == above


def test_a_row_that_does_not_exist_is_an_error() -> None:
    tree = RoundTree()
    tree.place("a", None)
    with pytest.raises(IndexError):
        tree.at(1)
    with pytest.raises(KeyError):
        tree.row_of("b")


def test_a_round_that_names_its_own_descendant_as_parent_stands_alone() -> None:
    tree = RoundTree()
    tree.place("a", None)
    tree.place("b", "a")
    tree.place("a", "b")
    assert [row.id for row in map(tree.at, range(2))] == ["a", "b"]


FOLDING = st.lists(
    st.tuples(
        st.sampled_from(["place", "problem", "fold", "reveal"]), st.integers(0, 9), st.none() | st.integers(0, 9)
    ),
    max_size=60,
)


@given(FOLDING)
def test_folded_rows_hide_their_descendants_and_stand_for_their_problems(
    steps: list[tuple[str, int, int | None]],
) -> None:
    tree, plain, folded, problems = RoundTree(), RoundTree(), set[str](), set[str]()
    for what, number, other in steps:
        id_ = str(number)
        if what == "place" or id_ not in tree:
            for each in (tree, plain):
                each.place(id_, str(other) if other is not None else None)
        elif what == "problem":
            tree.set_problem(id_, other is not None)
            (problems.add if other is not None else problems.discard)(id_)
        elif what == "fold":
            has_children = any(above == id_ for above in parents_in(plain).values())
            if (target := tree.fold(id_)) != id_ or has_children:
                folded ^= {target}
        else:
            tree.reveal(id_)
            folded -= above_in(plain, id_)
    shown = [row for row in map(plain.at, range(len(plain))) if not above_in(plain, row.id) & folded]
    assert [(row.id, row.depth) for row in map(tree.at, range(len(tree)))] == [(row.id, row.depth) for row in shown]
    for number, row in enumerate(map(tree.at, range(len(tree)))):
        below = {each for each in parents_in(plain) if row.id in above_in(plain, each)}
        assert row.hidden == (len(below) if row.id in folded else 0)
        assert tree.row_of(row.id) == number
        assert all(tree.row_of(each) == number for each in below if row.id in folded)
    standing = [
        row.id
        for row in shown
        if row.id in problems or (row.id in folded and any(row.id in above_in(plain, each) for each in problems))
    ]
    found = [tree.problem_from(-1, 1)] if standing and tree.problem_count else []
    assert tree.problem_count == len(standing)
    for number in range(len(tree)):
        found.append(tree.problem_from(number, 1))
    assert [each for each in dict.fromkeys(found) if each is not None] == standing


def parents_in(tree: RoundTree) -> dict[str, str | None]:
    """Every round's parent, read off the rows."""
    above: list[str] = []
    parents: dict[str, str | None] = {}
    for row in map(tree.at, range(len(tree))):
        del above[row.depth :]
        parents[row.id] = above[-1] if above else None
        above.append(row.id)
    return parents


def above_in(tree: RoundTree, id_: str) -> set[str]:
    """The round's ancestors."""
    parents, found = parents_in(tree), set[str]()
    while (parent := parents[id_]) is not None:
        found.add(parent)
        id_ = parent
    return found
