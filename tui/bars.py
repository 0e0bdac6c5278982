"""The lines at the top and the bottom: what is watched and how it stands; which keys do what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, tzinfo
from math import ceil

from textual.timer import Timer

from ..core.texts import Texts, clock_time, span, wrap, zone_name
from .feed import Feed, FeedState
from .keys import Action, key_label, keymap_of
from .line_view import LineView
from .safe_text import BLANK, Ground, Line, Span, Tone, joined, line_cells, on_ground, padded
from .watched import Standing, Watched

FEED_LOOKS: Mapping[FeedState, tuple[str, Tone]] = {
    FeedState.CONNECTING: ("○", Tone.INFO),
    FeedState.CATCHING_UP: ("◔", Tone.INFO),
    FeedState.REPLAYING: ("◔", Tone.INFO),
    FeedState.LIVE: ("●", Tone.GOOD),
    FeedState.RECONNECTING: ("↻", Tone.WARN),
    FeedState.REFUSED: ("✕", Tone.BAD),
    FeedState.FAILED: ("‼", Tone.BAD),
    FeedState.ENDED: ("■", Tone.INFO),
}

QUIET_S = 30.0
"""Three missed signs of life are a matter of the link; a feed that lives and says nothing for this long is told."""

MOST_NOTICE_LINES = 4

COUNT_TONES: Mapping[Standing, Tone] = {
    Standing.RUNNING: Tone.INFO,
    Standing.ANSWER: Tone.GOOD,
    Standing.NOT_ANSWER: Tone.BAD,
    Standing.UNSURE: Tone.UNSURE,
}


def feed_line(feed: Feed, texts: Texts, heard: float) -> Line:
    """Return how it stands with the source: its state, then what is missing from the view."""
    glyph, tone = FEED_LOOKS[feed.state]
    if feed.state is FeedState.RECONNECTING and feed.retry_at is not None:
        left = max(0, ceil(feed.retry_at - heard))
        said = texts("link.reconnecting", span=span(left, texts)) if left else texts("link.connecting")
    else:
        said = _state_words(feed, texts, heard)
    parts = [(Span(f"{glyph} {said}", tone),)]
    if feed.is_partial:
        known = texts("link.partial", n=feed.missing)
        missing = texts("link.partial_unknown") if feed.missing_unknown else known
        parts.append((Span(f"◐ {missing}", Tone.WARN),))
    return joined(parts, "  ")


def _state_words(feed: Feed, texts: Texts, heard: float) -> str:
    match feed.state:
        case FeedState.LIVE if feed.heard is not None and heard - feed.heard >= QUIET_S:
            return texts("link.quiet", span=span(int(heard - feed.heard), texts))
        case FeedState.CATCHING_UP if feed.last is not None and feed.last >= feed.first:
            done = max(0, min(feed.seq, feed.last) - feed.first + 1)
            return texts("link.catching_up", done=done, total=feed.last - feed.first + 1)
        case FeedState.REPLAYING if feed.speed > 0:
            return texts("link.replaying", speed=feed.speed)
        case FeedState.REPLAYING:
            return texts("tui.feed.catching_up")
        case FeedState.LIVE | FeedState.CONNECTING:
            return texts(f"link.{feed.state}")
        case FeedState.ENDED:
            return texts("link.replay_ended")
        case _:
            return texts(f"tui.feed.{feed.state}")


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
    if watched.feed.unreadable:
        parts.append((Span(texts("tui.count.unreadable", n=watched.feed.unreadable), Tone.WARN),))
    if watched.ledger.unknown_events:
        parts.append((Span(texts("tui.count.unknown", n=watched.ledger.unknown_events), Tone.WARN),))
    return joined(parts, "  " if short else "   ")


def _filtered(watched: Watched, texts: Texts, *, short: bool) -> str:
    """Return how many rounds the filter lets through, so far."""
    n, total = len(watched.shown.rows), len(watched.tree)
    said = texts("tui.count_short.filtered" if short else "ui.filter_count", n=n, total=total)
    return said if watched.shown.is_settled else f"{said} …"


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

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the one line, its parts spread over the width."""
        texts, now = self._texts(), self._clock()
        feed = feed_line(self._watched.feed, texts, self._monotonic())
        time = f"{clock_time(now, self._zone)} {zone_name(now, self._zone)}".rstrip()
        right = (Span(f"{texts.locale.upper()}  ", Tone.DIM), Span(time))
        short_right = (Span(texts.locale.upper(), Tone.DIM),)
        name = (Span("roundwatch", Tone.KEY),)
        source = (Span(self._source_name, Tone.DIM),)
        long, short = counts_line(self._watched, texts), counts_line(self._watched, texts, short=True)
        for left, middle, end in (
            (joined((name, source, feed)), long, right),
            (joined((name, feed)), long, right),
            (feed, long, right),
            (feed, short, right),
            (feed, short, short_right),
            (feed, short, BLANK),
            (feed, BLANK, BLANK),
        ):
            if line_cells(left) + line_cells(middle) + line_cells(end) + (8 if end else 4) <= width or not middle:
                return [_spread(left, middle, end, width)]
        return [BLANK]


def _spread(left: Line, middle: Line, right: Line, width: int) -> Line:
    """Return three parts in one line: at the left, in the middle of what is left, at the right."""
    room = width - 2 - line_cells(left) - line_cells(middle) - line_cells(right)
    before = max(0, room // 2)
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
