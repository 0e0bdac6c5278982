"""Short hand for tests of lines: their text, and a round made of scene lines."""

from __future__ import annotations

from collections.abc import Iterable

from roundwatch.core.rounds import Ledger, Round, parse_event
from roundwatch.core.texts import Texts
from roundwatch.tui.feed import FeedGap
from roundwatch.tui.safe_text import Line
from roundwatch.tui.timeline import BlockCache, Layout, Timeline

from tests.scenes import NOW, Lines
from tests.stage import ZONE

EN, DE = Texts.load("en"), Texts.load("de")


def text(line: Line) -> str:
    return "".join(span.text for span in line).rstrip()


def texts(lines: Iterable[Line]) -> list[str]:
    return [text(line) for line in lines]


def round_of(lines: Lines) -> Round:
    """The first round that the lines name."""
    ledger = Ledger()
    ledger.apply_all(parse_event(line) for line in lines)
    return ledger.rounds[lines[0]["round"]]


def timeline_of(
    lines: Lines, width: int = 66, locale: Texts = EN, gaps: tuple[FeedGap, ...] = (), shown: int = 1000
) -> Timeline:
    return Timeline(round_of(lines), gaps, Layout(width, locale, ZONE, shown), NOW, (None, None), BlockCache())


def told(lines: Lines, width: int = 66, locale: Texts = EN, gaps: tuple[FeedGap, ...] = ()) -> list[str]:
    """A round's whole timeline as text."""
    timeline = timeline_of(lines, width, locale, gaps)
    return [text(line) for line, _ in timeline.window(0, timeline.height, NOW)]
