"""What the help says: the keys, the marks, how to read a round."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.texts import TOOL_MARKS, VERDICT_MARKS, Mark, Texts, wrap
from .keys import ACTIONS
from .safe_text import BLANK, Line, Span, Tone, fitted

SECTIONS = ("help.bars", "help.banner", "help.evidence", "help.claim", "help.link", "help.outside")
KEY_CELLS, MARK_CELLS = 7, 22


def help_lines(texts: Texts, width: int) -> list[Line]:
    """Return the help in lines of at most ``width`` cells."""
    lines: list[Line] = [*_wrapped(texts("help.intro"), width), BLANK, (Span(texts("help.keys"), Tone.STRONG),)]
    lines += _keys(texts)
    lines += [BLANK, (Span(texts("help.marks"), Tone.STRONG),), *_marks(texts, width), BLANK]
    for key in SECTIONS:
        lines += [*_wrapped(texts(key), width), BLANK]
    return lines


def _wrapped(text: str, width: int) -> list[Line]:
    return [(Span(line),) for line in wrap(text, width)]


def _keys(texts: Texts) -> Iterator[Line]:
    told: set[tuple[str, str]] = set()
    for action in ACTIONS:
        said = texts(action.command or action.hint)
        if action.shown and (action.shown, said) not in told:
            told.add((action.shown, said))
            yield (Span(fitted(action.shown, KEY_CELLS), Tone.KEY), Span(said))


def _marks(texts: Texts, width: int) -> Iterator[Line]:
    """Yield glyph and word of every state, in as many columns as fit; states that look alike stand once."""
    told: dict[tuple[str, str], Mark] = {}
    for each in (*VERDICT_MARKS.values(), *TOOL_MARKS.values()):
        told.setdefault((each.glyph, each.word(texts)), each)
    cells = [f"{glyph} {word}" for glyph, word in told]
    across = max(1, width // MARK_CELLS)
    for start in range(0, len(cells), across):
        yield (Span("".join(fitted(cell, MARK_CELLS) for cell in cells[start : start + across])),)
