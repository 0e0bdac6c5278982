"""The lines at the top and the bottom: what is watched and how it stands; which keys do what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, tzinfo
from typing import NamedTuple

from textual.app import ComposeResult
from textual.timer import Timer

from ..core.texts import Texts, wrap, zone_name
from .clock_spot import CLOCK_CELLS, ClockSpot
from .keys import Action, key_label, keymap_of
from .line_view import LineView
from .link_lines import link_wordings
from .safe_text import BLANK, Ground, Line, Span, Tone, joined, line_cells, on_ground, padded
from .standing import Standing
from .watched import Watched

MOST_NOTICE_LINES = 4
APART = 2
"""Cells between the parts of the header."""

COUNT_TONES: Mapping[Standing, Tone] = {
    Standing.RUNNING: Tone.INFO,
    Standing.ANSWER: Tone.GOOD,
    Standing.NOT_ANSWER: Tone.BAD,
    Standing.UNSURE: Tone.UNSURE,
}


def counts_line(watched: Watched, texts: Texts, *, short: bool = False) -> Line:
    """Return how many rounds run, are answers, are not, and are unsure; then what could not be read."""
    parts: list[Line] = []
    if watched.shown.filter is not None:
        parts.append((Span(_filtered(watched, texts, short=short), Tone.KEY),))
    for standing, tone in COUNT_TONES.items():
        n = watched.counts[standing]
        if n or standing in (Standing.RUNNING, Standing.ANSWER, Standing.NOT_ANSWER):
            key = f"tui.count_short.{standing}" if short else f"ui.count_{standing}"
            parts.append((Span(texts(key, n=n), tone if n else Tone.DIM),))
    if unreadable := watched.unreadable_events:
        parts.append((Span(texts("tui.count.unreadable", n=unreadable), Tone.WARN),))
    if unknown := watched.unknown_events:
        parts.append((Span(texts("tui.count.unknown", n=unknown), Tone.WARN),))
    return joined(parts, "  " if short else "   ")


def problems_line(watched: Watched, texts: Texts) -> Line:
    """Return the one count that is never left out: rounds that are no answers."""
    n = watched.counts[Standing.NOT_ANSWER]
    return (Span(texts("tui.count_short.not_answers", n=n), Tone.BAD if n else Tone.DIM),)


def _filtered(watched: Watched, texts: Texts, *, short: bool) -> str:
    """Return how many rounds the filter lets through, so far."""
    n, total = len(watched.shown.rows), len(watched.tree)
    said = texts("tui.count_short.filtered" if short else "ui.filter_count", n=n, total=total)
    return said if watched.shown.is_settled else f"{said} …"


class Wording(NamedTuple):
    """One way to say the header: the parts of its line, and whether the last one leaves room for the clock."""

    left: Line
    middle: Line
    right: Line
    has_clock: bool = False


class HeaderBar(LineView):
    """One line: name, source, feed, counts, language, local time. What matters least goes first when it is narrow."""

    def __init__(
        self,
        watched: Watched,
        source_name: str,
        texts: Callable[[], Texts],
        clock: Callable[[], datetime],
        monotonic: Callable[[], float],
        zone: tzinfo | None,
    ) -> None:
        """Show ``watched`` under the name of its source."""
        super().__init__(id="header")
        self._watched = watched
        self._source_name = source_name
        self._texts = texts
        self._clock = clock
        self._monotonic = monotonic
        self._zone = zone
        self._spot = ClockSpot(clock, zone)
        self._has_clock = False
        self._aged: tuple[list[Line], Line] | None = None

    def compose(self) -> ComposeResult:
        """Yield the clock, which stands in the room that the line leaves for it."""
        yield self._spot

    def repaint(self) -> None:
        """Draw what has changed, and the clock where there is room for it."""
        super().repaint()
        if self._has_clock:
            self._spot.place(1 + line_cells(self._zone_part()))
            self._spot.repaint()
        self._spot.display = self._has_clock

    def tick(self) -> None:
        """Draw the clock; of the rest, while nothing comes, only what time itself has changed."""
        if self._aged != self._by_time():
            self.repaint()
        elif self._has_clock:
            self._spot.repaint()

    def _by_time(self) -> tuple[list[Line], Line]:
        """Return what the clock changes in the line: how the links stand, and the name of the zone."""
        return list(link_wordings(self._watched.hubs, self._texts(), self._monotonic())), self._zone_part()

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the one line, its parts spread over the width."""
        wording = Wording(BLANK, BLANK, BLANK)
        for wording in self._wordings():
            if _cells_of(*wording[:3]) <= width:
                break
        self._has_clock = wording.has_clock
        return [_spread(*wording[:3], width)]

    def _zone_part(self) -> Line:
        zone = zone_name(self._clock(), self._zone)
        return (Span(f" {zone}"),) if zone else BLANK

    def _wordings(self) -> Iterator[Wording]:
        """Yield left, middle and right, the fullest first: the link goes last, then problems, then the language."""
        texts, watched = self._texts(), self._watched
        links, zone = self._aged = self._by_time()
        language = (Span(texts.locale.upper(), Tone.DIM),)
        right = (Span(f"{texts.locale.upper()}  ", Tone.DIM), Span(" " * CLOCK_CELLS), *zone)
        name = (Span("roundwatch", Tone.KEY),)
        source = (Span(self._source_name, Tone.DIM),)
        long = counts_line(watched, texts)
        full, *shorter = links
        yield Wording(joined((name, source, full)), long, right, has_clock=True)
        yield Wording(joined((name, full)), long, right, has_clock=True)
        yield Wording(full, long, right, has_clock=True)
        short, problems = counts_line(watched, texts, short=True), problems_line(watched, texts)
        yield Wording(full, short, right, has_clock=True)
        yield Wording(full, short, language)
        for link in shorter:
            yield Wording(link, short, language)
        for link in links:
            yield Wording(link, problems, language)
        yield Wording(links[-1], problems, BLANK)
        yield Wording(links[-1], BLANK, BLANK)


def _cells_of(*parts: Line) -> int:
    """Return the cells that parts of a line take, two blanks between them and one at each side."""
    there = [line_cells(part) for part in parts if part]
    return sum(there) + APART * (len(there) - 1) + 2


def _spread(left: Line, middle: Line, right: Line, width: int) -> Line:
    """Return three parts in one line: at the left, in the middle of what is left, at the right."""
    room = width - 2 - line_cells(left) - line_cells(middle) - line_cells(right)
    before = max(min(APART, room), room // 2)
    line = (Span(" "), *left, Span(" " * before), *middle, Span(" " * max(0, room - before)), *right)
    return on_ground(padded(line, width, Ground.BAR), Ground.BAR)


class FooterBar(LineView):
    """One line: the keys that count where the operator is, the most needed first."""

    def __init__(self, actions: Callable[[], list[Action]], texts: Callable[[], Texts]) -> None:
        """Show what ``actions`` gives at the moment."""
        super().__init__(id="footer")
        self._actions = actions
        self._texts = texts
        self._notice = ""
        self._silence: Timer | None = None

    def say(self, notice: str, seconds: float) -> None:
        """Show a notice instead of the keys for some seconds, on as many lines as it takes."""
        if self._silence is not None:
            self._silence.stop()
        self._silence = self.set_timer(seconds, self.say_no_more) if notice else None
        self._notice = notice
        self.styles.height = len(self._notice_lines(self.size.width)) or None
        self.repaint()

    def say_no_more(self) -> None:
        """Show the keys again."""
        self.say("", 0)

    def _notice_lines(self, width: int) -> list[Line]:
        said = wrap(self._notice, max(8, width - 2))[:MOST_NOTICE_LINES] if self._notice else []
        return [on_ground(padded((Span(f" {line}", Tone.WARN),), width, Ground.BAR), Ground.BAR) for line in said]

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the notice, else as many hints as fit, none of them cut."""
        if self._notice:
            return self._notice_lines(width)
        line: Line = BLANK
        for hint in self._hints():
            longer = joined((line, hint), "  ")
            if line_cells(longer) + 1 > width:
                break
            line = longer
        return [on_ground(padded((Span(" "), *line), width, Ground.BAR), Ground.BAR)]

    def _hints(self) -> Iterator[Line]:
        texts, keymap = self._texts(), keymap_of(self)
        for action in self._actions():
            if label := key_label(action, texts, keymap):
                yield (Span(label, Tone.KEY), Span(f" {texts(action.hint)}"))
