"""Durations: exact ones for figures, long ones for limits and spans, short ones for lists."""

from __future__ import annotations

from decimal import Decimal

from .numbers import UNKNOWN, exact, half_up, is_finite
from .texts import Texts

MINUTE_S, HOUR_S, DAY_S = 60, 3_600, 86_400
WHOLE_FROM_MS = 59_950  # what would be written as 60.0 s
HOURS_UP_TO_S = 100 * HOUR_S
"""Below this a span is told in hours: "27 h 27 min" is read faster than "1 d 3 h"."""

_STEPS = (
    (HOURS_UP_TO_S, DAY_S, "unit.d", HOUR_S, "unit.h"),
    (HOUR_S, HOUR_S, "unit.h", MINUTE_S, "unit.min"),
    (MINUTE_S, MINUTE_S, "unit.min", 1, "unit.s"),
)
"""From how many seconds on, which two units: their sizes in seconds and their texts."""


def duration(ms: float | None, texts: Texts) -> str:
    """Return a measured time: whole milliseconds below one second, else seconds with one decimal, half up.

    Args:
        ms: milliseconds; None = not reported, shown as ``–``.
    """
    if ms is None or not is_finite(ms):
        return UNKNOWN
    whole = half_up(ms, 0)
    if abs(whole) < 1000:
        shown = texts("unit.ms", value=texts.number(whole or 0))
    else:
        shown = texts("unit.s", value=texts.number(exact(ms).scaleb(-3), places=1))
    return texts("number.implausible", value=shown) if ms < 0 else shown


def span(seconds: float | Decimal | None, texts: Texts) -> str:
    """Return a span in its two largest units, the rest dropped: ``27 h 27 min``, ``10 min``, ``1.5 s``."""
    if seconds is None or not is_finite(seconds):
        return UNKNOWN
    if seconds < 0:
        return texts("number.implausible", value="-" + span(-seconds, texts))
    if seconds < MINUTE_S:
        whole = seconds == int(seconds)
        return texts("unit.s", value=texts.number(seconds)) if whole else duration(float(exact(seconds) * 1000), texts)
    total = int(seconds)
    _, size, unit, below, below_unit = next(step for step in _STEPS if total >= step[0])
    more, rest = divmod(total, size)
    parts = [texts(unit, value=texts.number(more))]
    if rest >= below:
        parts.append(texts(below_unit, value=texts.number(rest // below)))
    return " ".join(parts)


def span_of_ms(ms: float, texts: Texts) -> str:
    """Return a span that is given in milliseconds."""
    return span(exact(ms) / 1000 if is_finite(ms) else None, texts)


def earlier(seconds: float, texts: Texts) -> str:
    """Return how long before something else a thing happened: ``27 h 27 min earlier``."""
    return texts("time.earlier", span=span(seconds, texts))


def ago(seconds: float, texts: Texts) -> str:
    """Return how long ago a thing happened: ``12 min ago``."""
    return texts("time.ago", span=span(seconds, texts))


def short_duration(ms: float | None, texts: Texts) -> str:
    """Return a time for a narrow column: ``43 ms``, ``41 s``, ``12 min``, ``3 h 05 min``, ``5 d 03 h``."""
    if ms is None or not is_finite(ms):
        return UNKNOWN
    if half_up(ms, 0) < 1000:
        return duration(ms, texts)
    total = int(half_up(exact(ms) / Decimal(1000), 0))
    if total < MINUTE_S:
        return texts("unit.s", value=texts.number(total))
    if total < HOUR_S:
        return texts("unit.min", value=texts.number(total // MINUTE_S))
    if total < HOURS_UP_TO_S:
        return _pair(total, HOUR_S, "unit.h", MINUTE_S, "unit.min", texts)
    return _pair(total, DAY_S, "unit.d", HOUR_S, "unit.h", texts)


def head_duration(ms: float | None, texts: Texts) -> str:
    """Return a time for the head of a round: ``38.4 s`` as in its figures, from a minute on as in a list."""
    return (
        short_duration(ms, texts) if ms is not None and is_finite(ms) and ms >= WHOLE_FROM_MS else duration(ms, texts)
    )


def _pair(total: int, size: int, unit: str, below: int, below_unit: str, texts: Texts) -> str:
    more, rest = divmod(total, size)
    return f"{texts(unit, value=texts.number(more))} {texts(below_unit, value=f'{rest // below:02}')}"
