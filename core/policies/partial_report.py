"""What a parent is told of a delegate that ran out of time: whatever the producer gives, and never by raising."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

from .partial import SOURCE_REASONING

MAX_PARTIAL_CHARS = 20_000
"""The end of a longer payload is kept: the newest work is there, and its closing label."""
NO_SOURCE = "none"
UNKNOWN_SOURCE = "unknown"


class GuidanceKind(StrEnum):
    """How a parent model has to read what was recovered."""

    NONE = "none"
    TEXT = "text"
    REASONING = "reasoning"


GUIDANCE: Mapping[GuidanceKind, str] = {
    GuidanceKind.NONE: (
        "The delegate did not finish in time. There is nothing recovered, and nothing here is a result; "
        "do not report one."
    ),
    GuidanceKind.TEXT: (
        "The delegate did not finish in time. What was recovered is unfinished work from mid-flight: not checked, "
        "not concluded, not self-reviewed. It is not a result; verify whatever you use of it."
    ),
    GuidanceKind.REASONING: (
        "The delegate did not finish in time. What was recovered is its private reasoning and tool-call trace: "
        "evidence of what it was doing, addressed to nobody. It is not an answer and must not be quoted as one."
    ),
}
"""Says how to read the payload, and never holds any of it."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """What is known about the delegate beside its partial; None = not known."""

    timeout_s: float | None = None
    elapsed_s: float | None = None
    resumable: bool | None = None
    status: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class TimeoutReport:
    """A delegate's time-out for its parent. There is no ``response``: that key means success."""

    partial_available: bool
    partial_response: str | None
    """The end of the payload; None when there is none."""
    partial_segments: int
    partial_source: str
    partial_truncated: bool
    partial_chars_total: int
    """Of the whole payload, before its beginning was cut off."""
    guidance_kind: GuidanceKind
    resumption: Resumption = field(default_factory=Resumption)

    @property
    def guidance(self) -> str:
        """The sentences for the parent model, how much of the payload it sees included."""
        said = GUIDANCE[self.guidance_kind]
        if not self.partial_truncated or self.partial_response is None:
            return said
        kept = len(self.partial_response)
        return f"{said} Truncated: only the last {kept} of {self.partial_chars_total} characters are given."

    def as_json(self) -> dict[str, object]:
        """Return the report as it goes to the parent; what is not known is left out of the metadata."""
        about = {
            "timeout_seconds": self.resumption.timeout_s,
            "elapsed_s": self.resumption.elapsed_s,
            "resumable": self.resumption.resumable,
            "resume_status": self.resumption.status,
            "recovery_message": self.resumption.message,
        }
        return {
            "status": "timeout",
            "completed": False,
            "partial_available": self.partial_available,
            "partial_response": self.partial_response,
            "partial_segments": self.partial_segments,
            "partial_source": self.partial_source,
            "partial_truncated": self.partial_truncated,
            "partial_chars_total": self.partial_chars_total,
            "guidance": self.guidance,
            "metadata": {name: value for name, value in about.items() if value is not None},
        }


def guidance_kind(text: object, source: object) -> GuidanceKind:
    """Return how recovered ``text`` is to be read; neither value is trusted to be a string.

    Only the exact source of reasoning counts as such. A source nobody knows may hold prose, and reading prose as
    *unfinished work* is the careful way.
    """
    if not isinstance(text, str) or not text.strip():
        return GuidanceKind.NONE
    return GuidanceKind.REASONING if source == SOURCE_REASONING else GuidanceKind.TEXT


def timeout_report(
    partial: object, *, max_chars: int = MAX_PARTIAL_CHARS, resumption: Resumption | None = None
) -> TimeoutReport:
    """Return the report for what a producer gave: a mapping with ``text``, ``segments``, ``source``, or anything.

    Args:
        partial: None or malformed counts as nothing recovered.
        max_chars: how much of the payload is kept, from its end.
        resumption: what is known beside it.
    """
    nothing: Mapping[object, object] = {}
    given = cast("Mapping[object, object]", partial) if isinstance(partial, Mapping) else nothing
    text, source, segments = given.get("text"), given.get("source"), given.get("segments")
    known = resumption or Resumption()
    kind = guidance_kind(text, source)
    if not isinstance(text, str) or kind is GuidanceKind.NONE:
        return TimeoutReport(False, None, 0, NO_SOURCE, False, 0, kind, known)
    kept = min(len(text), max(0, max_chars))
    return TimeoutReport(
        partial_available=True,
        partial_response=text[len(text) - kept :],
        partial_segments=segments if isinstance(segments, int) and segments >= 0 else 0,
        partial_source=source if isinstance(source, str) and source else UNKNOWN_SOURCE,
        partial_truncated=kept < len(text),
        partial_chars_total=len(text),
        guidance_kind=kind,
        resumption=known,
    )


def ask_producer(
    producer: Callable[[], object] | None,
    *,
    max_chars: int = MAX_PARTIAL_CHARS,
    resumption: Resumption | None = None,
) -> TimeoutReport:
    """Return the report of a producer's partial; one that is absent or raises counts as nothing recovered.

    Never raises: the time-out path runs inside a batch, and the siblings' results have to survive it.
    """
    try:
        return timeout_report(producer() if producer is not None else None, max_chars=max_chars, resumption=resumption)
    except Exception:  # noqa: BLE001 (foreign code: whatever it raises, the batch goes on)
        return timeout_report(None, max_chars=max_chars, resumption=resumption)
