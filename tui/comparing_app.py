"""The app's actions that lay one round beside another."""

from __future__ import annotations

from collections.abc import Hashable

from ..core.texts import Texts
from .choosing_app import ChoosingApp
from .compare_lines import compare_lines
from .compared import Known, compared
from .keys import action_of, key_label
from .main_screen import MainScreen
from .reading_screen import ReadingScreen
from .safe_text import Line


class ComparingApp(ChoosingApp):
    """One round is marked; any other can then be compared with it, while both go on."""

    def action_mark(self) -> None:
        """Mark the selected round as the one to compare with, or no longer."""
        selected = self.watched.position.selected
        if selected is None or not isinstance(self.screen, MainScreen):
            return
        was_marked = self.watched.marked == selected
        self.watched.marked = None if was_marked else selected
        if was_marked:
            self.tell("tui.compare.unmarked", round=selected)
        else:
            self.tell("tui.compare.marked", round=selected, key=self._key_of("app.compare"))
        self.redraw()

    def action_compare(self) -> None:
        """Lay the selected round beside the marked one."""
        if not isinstance(self.screen, MainScreen):
            return
        selected, marked = self.watched.position.selected, self.watched.marked
        if selected is None:
            self.tell("tui.rounds.empty")
        elif marked is None or self._known(marked) is None:
            self.tell("tui.compare.no_mark", key=self._key_of("app.mark"))
        elif marked == selected:
            self.tell("tui.compare.same", round=selected)
        else:
            self.watched.position.hold()
            self._compare(marked, selected)

    def _compare(self, marked: str, selected: str) -> None:
        def lines(texts: Texts, width: int) -> list[Line]:
            now = self.now()
            sides = [compared(known, now) for id_ in (marked, selected) if (known := self._known(id_)) is not None]
            return compare_lines(*sides, self._zone, texts, width)

        self.push_screen(
            ReadingScreen(
                self.current_texts,
                lambda texts: texts("tui.compare.title"),
                lines,
                lambda: (self._stands(marked), self._stands(selected)),
            )
        )

    def _known(self, id_: str) -> Known | None:
        return self.watched.ledger.rounds.get(id_) or self.watched.ledger.retired.get(id_)

    def _stands(self, id_: str) -> Hashable:
        """Return what changes whenever the round is to be drawn anew: its revision, and the time while it runs."""
        known = self.watched.ledger.rounds.get(id_)
        return (known.revision, known.is_over or self.now()) if known is not None else None

    def _key_of(self, id_: str) -> str:
        return key_label(action_of(id_), self.texts, self.keymap)
