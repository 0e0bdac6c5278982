"""The rows of the rounds list: newest first, sub-rounds under their parent; knows no widget and no text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .block_sums import BlockSums

DEEPEST_SHOWN = 200  # levels of sub-rounds that are followed; deeper nesting is no real agent
CACHED_BLOCKS = 512  # blocks kept flattened: far more than any screen shows


@dataclass(slots=True)
class _Node:
    id: str
    order: int
    """How many rounds came before it."""
    parent: str | None = None
    block: int = -1
    """The block it opens; -1 for a sub-round."""
    children: list[str] | tuple[()] = ()
    """A list from the first one on: most rounds have none, and there may be a million."""
    is_problem: bool = False
    is_folded: bool = False
    """Its sub-rounds have no rows."""
    hidden_problems: int = 0
    """Of a folded round that is not itself hidden: problems among those without rows."""

    def adopt(self, child: str) -> None:
        """Take a sub-round in, after those that are there."""
        if isinstance(self.children, tuple):
            self.children = [child]
        else:
            self.children.append(child)

    def leave(self, child: str) -> None:
        """Let a sub-round go elsewhere."""
        if isinstance(self.children, list):
            self.children.remove(child)

    @property
    def shows_problem(self) -> bool:
        """Its row stands for a problem: its own, or one that it hides."""
        return self.is_problem or self.hidden_problems > 0


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """One row: which round, how deep it is indented, and how many rounds it hides."""

    id: str
    depth: int
    hidden: int = 0


class Rows(Protocol):
    """The rows of a list, whatever is in it and in which order."""

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    def __contains__(self, id_: str) -> bool:
        """Say whether the round has a row."""
        ...

    def at(self, row: int) -> PlacedRow:
        """Return what stands in ``row``, 0 = the top."""
        ...

    def row_of(self, id_: str) -> int:
        """Return the row of a round; where it would stand when it has none."""
        ...

    def problem_from(self, row: int, step: int) -> str | None:
        """Return the nearest problem below (``step`` 1) or above (-1) ``row``; None when there is none."""
        ...


class RoundTree:
    """Every round in its place. Adding one costs O(log n), reading a row O(log n) plus its block, once."""

    def __init__(self) -> None:
        """Start empty."""
        self._nodes: dict[str, _Node] = {}
        self._roots: list[str] = []
        self._rows = BlockSums()
        self._problems = BlockSums()
        self._flat: dict[str, tuple[PlacedRow, ...]] = {}

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._rows.total

    def __contains__(self, id_: str) -> bool:
        """Say whether the round has a row."""
        return id_ in self._nodes

    @property
    def problem_count(self) -> int:
        """Rounds that ended as anything but an answer."""
        return self._problems.total

    def order_of(self, id_: str) -> int:
        """Return how many rounds came before this one.

        Raises:
            KeyError: there is no such round.
        """
        return self._nodes[id_].order

    def children_of(self, id_: str) -> tuple[str, ...]:
        """Return the rounds right below this one; none for a round without a row."""
        node = self._nodes.get(id_)
        return tuple(node.children) if node is not None else ()

    def newest_first(self) -> list[str]:
        """Return every round, the newest first."""
        return list(reversed(self._nodes))

    def is_problem(self, id_: str) -> bool:
        """Say whether the round ended as anything but an answer."""
        return self._nodes[id_].is_problem

    def place(self, id_: str, parent: str | None) -> None:
        """Put a round under ``parent`` (None or unknown: on its own); moves it when it stood elsewhere."""
        if parent is not None and (parent not in self._nodes or self._is_above(id_, parent)):
            parent = None
        node = self._nodes.get(id_)
        if node is None:
            node = self._nodes[id_] = _Node(id_, len(self._nodes))
        elif node.parent == parent:
            return
        else:
            self._detach(node)
        if parent is None:
            self._open_block(node)
        else:
            node.parent = parent
            self._nodes[parent].adopt(id_)
        self._count(node, +1)

    def set_problem(self, id_: str, is_problem: bool) -> None:
        """Note whether the round ended as anything but an answer."""
        node = self._nodes[id_]
        if node.is_problem is is_problem:
            return
        seen = self._folded_above(node) or node
        before = seen.shows_problem
        node.is_problem = is_problem
        if seen is not node:
            seen.hidden_problems += 1 if is_problem else -1
        self._problems.add(self._root(id_).block, seen.shows_problem - before)

    def fold(self, id_: str) -> str:
        """Hide or show the sub-rounds of a round, or of its parent when it has none; returns whose."""
        node = self._nodes[id_]
        if not node.children and node.parent is not None:
            node = self._nodes[node.parent]
        if node.children:
            self._set_folded(node, not node.is_folded)
        return node.id

    def reveal(self, id_: str) -> None:
        """Show everything that hides a round."""
        while (top := self._folded_above(self._nodes[id_])) is not None:
            self._set_folded(top, False)

    def _set_folded(self, node: _Node, is_folded: bool) -> None:
        self._count(node, -1)
        node.is_folded, node.hidden_problems = is_folded, 0
        self._count(node, +1)

    def _problems_below(self, node: _Node) -> int:
        below = _walk(self._nodes, node.id, folds=False)[1:]
        return sum(1 for row in below if self._nodes[row.id].is_problem)

    def _folded_above(self, node: _Node) -> _Node | None:
        """Return the round whose row stands for a hidden one; None for one that has a row."""
        found = None
        while node.parent is not None:
            node = self._nodes[node.parent]
            found = node if node.is_folded else found
        return found

    def at(self, row: int) -> PlacedRow:
        """Return what stands in ``row``, 0 = the newest.

        Raises:
            IndexError: there is no such row.
        """
        if not 0 <= row < len(self):
            raise IndexError(row)
        block, from_below = self._rows.find(len(self) - 1 - row)
        flat = self._flattened(self._roots[block])
        return flat[len(flat) - 1 - from_below]

    def row_of(self, id_: str) -> int:
        """Return the row of a round, or of the folded one that hides it.

        Raises:
            KeyError: there is no such round.
        """
        node = self._nodes[id_]
        id_, root = (self._folded_above(node) or node).id, self._root(id_)
        flat = self._flattened(root.id)
        offset = next(index for index, row in enumerate(flat) if row.id == id_)
        return len(self) - self._rows.before(root.block + 1) + offset

    def problem_from(self, row: int, step: int) -> str | None:
        """Return the nearest problem below (``step`` 1) or above (-1) ``row``; None when there is none."""
        passed = self._problems_above(row + 1) if step > 0 else self._problems_above(row) - 1
        return self._problem(passed) if 0 <= passed < self.problem_count else None

    def _problems_above(self, row: int) -> int:
        """Return how many problems stand in rows above ``row``."""
        if row >= len(self):
            return self.problem_count
        block, from_below = self._rows.find(len(self) - 1 - row)
        flat = self._flattened(self._roots[block])
        inside = sum(1 for placed in flat[: len(flat) - 1 - from_below] if self._nodes[placed.id].shows_problem)
        return self.problem_count - self._problems.before(block + 1) + inside

    def _problem(self, number: int) -> str:
        block, from_below = self._problems.find(self.problem_count - 1 - number)
        found = [row.id for row in self._flattened(self._roots[block]) if self._nodes[row.id].shows_problem]
        return found[len(found) - 1 - from_below]

    def _is_above(self, id_: str, other: str) -> bool:
        node = self._nodes.get(other)
        for _ in range(DEEPEST_SHOWN):
            if node is None:
                return False
            if node.id == id_:
                return True
            node = self._nodes.get(node.parent) if node.parent is not None else None
        return True

    def _open_block(self, node: _Node) -> None:
        place = len(self._roots)
        node.parent, node.block = None, node.order if node.order == place else place  # one number, kept once
        self._roots.append(node.id)
        self._rows.append(0)
        self._problems.append(0)

    def _detach(self, node: _Node) -> None:
        self._count(node, -1)
        if node.parent is not None:
            self._nodes[node.parent].leave(node.id)
        node.parent, node.block = None, -1

    def _count(self, node: _Node, sign: int) -> None:
        """Add the rows of a whole sub-tree to its block, or take them away."""
        root = self._root(node.id)
        self._flat.pop(root.id, None)
        hides = self._folded_above(node)
        if hides is not None:
            before = hides.shows_problem
            hides.hidden_problems += sign * (self._problems_below(node) + node.is_problem)
            self._problems.add(root.block, hides.shows_problem - before)
            return
        members = _walk(self._nodes, node.id)
        for inner in (self._nodes[row.id] for row in members) if sign > 0 else ():
            inner.hidden_problems = self._problems_below(inner) if inner.is_folded else 0
        self._rows.add(root.block, sign * len(members))
        self._problems.add(root.block, sign * sum(1 for row in members if self._nodes[row.id].shows_problem))

    def _root(self, id_: str) -> _Node:
        node = self._nodes[id_]
        while node.parent is not None:
            node = self._nodes[node.parent]
        return node

    def _flattened(self, root: str) -> tuple[PlacedRow, ...]:
        found = self._flat.get(root)
        if found is None:
            if len(self._flat) >= CACHED_BLOCKS:
                self._flat.clear()
            found = self._flat[root] = tuple(_walk(self._nodes, root))
        return found


def _walk(nodes: dict[str, _Node], root: str, *, folds: bool = True) -> list[PlacedRow]:
    """Return a sub-tree in reading order: a round, then its sub-rounds, oldest first; those that are folded, or all."""
    rows: list[PlacedRow] = []
    waiting = [(root, 0)]
    while waiting:
        id_, depth = waiting.pop()
        node = nodes[id_]
        is_folded = folds and node.is_folded
        rows.append(PlacedRow(id_, depth, len(_walk(nodes, id_, folds=False)) - 1 if is_folded else 0))
        if not is_folded:
            waiting.extend((child, depth + 1) for child in reversed(node.children))
    return rows
