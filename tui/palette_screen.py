"""The command palette: every action by name, found by typing a part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from ..core.texts import Texts
from .frame import SIDES, Scrolled, framed
from .keys import ACTIONS, Action, key_label, keymap_of
from .line_view import LineView
from .overlay_screen import OverlayScreen
from .safe_text import Ground, Line, Span, Tone, fitted, line_cells, on_ground

CURSOR_CELLS = 1
ROOMY_FROM = 18
"""Lines from which field and list may stand apart."""


class PaletteList(LineView):
    """The actions that match, the chosen one marked."""

    class Clicked(Message):
        """The marked action is to be run."""

    def __init__(self, texts: Callable[[], Texts]) -> None:
        """Show all actions."""
        super().__init__()
        self._texts = texts
        self._wanted = ""
        self._chosen = 0

    @property
    def matching(self) -> list[Action]:
        """The actions whose title holds every typed word, in any order."""
        words = self._wanted.casefold().split()
        return [
            action
            for action in ACTIONS
            if action.command is not None and all(word in self._texts()(action.command).casefold() for word in words)
        ]

    @property
    def chosen(self) -> Action | None:
        """The marked action."""
        found = self.matching
        return found[min(self._chosen, len(found) - 1)] if found else None

    def search(self, wanted: str) -> None:
        """Show what matches ``wanted``."""
        self._wanted, self._chosen = wanted, 0
        self.repaint()

    def move(self, steps: int) -> None:
        """Mark another action."""
        self._chosen = max(0, min(self._chosen + steps, len(self.matching) - 1))
        self.repaint()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Mark the next action."""
        event.stop()
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Mark the action before."""
        event.stop()
        self.move(-1)

    def on_click(self, event: events.Click) -> None:
        """Choose the action under the pointer."""
        found, room = self.matching, max(1, self.size.height - SIDES)
        row = event.y - 1
        if 0 <= row < min(room, len(found)):
            self._chosen = self._first(found, room) + row
            self.repaint()
            self.post_message(self.Clicked())

    def _first(self, found: list[Action], room: int) -> int:
        """Return which action stands in the first line."""
        place = min(self._chosen, max(0, len(found) - 1))
        return max(0, min(place - room // 2, len(found) - room))

    def lines(self, width: int, height: int) -> list[Line]:
        """Return one action a line."""
        texts, inner = self._texts(), width - 2
        found, room = self.matching, max(1, height - SIDES)
        first = self._first(found, room)
        rows = [self._row(action, inner) for action in found[first : first + room]] or [
            (Span(" " + texts("tui.palette.nothing"), Tone.DIM),)
        ]
        scrolled = Scrolled(first, len(found))
        return framed(rows, width, height, tone=Tone.FRAME_FOCUS, scrolled=scrolled)

    def _row(self, action: Action, width: int) -> Line:
        texts = self._texts()
        label = (Span(key_label(action, texts, keymap_of(self)) + " ", Tone.KEY),)
        title = fitted(" " + texts(action.command or action.hint), width - CURSOR_CELLS - line_cells(label))
        line = (Span(title), *label)
        return on_ground((Span("▌", Tone.KEY), *line), Ground.CURSOR) if action is self.chosen else (Span(" "), *line)


class PaletteScreen(OverlayScreen[str | None]):
    """Answers with what Textual is to run, or None."""

    CSS_PATH = "palette_screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave", show=False, id="palette.leave"),
        Binding("up", "move(-1)", "up", show=False, priority=True, id="palette.up"),
        Binding("down", "move(1)", "down", show=False, priority=True, id="palette.down"),
    ]

    def __init__(self, texts: Callable[[], Texts]) -> None:
        """Offer every action in the language that ``texts`` gives."""
        super().__init__()
        self._texts = texts
        self._list = PaletteList(texts)

    def compose(self) -> ComposeResult:
        """Yield the field and the list."""
        yield Input(placeholder=self._texts()("tui.palette.placeholder"), select_on_focus=False)
        yield self._list

    def on_resize(self, event: events.Resize) -> None:
        """Give the list all the room where there is little."""
        self.set_class(event.size.height < ROOMY_FROM, "-low")

    def repaint(self) -> None:
        """Draw what has changed."""
        self._list.repaint()

    @on(Input.Changed)
    def search(self, event: Input.Changed) -> None:
        """Show what matches."""
        self._list.search(event.value)

    @on(Input.Submitted)
    @on(PaletteList.Clicked)
    def choose(self) -> None:
        """Answer with the marked action."""
        chosen = self._list.chosen
        self.dismiss(f"{_OWNERS.get(chosen.place, 'screen')}.{chosen.action}" if chosen is not None else None)

    def action_move(self, steps: int) -> None:
        """Mark another action."""
        self._list.move(steps)

    def action_leave(self) -> None:
        """Answer with nothing."""
        self.dismiss(None)


_OWNERS = {"app": "app"}
"""Who runs an action of a place; every other is the main screen's."""
