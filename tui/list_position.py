"""Where the operator stands in the rounds list: what is selected, what is on top, whether it follows."""

from __future__ import annotations

from .round_rows import PlacedRow, Rows


class ListPosition:
    """At the newest row the list follows; anywhere else nothing moves until the operator moves it.

    The top row and the selection are kept by round, not by number: rows that come above change neither.
    """

    def __init__(self, rows: Rows) -> None:
        """Follow the round on top of ``rows``."""
        self._rows = rows
        self._selected: str | None = None
        self._top: str | None = None
        self.following = True

    @property
    def selected(self) -> str | None:
        """The selected round; while following, the newest."""
        if self.following or self._selected is None:
            return self._rows.at(0).id if len(self._rows) else None
        return self._selected

    @property
    def row(self) -> int:
        """The selected row; 0 in an empty list."""
        selected = self.selected
        return self._rows.row_of(selected) if selected is not None and not self.following else 0

    def stand_in(self, rows: Rows) -> None:
        """Go on in other rows, with the same round selected; what has no row there is where it would stand."""
        if not self.following:
            self._top = self._selected
        self._rows = rows

    def window(self, height: int) -> tuple[int, list[PlacedRow]]:
        """Return the number of the top row and the rows of a window of ``height`` rows."""
        top = self._top_row(height)
        return top, [self._rows.at(row) for row in range(top, min(top + height, len(self._rows)))]

    def select(self, row: int, height: int) -> None:
        """Select a row, the nearest there is, and bring it into the window; the newest row follows again."""
        if not len(self._rows):
            return
        row = max(0, min(row, len(self._rows) - 1))
        top = self._top_row(height)
        self.following = row == 0
        self._selected = self._rows.at(row).id
        self._set_top(min(max(top, row - height + 1), row), height)

    def select_round(self, id_: str, height: int) -> None:
        """Select a round wherever it stands."""
        self.select(self._rows.row_of(id_), height)

    def hold(self) -> None:
        """Stay with the selected round, whatever comes."""
        self._selected, self.following = self.selected, False
        if self._top is None and len(self._rows):
            self._top = self._rows.at(0).id

    def follow(self) -> None:
        """Go to the newest round and stay there."""
        self.following, self._selected, self._top = True, None, None

    def scroll(self, rows: int, height: int) -> None:
        """Move the window, not the selection."""
        top = self._top_row(height)
        self.hold()
        self._set_top(top + rows, height)

    def _top_row(self, height: int) -> int:
        if self.following or self._top is None:
            return 0
        return max(0, min(self._rows.row_of(self._top), len(self._rows) - height))

    def _set_top(self, row: int, height: int) -> None:
        row = max(0, min(row, len(self._rows) - height))
        self._top = self._rows.at(row).id if len(self._rows) else None
