"""A model call in Amplifier's log, and what its entries say of counts and faults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ...rounds.base import CallError, Usage
from .fields import Object, count_of, object_of, word_of
from .told_text import ERROR_CHARS, bounded
from .values import between_ms


@dataclass(slots=True)
class AmplifierCall:
    """The newest request."""

    id: str
    left_at: datetime | None
    attempt: int
    provider: str | None
    model: str | None
    is_over: bool = False
    first_output_ms: float | None = None

    def puts_out(self, at: datetime | None) -> None:
        """Take note that a block of its response begins; the first one counts."""
        if self.first_output_ms is None:
            self.first_output_ms = between_ms(self.left_at, at)

    @staticmethod
    def cap_of(data: Object) -> int | None:
        """Return the cap that a request was sent with."""
        cap = count_of(data.get("max_tokens"))
        return cap if cap is not None else count_of(data.get("max_output_tokens"))


def usage_of(usage: Object) -> Usage | None:
    """Return the provider's own counts, under either of the names they are logged with."""
    counts = {name: _count(usage, name) for name in ("input", "output", "reasoning", "cache_read", "cache_write")}
    if all(number is None for number in counts.values()):
        return None
    return Usage(**{f"{name}_tokens": number for name, number in counts.items()})


def _count(usage: Object, name: str) -> int | None:
    number = count_of(usage.get(name))
    return number if number is not None else count_of(usage.get(f"{name}_tokens"))


def error_of(record: Object, data: Object) -> CallError:
    """Return what an entry says went wrong: its ``error`` is a text or an object."""
    raw = data.get("error") or record.get("error")
    error = object_of(raw)
    said = raw if isinstance(raw, str) else None
    said = said or word_of(error.get("message")) or word_of(error.get("msg")) or word_of(data.get("message"))
    return CallError(
        kind=word_of(error.get("type")) or word_of(data.get("error_type")) or "error",
        http_status=count_of(error.get("status_code")) or count_of(data.get("status_code")),
        message=bounded(said, ERROR_CHARS) if said else None,
    )
