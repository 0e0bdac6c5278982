"""Raw event lines on screen: cleaned for the eye, bounded, and honest about what is not in memory."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.texts import Texts, clean, wrap
from .raw_log import RawLines
from .safe_text import Line, Span, Tone, cut

SHOWN_BESIDE, SHOWN_ALONE = 100, 2000
"""Newest lines laid out below everything else that is known of a call, and where there is nothing else."""
LINE_CHARS = 4000
"""Characters of one line that are laid out; the size of the whole is said."""


def raw_lines(raw: RawLines | None, texts: Texts, width: int, most: int) -> Iterator[Line]:
    """Yield a heading and the newest ``most`` lines, each with its number, in at most ``width`` cells."""
    yield (Span(cut(texts("tui.raw.heading"), width), Tone.KEY),)
    if raw is None:
        yield from _said(texts("tui.raw.not_held"), width)
        return
    if raw.dropped:
        yield from _said(texts("tui.raw.dropped", n=raw.dropped), width)
    elif not raw.is_whole:
        yield from _said(texts("tui.raw.not_whole"), width)
    hidden = max(0, len(raw.lines) - most)
    if hidden:
        yield from _said(texts("tui.raw.hidden", n=hidden), width)
    for number, line in enumerate(raw.lines[hidden:], start=raw.dropped + hidden + 1):
        yield from _numbered(number, line, texts, width)


def _said(text: str, width: int) -> Iterator[Line]:
    yield from ((Span(line, Tone.WARN),) for line in wrap(text, width))


def _numbered(number: int, line: str, texts: Texts, width: int) -> Iterator[Line]:
    label = f"{number:>4}  "
    room = max(8, width - len(label))
    for place, piece in enumerate(wrap(clean(line[:LINE_CHARS], limit=None), room)):
        yield (Span(label if place == 0 else " " * len(label), Tone.DIM), Span(piece))
    if len(line) > LINE_CHARS:
        told = texts("tui.inspect.shown_first", n=len(line), kept=LINE_CHARS)
        yield from ((Span(" " * len(label)), Span(each, Tone.WARN)) for each in wrap(told, room))
