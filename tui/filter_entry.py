"""Typing a filter: the list follows every letter, errors stand under the place, saved filters come by arrow keys."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from ..core.texts import Texts
from .filter_completion import completed, completions, verdict_words
from .filter_fields import VerdictWords
from .filter_match import Filter
from .filter_parse import NEGATIONS, FilterError, FilterFault, parse_filter
from .preferences import MOST_FILTER_CHARS, MOST_FILTERS, PreferencesFile
from .safe_text import BLANK, Line, Span, Tone, joined
from .watched import Watched

SHOWN_KNOWN = 15
"""Things that could stand there, in an error's line."""


class FilterEntry:
    """What is typed filters the list at once; what is not understood leaves it as it was."""

    prompt = "ui.panel_filter"
    offers = frozenset(("accept", "complete", "drop", "other", "remember"))
    placeholder = "ui.filter_placeholder"

    def __init__(
        self, watched: Watched, texts: Callable[[], Texts], preferences: PreferencesFile, changed: Callable[[], None]
    ) -> None:
        """Filter the list of ``watched``; ``changed`` is called when it shows something else."""
        self._watched = watched
        self._texts = texts
        self._preferences = preferences
        self._changed = changed
        self._before: Filter | None = None
        self._error: FilterError | None = None

    def begin(self) -> str:
        """Return the filter that counts now."""
        self._before, self._error = self._watched.shown.filter, None
        return self._before.text + " " if self._before is not None else ""

    def edited(self, text: str) -> None:
        """Filter by ``text`` where it is understood; a last term that is still being typed waits."""
        self._take(text[: self._unfinished_from(text)])

    def _unfinished_from(self, text: str) -> int:
        """Return where the last term begins if what stands there may become a field or a value of one."""
        found = completions(text, len(text), self._watched.names, verdict_words(self._texts()))
        if not text or text[-1].isspace() or not found:
            return len(text)
        start = max((place for place, char in enumerate(text) if char.isspace()), default=-1) + 1
        term = text[start:].lstrip(NEGATIONS)
        if ":" not in term:
            return start
        try:
            self._parsed(text)
        except FilterError:
            return start
        return len(text)

    def _parsed(self, text: str) -> Filter | None:
        return parse_filter(text, VerdictWords.of((Texts.load("en"), self._texts())))

    def _take(self, text: str) -> None:
        try:
            found = self._parsed(text)
        except FilterError as error:
            self._error = error
            return
        self._error = None
        self._show(found)

    def _show(self, filter_: Filter | None) -> None:
        shown = self._watched.shown
        if (filter_.text if filter_ else None) != (shown.filter.text if shown.filter else None):
            self._watched.show(filter_, shown.order)
            self._changed()

    def hint(self, text: str, cursor: int, offset: int) -> Line:
        """Return what is wrong under its place, else completions, else the saved filters."""
        texts = self._texts()
        if self._error is not None:
            place = max(0, offset + cell_len(text[: self._error.position]))
            return (Span(" " * place), Span(f"▲ {fault_text(self._error, texts)}", Tone.WARN))
        if not text and (saved := self._preferences.current.filters):
            told = [(Span(f"↑ {texts('tui.filter.saved')}", Tone.DIM),), *((Span(each, Tone.KEY),) for each in saved)]
            return (Span(" " * offset), *joined(told, "   "))
        found = completions(text, cursor, self._watched.names, verdict_words(texts))
        shown = [(Span(each.shown, Tone.INFO if number else Tone.KEY),) for number, each in enumerate(found)]
        return (Span(" " * max(0, offset)), *joined(shown, "  ")) if shown else BLANK

    def complete(self, text: str, cursor: int) -> tuple[str, int] | None:
        """Return the text with the first completion in it."""
        found = completions(text, cursor, self._watched.names, verdict_words(self._texts()))
        return completed(text, cursor, found[0]) if found else None

    def other(self, text: str, steps: int) -> str | None:
        """Return the saved filter before or after this one."""
        saved = self._preferences.current.filters
        if not saved:
            return None
        wanted = text.strip()
        place = saved.index(wanted) - steps if wanted in saved else (0 if steps < 0 else len(saved) - 1)
        return saved[place % len(saved)]

    def remember(self, text: str) -> None:
        """Save the filter, or forget it when it is saved already."""
        wanted, saved = text.strip(), self._preferences.current.filters
        if not wanted or self._error is not None or len(wanted) > MOST_FILTER_CHARS:
            return
        kept = tuple(each for each in saved if each != wanted)
        self._preferences.change(filters=kept if wanted in saved else (wanted, *kept)[:MOST_FILTERS])

    def accept(self, text: str) -> bool:
        """Keep the filter; one that is not understood stays in the field."""
        self._take(text)
        return self._error is None

    def drop(self) -> None:
        """Take the filter back that counted before."""
        self._show(self._before)


def fault_text(error: FilterError, texts: Texts) -> str:
    """Return what is wrong with a filter, in the viewer's language."""
    possible = verdict_words(texts) if error.fault is FilterFault.UNKNOWN_VERDICT else error.known
    known = ", ".join(possible[:SHOWN_KNOWN]) + (" …" if len(possible) > SHOWN_KNOWN else "")
    return texts(f"tui.filter.{error.fault}", part=error.part[:60], known=known)
