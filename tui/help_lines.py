"""What the help says: the keys, the marks, how to read a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..core.texts import TOOL_MARKS, VERDICT_MARKS, Mark, Texts, wrap
from .keys import ACTIONS, Place, action_of, key_label
from .safe_text import BLANK, Line, Span, Tone, fitted

SECTIONS = ("help.filter", "help.bars", "help.banner", "help.evidence", "help.claim", "help.link", "help.outside")
KEY_CELLS, MARK_CELLS, PAIR_CELLS = 10, 22, 52
NO_CHANGES: Mapping[str, str] = {}
BY_NAME = "app.commands"
"""What has no key of its own is found by its name."""


def help_lines(texts: Texts, width: int, keymap: Mapping[str, str] = NO_CHANGES) -> list[Line]:
    """Return the help in lines of at most ``width`` cells.

    Args:
        keymap: keys that the operator has changed, by the id of their binding.
    """
    lines: list[Line] = [*_wrapped(texts("help.intro"), width), BLANK]
    for place in (Place.MAIN, Place.ROUNDS, Place.TIMELINE):
        lines += [(Span(texts(f"tui.help.{place}"), Tone.STRONG),), *_keys(place, texts, width, keymap), BLANK]
    lines += [(Span(texts("help.marks"), Tone.STRONG),), *_marks(texts, width), BLANK]
    for key in SECTIONS:
        lines += [*_wrapped(texts(key), width), BLANK]
    return lines


def _wrapped(text: str, width: int) -> list[Line]:
    return [(Span(line),) for line in wrap(text, width)]


def _keys(place: Place, texts: Texts, width: int, keymap: Mapping[str, str]) -> Iterator[Line]:
    """Yield the keys of a place, side by side where there is room; those of the app stand with the main screen's."""
    places = (Place.MAIN, Place.APP) if place is Place.MAIN else (place,)
    keyed, keyless = dict[tuple[str, str], None](), dict[tuple[str, str], None]()
    for action in ACTIONS:
        if action.place in places and (action.shown or not action.keys):
            label, said = key_label(action, texts, keymap), texts(action.command or action.hint)
            (keyed if label else keyless)[label, said] = None
    yield from _beside(keyed, width)
    if keyless:
        by_name = key_label(action_of(BY_NAME), texts, keymap)
        yield BLANK
        yield from ((Span(line, Tone.STRONG),) for line in wrap(texts("tui.help.by_name", key=by_name), width))
        yield from _beside(keyless, width)


def _beside(told: Iterable[tuple[str, str]], width: int) -> Iterator[Line]:
    """Yield keys and what they do in as many columns as fit."""
    across = max(1, width // PAIR_CELLS)
    room = width // across - KEY_CELLS
    pairs = [(Span(fitted(key, KEY_CELLS), Tone.KEY), Span(fitted(said, room))) for key, said in told]
    for start in range(0, len(pairs), across):
        yield tuple(span for pair in pairs[start : start + across] for span in pair)


def _marks(texts: Texts, width: int) -> Iterator[Line]:
    """Yield glyph and word of every state, in as many columns as fit; states that look alike stand once."""
    told: dict[tuple[str, str], Mark] = {}
    for each in (*VERDICT_MARKS.values(), *TOOL_MARKS.values()):
        told.setdefault((each.glyph, each.word(texts)), each)
    cells = [f"{glyph} {word}" for glyph, word in told]
    across = max(1, width // MARK_CELLS)
    for start in range(0, len(cells), across):
        yield (Span("".join(fitted(cell, MARK_CELLS) for cell in cells[start : start + across])),)
