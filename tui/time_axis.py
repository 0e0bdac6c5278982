"""One time axis a round, and each call's bar on it: waiting, then streaming, where somebody told them apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ..core.rounds import Call, Round
from .safe_text import Line, Span, Tone

WAITING, STREAMING, UNTIMED = "·", "█", "░"
LEFT_END, RIGHT_END = "▕", "▏"


@dataclass(frozen=True, slots=True)
class Stretch:
    """One call on the axis, in milliseconds from the round's start."""

    start: float
    first: float | None
    """First output; None = none came, or nobody timed it."""
    end: float
    is_untimed: bool = False
    """Output came, and nobody timed the first."""


class EarlierCalls:
    """How far the calls reach that came before those on screen; each that has ended is looked at once.

    Late news of one of them count when the round ends: then all are looked at again.
    """

    def __init__(self) -> None:
        """Know of none."""
        self.count = 0
        self.reached = 0.0
        """Milliseconds from the round's start."""
        self._seen: tuple[Call | None, bool] = (None, False)

    def pass_to(self, round_: Round, number: int) -> None:
        """Pass over the calls before that ``number``, counted from 0, as far as they have ended one after another."""
        last, was_over = self._seen
        is_known = 0 < self.count <= number and round_.calls[self.count - 1] is last
        if not is_known or round_.is_over is not was_over:
            self.count, self.reached = 0, 0.0
        origin = round_.started_at or round_.first_at
        for call in round_.calls[self.count : number]:
            if not call.is_over:
                break
            if call.total_ms is not None:
                start = _ms(origin, call.started_at) if origin and call.started_at else self.reached
                self.reached = max(self.reached, start + call.total_ms)
            self.count += 1
        self._seen = (round_.calls[self.count - 1] if self.count else None, round_.is_over)


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """From the round's start to its end, or to now while it runs."""

    length: float
    stretches: Mapping[str, Stretch]
    """By call id; a call whose times are not known is missing."""

    @classmethod
    def of(cls, round_: Round, now: datetime, earlier: EarlierCalls | None = None) -> TimeAxis:
        """Lay the calls of ``round_`` out; one without a moment of its own starts where the one before ended.

        Args:
            earlier: calls that nobody sees, which are passed over.
        """
        origin = round_.started_at or round_.first_at
        stretches: dict[str, Stretch] = {}
        reached, first = (earlier.reached, earlier.count) if earlier is not None else (0.0, 0)
        for call in round_.calls[first:]:
            stretch = _stretch(call, origin, reached, now, open_=not round_.is_over)
            if stretch is not None:
                stretches[call.id] = stretch
                reached = max(reached, stretch.end)
        end = round_.ended_at or round_.last_at if round_.is_over else now
        length = _ms(origin, end) if origin is not None and end is not None else 0.0
        return cls(max(length, reached), stretches)

    def bar(self, call: Call, cells: int) -> Line | None:
        """Return the call's bar in ``cells`` cells, ends included; None when its times are not known."""
        stretch, inner = self.stretches.get(call.id), cells - len(LEFT_END) - len(RIGHT_END)
        if stretch is None or inner < 1:
            return None
        start, end = self._cell(stretch.start, inner), self._cell(stretch.end, inner)
        first = end if stretch.first is None else self._cell(stretch.first, inner)
        start = min(start, inner - 1)
        end = max(end, start + 1)
        if stretch.is_untimed:
            return (
                Span(LEFT_END + " " * start, Tone.FRAME),
                Span(UNTIMED * (end - start), Tone.STREAMING),
                Span(" " * (inner - end) + RIGHT_END, Tone.FRAME),
            )
        first = min(max(first, start), end)
        if stretch.first is not None and first == end:
            first = end - 1  # some output came, however little of the axis it takes
        return (
            Span(LEFT_END + " " * start, Tone.FRAME),
            Span(WAITING * (first - start), Tone.WAITING),
            Span(STREAMING * (end - first), Tone.STREAMING),
            Span(" " * (inner - end) + RIGHT_END, Tone.FRAME),
        )

    def _cell(self, ms: float, cells: int) -> int:
        if self.length <= 0:
            return 0
        return max(0, min(cells, round(ms / self.length * cells)))


def _stretch(call: Call, origin: datetime | None, reached: float, now: datetime, *, open_: bool) -> Stretch | None:
    start = _ms(origin, call.started_at) if origin is not None and call.started_at is not None else reached
    first = call.first_output_ms
    end = start + call.total_ms if call.total_ms is not None else None
    if end is None:
        if call.is_over or not open_ or origin is None:
            return None
        end = max(start, _ms(origin, now))
    if first is not None:
        return Stretch(start, start + first, end)
    return Stretch(start, None, end, is_untimed=call.output_seen or bool(call.usage.output_tokens))


def _ms(start: datetime, end: datetime) -> float:
    return max(0.0, (end - start).total_seconds() * 1000)
