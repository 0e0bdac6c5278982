"""The line at the bottom in which the operator types: a filter, a round's id, words to search for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message

from ..core.texts import Texts
from .clean_input import CleanInput
from .keys import Action, Place, bindings_for, footer_for
from .line_view import LineView
from .safe_text import BLANK, Line, Span, Tone, cut_line


class Entry(Protocol):
    """What is typed, and what it does."""

    @property
    def prompt(self) -> str:
        """Key of the word before the field."""
        ...

    @property
    def offers(self) -> frozenset[str]:
        """Names of the actions that mean something here."""
        ...

    @property
    def placeholder(self) -> str:
        """Key of what an empty field says."""
        ...

    def begin(self) -> str:
        """Return what stands in the field at first."""
        ...

    def edited(self, text: str) -> None:
        """Follow what is typed."""
        ...

    def hint(self, text: str, cursor: int, offset: int) -> Line:
        """Return the line below: what is wrong, or what could come next.

        Args:
            offset: cells before the text's first character; below 0 when it is scrolled out.
        """
        ...

    def complete(self, text: str, cursor: int) -> tuple[str, int] | None:
        """Return text and cursor after the first completion; None when there is none."""
        ...

    def other(self, text: str, steps: int) -> str | None:
        """Return the remembered text that many steps away; None when there is none."""
        ...

    def remember(self, text: str) -> None:
        """Keep the text for later, or forget it."""
        ...

    def accept(self, text: str) -> bool:
        """Do what was typed; False when it cannot be done and the field stays open."""
        ...

    def drop(self) -> None:
        """Undo what ``edited`` did."""
        ...


class _Words(LineView):
    """One line that is asked for each time."""

    def __init__(self, line: Callable[[], Line], id_: str) -> None:
        super().__init__(id=id_)
        self._line = line

    def lines(self, width: int, height: int) -> list[Line]:
        return [cut_line(self._line(), width)]


class EntryBar(Vertical):
    """Prompt, field and a line of hints; hidden while nothing is typed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.ENTRY)
    DEFAULT_CSS = """
    EntryBar { height: 2; display: none; background: $panel; }
    EntryBar.-open { display: block; }
    EntryBar Horizontal { height: 1; }
    EntryBar #entry-prompt { width: auto; min-width: 3; height: 1; }
    EntryBar #entry-hint { height: 1; }
    EntryBar CleanInput { width: 1fr; }
    """

    @dataclass
    class Closed(Message):
        """The field is closed."""

        accepted: bool

    def __init__(self, texts: Callable[[], Texts]) -> None:
        """Wait for something to type."""
        super().__init__()
        self._texts = texts
        self._entry: Entry | None = None
        self._prompt = _Words(self._prompt_line, "entry-prompt")
        self._field = CleanInput(select_on_focus=False)
        self._hint = _Words(self._hint_line, "entry-hint")

    @property
    def is_open(self) -> bool:
        """Something is being typed."""
        return self._entry is not None

    @property
    def actions(self) -> list[Action]:
        """What the operator can do while typing."""
        offered = self._entry.offers if self._entry is not None else frozenset[str]()
        return [action for action in footer_for(Place.ENTRY) if action.name in offered]

    def compose(self) -> ComposeResult:
        """Yield prompt, field and hints."""
        with Horizontal():
            yield self._prompt
            yield self._field
        yield self._hint

    def open(self, entry: Entry) -> None:
        """Let the operator type ``entry``."""
        self._entry = entry
        self._prompt.styles.width = len(self._texts()(entry.prompt)) + 3
        with self.prevent(CleanInput.Changed):
            self._field.value = entry.begin()
        self._field.cursor_position = len(self._field.value)
        self._field.placeholder = self._texts()(entry.placeholder)
        self.add_class("-open")
        self._field.focus()
        self.call_after_refresh(self.repaint)

    def repaint(self) -> None:
        """Draw what has changed."""
        self._prompt.repaint()
        self._hint.repaint()

    def _prompt_line(self) -> Line:
        if self._entry is None:
            return BLANK
        return (Span(f" {self._texts()(self._entry.prompt)} ", Tone.KEY),)

    def _hint_line(self) -> Line:
        if self._entry is None:
            return BLANK
        offset = self._prompt.size.width - int(self._field.scroll_offset.x)
        return self._entry.hint(self._field.value, self._field.cursor_position, offset)

    def _put(self, text: str, cursor: int) -> None:
        self._field.value = text
        self._field.cursor_position = cursor

    def _close(self, *, accepted: bool) -> None:
        self._entry = None
        self.remove_class("-open")
        self.post_message(self.Closed(accepted))

    @on(CleanInput.Changed)
    def _changed(self, event: CleanInput.Changed) -> None:
        event.stop()
        if self._entry is not None:
            self._entry.edited(event.value)
            self.repaint()

    @on(CleanInput.Submitted)
    def _submitted(self, event: CleanInput.Submitted) -> None:
        event.stop()
        if self._entry is not None and self._entry.accept(event.value):
            self._close(accepted=True)
        self.repaint()

    def action_complete(self) -> None:
        """Take the first completion."""
        if self._entry is not None:
            found = self._entry.complete(self._field.value, self._field.cursor_position)
            if found is not None:
                self._put(*found)
            self.repaint()

    def action_other(self, steps: int) -> None:
        """Take a remembered text."""
        if self._entry is not None and (found := self._entry.other(self._field.value, steps)) is not None:
            self._put(found, len(found))

    def action_remember(self) -> None:
        """Remember what is typed, or forget it."""
        if self._entry is not None:
            self._entry.remember(self._field.value)
            self.repaint()

    def action_drop(self) -> None:
        """Close the field and undo what typing did."""
        if self._entry is not None:
            self._entry.drop()
            self._close(accepted=False)
