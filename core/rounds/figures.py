"""The numbers that a banner quotes: those of the last call, never a sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .reasons import reported

if TYPE_CHECKING:
    from .calls import Call


@dataclass(frozen=True, slots=True)
class Figures:
    """One call's own numbers; None means not reported."""

    call: str
    first_output_ms: float | None = None
    total_ms: float | None = None
    output_tokens: int | None = None
    input_tokens: int | None = None
    reasoning_tokens: int | None = None
    finish_reason: str | None = None
    """The wire value, verbatim."""
    native_finish_reason: str | None = None
    finish_repeated: tuple[str, ...] = ()
    output_seen: bool = False
    """Some output arrived, whether or not its time is known."""
    derived: frozenset[str] = frozenset()
    """Names of the values that come from differences of ``at``, not from the producer's own clock."""

    def as_json(self) -> Mapping[str, object]:
        """Return the figures as JSON-ready values; absent ones are null."""
        return {
            "call": self.call,
            "first_output_ms": self.first_output_ms,
            "total_ms": self.total_ms,
            "output_tokens": self.output_tokens,
            "input_tokens": self.input_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "finish_reason": self.finish_reason,
            "native_finish_reason": self.native_finish_reason,
            "finish_repeated": list(self.finish_repeated),
            "derived": sorted(self.derived),
        }


def figures(call: Call) -> Figures:
    """Return the figures of ``call`` as it stands now."""
    usage = call.usage
    return Figures(
        call=call.id,
        first_output_ms=call.first_output_ms,
        total_ms=call.total_ms,
        output_tokens=usage.output_tokens,
        input_tokens=usage.input_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        finish_reason=reported(call.finish_reason),
        native_finish_reason=reported(call.native_finish_reason),
        finish_repeated=call.finish_repeated,
        output_seen=call.output_seen,
        derived=call.derived,
    )
