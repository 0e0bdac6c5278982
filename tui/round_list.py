"""Which rounds the list shows and in which order: the whole tree, or what a filter lets through, sorted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .filter_subject import FilterSubject
from .flat_rows import FlatRows
from .round_rows import RoundTree, Rows
from .sort_order import SortOrder, sort_key

if TYPE_CHECKING:  # what a filter is made of is loaded when one is typed
    from .filter_match import Filter

AT_ONCE = 64
"""Rounds that are looked at before the clock is asked again."""


Subjects = Callable[[str], FilterSubject | None]
"""Gives a round, by its id, as a filter sees it now; None when nothing is known of it."""


class RoundList:
    """The rows on screen. A changed round is noted in O(1); it is looked at once, before the next frame."""

    def __init__(self, tree: RoundTree) -> None:
        """Show the whole tree."""
        self._tree = tree
        self._flat: FlatRows | None = None
        self._changed: dict[str, None] = {}
        self._unseen: list[str] = []
        self.filter: Filter | None = None
        self.order = SortOrder.NEWEST

    @property
    def rows(self) -> Rows:
        """What is shown."""
        return self._tree if self._flat is None else self._flat

    @property
    def is_tree(self) -> bool:
        """Sub-rounds stand under their parent."""
        return self._flat is None

    @property
    def is_settled(self) -> bool:
        """Every round was looked at."""
        return self._flat is None or not (self._unseen or self._changed)

    @property
    def follows_clock(self) -> bool:
        """Rows come, go or move without an event, as running rounds grow older."""
        by_filter = self.filter is not None and self.filter.follows_clock
        return by_filter or self.order is SortOrder.LONGEST

    def show(self, filter_: Filter | None, order: SortOrder) -> None:
        """Take another filter and order; ``settle`` then looks at every round, the newest first."""
        self.filter, self.order = filter_, order
        is_plain = filter_ is None and order is SortOrder.NEWEST
        self._flat = None if is_plain else FlatRows()
        self._changed = {}
        self._unseen = [] if is_plain else self._tree.newest_first()[::-1]

    def note(self, id_: str) -> None:
        """Note that something about a round has changed."""
        if self._flat is not None:
            self._changed[id_] = None

    def settle(self, subject_of: Subjects, has_time: Callable[[], bool]) -> None:
        """Look at what has changed, then at what was never looked at, as long as there is time."""
        flat = self._flat
        if flat is None:
            return
        while self._changed or self._unseen:
            for _ in range(AT_ONCE):
                if self._changed:
                    id_ = self._changed.popitem()[0]
                elif self._unseen:
                    id_ = self._unseen.pop()
                else:
                    return
                self._look(flat, id_, subject_of)
            if not has_time():
                return

    def _look(self, flat: FlatRows, id_: str, subject_of: Subjects) -> None:
        subject = subject_of(id_)
        if subject is None:
            return
        key = sort_key(self.order, subject, self._tree.order_of(id_))
        if self.filter is None or self.filter.passes(subject):
            flat.put(id_, key, is_problem=self._tree.is_problem(id_))
        else:
            flat.leave_out(id_, key)
