"""The one way to the screen: pieces of text that are clean by construction, with a tone instead of markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from rich.cells import cell_len, set_cell_size

from ..core.texts import clean

_BLANKS = re.compile(r"(?:[ \t]|\r?\n)+")
CHARS_PER_CELL = 8  # combining marks take no cell; more of them than this on one letter are an attack, not a language


class Tone(StrEnum):
    """What a piece of text means; the theme decides its colour, and no meaning stands on colour alone."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    FRAME = "frame"
    FRAME_FOCUS = "frame-focus"
    KEY = "key"
    INFO = "info"
    GOOD = "good"
    UNSURE = "unsure"
    WARN = "warn"
    BAD = "bad"
    WAITING = "waiting"
    STREAMING = "streaming"


class Ground(StrEnum):
    """What a piece of text stands on."""

    NONE = "none"
    CURSOR = "cursor"
    CURSOR_BLURRED = "cursor-blurred"
    BAR = "bar"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of one line. Whatever it is made of, nothing in it can command a terminal."""

    text: str
    tone: Tone = Tone.PLAIN
    ground: Ground = Ground.NONE

    def __post_init__(self) -> None:
        """Make every control visible."""
        object.__setattr__(self, "text", clean(self.text))

    @property
    def cells(self) -> int:
        """Cells it takes, measured the way the compositor cuts lines."""
        return cell_len(self.text)


Line = tuple[Span, ...]
BLANK: Line = ()


def line_cells(line: Line) -> int:
    """Return the cells of a line."""
    return sum(span.cells for span in line)


def one_line(text: str) -> str:
    """Return ``text``, cleaned, in one line: blanks and line ends become one blank, any other control stays visible."""
    return clean(_BLANKS.sub(" ", text).strip(" "))


def fitted(text: str, cells: int, *, right: bool = False) -> str:
    """Return ``text``, cleaned, in exactly ``cells`` cells: padded, or cut and ended with ``…``."""
    if cells <= 0:
        return ""
    text = clean(text, limit=max(16, cells * CHARS_PER_CELL))
    used = cell_len(text)
    if used > cells:
        return set_cell_size(text, cells - 1) + "…"
    pad = " " * (cells - used)
    return pad + text if right else text + pad


def cut(text: str, cells: int) -> str:
    """Return ``text``, cleaned, in at most ``cells`` cells."""
    return fitted(text, cells).rstrip(" ") if cells > 0 else ""


def cut_start(text: str, cells: int) -> str:
    """Return the end of ``text`` in at most ``cells`` cells, from a whole word on; ``…`` stands for what is before."""
    text = clean(text)
    if cell_len(text) <= cells:
        return text
    kept = text[-max(1, cells - 2) :]
    while cell_len(kept) > cells - 2:
        kept = kept[1:]
    first_blank = kept.find(" ")
    return "… " + (kept[first_blank + 1 :] if 0 <= first_blank < len(kept) - 1 else kept)


def cut_line(line: Line, cells: int) -> Line:
    """Return ``line`` in at most ``cells`` cells; what does not fit ends with ``…``."""
    kept: list[Span] = []
    left = cells
    for span in line:
        if span.cells > left:
            kept.append(replace(span, text=cut(span.text, left)))
            break
        kept.append(span)
        left -= span.cells
    return tuple(kept)


def padded(line: Line, cells: int, ground: Ground = Ground.NONE) -> Line:
    """Return ``line`` in exactly ``cells`` cells; the padding stands on ``ground``."""
    line = cut_line(line, cells)
    missing = cells - line_cells(line)
    return (*line, Span(" " * missing, ground=ground)) if missing > 0 else line


def on_ground(line: Line, ground: Ground) -> Line:
    """Return ``line`` with every piece on ``ground``."""
    return tuple(replace(span, ground=ground) for span in line)


def joined(parts: Iterable[Line], gap: str = "   ") -> Line:
    """Return the non-empty parts in one line, ``gap`` between them."""
    spans: list[Span] = []
    for part in parts:
        if part:
            spans.extend((Span(gap), *part) if spans else part)
    return tuple(spans)
