"""Typing a round's id to go there."""

from __future__ import annotations

from collections.abc import Callable

from ..core.texts import Texts
from .safe_text import BLANK, Line, Span, Tone, joined
from .watched import Watched

OFFERED_FROM = 2000
"""Newest rounds among which completions are looked for while typing."""
MOST_OFFERED = 8


class GoToEntry:
    """An id, or its beginning; a part of one is looked for when enter is pressed."""

    prompt = "tui.goto.prompt"
    offers = frozenset(("accept", "complete", "drop"))
    placeholder = "tui.goto.placeholder"

    def __init__(self, watched: Watched, texts: Callable[[], Texts], go: Callable[[str], None]) -> None:
        """Look for rounds of ``watched``; ``go`` selects one."""
        self._watched = watched
        self._texts = texts
        self._go = go
        self._wrong: str | None = None

    def begin(self) -> str:
        """Return nothing: an id is typed or pasted anew."""
        return ""

    def edited(self, text: str) -> None:
        """Forget that the last id was wrong."""
        self._wrong = None

    def _offered(self, text: str) -> list[str]:
        wanted = text.strip()
        if not wanted:
            return []
        recent = map(self._watched.id_of, self._watched.tree.newest_first()[:OFFERED_FROM])
        return list(dict.fromkeys(id_ for id_ in recent if id_.startswith(wanted)))[:MOST_OFFERED]

    def hint(self, text: str, cursor: int, offset: int) -> Line:
        """Return ids that begin so, or that there is none."""
        gap = Span(" " * max(0, offset))
        if self._wrong is not None:
            return (gap, Span(self._texts()("tui.goto.nothing", id=self._wrong), Tone.WARN))
        offered = self._offered(text)
        return (gap, *joined(((Span(each, Tone.KEY),) for each in offered), "  ")) if offered else BLANK

    def complete(self, text: str, cursor: int) -> tuple[str, int] | None:
        """Return the first id that begins so."""
        offered = self._offered(text)
        return (offered[0], len(offered[0])) if offered else None

    def other(self, text: str, steps: int) -> str | None:
        """Return nothing: ids are not remembered."""
        return None

    def remember(self, text: str) -> None:
        """Keep nothing."""

    def accept(self, text: str) -> bool:
        """Go to the round; when there is none the field stays open and says so."""
        wanted = text.strip()
        if not wanted:
            return True
        found = self._find(wanted)
        if found is None:
            self._wrong = wanted
            return False
        self._go(found)
        return True

    def _find(self, wanted: str) -> str | None:
        """Return the newest round of that id, else the newest whose id begins so, else the newest whose id holds it."""
        tree, id_of = self._watched.tree, self._watched.id_of
        if found := self._watched.find(wanted):
            return max(found, key=tree.order_of)
        every = tree.newest_first()
        begun = next((key for key in every if id_of(key).startswith(wanted)), None)
        return begun if begun is not None else next((key for key in every if wanted in id_of(key)), None)

    def drop(self) -> None:
        """Stay where the operator was."""
