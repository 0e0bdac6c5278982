"""Where a watcher starts: the first frames it gets, decided from what it asked and what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from .frames import Gap, GapWhy
from .gate import BEGIN


@dataclass(frozen=True, slots=True)
class Start:
    """Send ``gap`` where there is one, then everything after ``position``."""

    position: int
    gap: Gap | None = None


def start_of(after: tuple[str, int] | str | None, stream: str, first: int, last: int) -> Start:
    """Return where to start for ``after`` (see ``Admission``) in a stream that keeps ``first`` to ``last``."""
    if after is None:
        return Start(last)
    if isinstance(after, str):
        assert after == BEGIN
        return Start(first - 1)
    named, seq = after
    if named != stream:
        return Start(first - 1, gap(seq + 1, None, GapWhy.STREAM_CHANGED))
    if seq > last:
        return Start(last, gap(last + 1, seq, GapWhy.REWOUND))
    if seq + 1 < first:
        return Start(first - 1, gap(seq + 1, first - 1, GapWhy.TRIMMED))
    return Start(seq)


def gap(start: int, end: int | None, why: GapWhy) -> Gap:
    """Return the frame that says ``start`` to ``end`` do not come."""
    return Gap(from_=start, to=end, why=why)
