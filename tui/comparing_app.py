"""The app's actions that lay one round beside another."""

from __future__ import annotations

from collections.abc import Hashable

from ..core.rounds import Round
from ..core.texts import Texts
from .choosing_app import ChoosingApp
from .keys import action_of, key_label
from .main_screen import MainScreen
from .reading_screen import ReadingScreen
from .safe_text import Line, Span


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
            self.tell("tui.compare.unmarked", round=self.watched.id_of(selected))
        else:
            self.tell("tui.compare.marked", round=self.watched.id_of(selected), key=self._key_of("app.compare"))
        self.redraw()

    def action_compare(self) -> None:
        """Lay the selected round beside the marked one."""
        if not isinstance(self.screen, MainScreen):
            return
        selected, marked = self.watched.position.selected, self.watched.marked
        if selected is None:
            self.tell("tui.rounds.empty")
        elif marked is None or self.watched.known(marked) is None:
            self.tell("tui.compare.no_mark", key=self._key_of("app.mark"))
        elif marked == selected:
            self.tell("tui.compare.same", round=self.watched.id_of(selected))
        else:
            self.watched.position.hold()
            self._compare(marked, selected)

    def _compare(self, marked: str, selected: str) -> None:
        from .compare_lines import compare_lines  # the first rows come sooner without what is not on screen
        from .compared import compared

        def lines(texts: Texts, width: int) -> list[Line]:
            now = self.now()
            left, right = self.watched.known(marked), self.watched.known(selected)
            if left is None or right is None:
                return [(Span(texts("tui.rounds.empty")),)]
            return compare_lines(compared(left, now), compared(right, now), self._zone, texts, width)

        self.push_screen(
            ReadingScreen(
                self.current_texts,
                lambda texts: texts("tui.compare.title"),
                lines,
                lambda: (self._stands(marked), self._stands(selected)),
            )
        )

    def _stands(self, key: str) -> Hashable:
        """Return what changes whenever the round is to be drawn anew: its revision, and the time while it runs."""
        known = self.watched.known(key)
        return (known.revision, known.is_over or self.now()) if isinstance(known, Round) else known

    def _key_of(self, id_: str) -> str:
        return key_label(action_of(id_), self.texts, self.keymap)
