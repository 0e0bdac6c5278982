"""Wire finish reasons to neutral stop reasons: one open table, the verbatim word always kept beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum


class StopReason(StrEnum):
    """Why a provider says generation ended. Not reported is None, never a member."""

    END = "end"
    STOP_SEQUENCE = "stop_sequence"
    TOOL_USE = "tool_use"
    OUTPUT_CAP = "output_cap"
    CONTEXT_WINDOW = "context_window"
    FILTERED = "filtered"
    REFUSED = "refused"
    PAUSED = "paused"
    MALFORMED = "malformed"
    PROVIDER_ERROR = "provider_error"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


_WORDS: dict[StopReason, str] = {
    StopReason.END: "stop end_turn STOP COMPLETE COMPLETED eos eos_token complete completed",
    StopReason.STOP_SEQUENCE: "stop_sequence STOP_SEQUENCE",
    StopReason.TOOL_USE: "tool_calls tool_use function_call TOOL_CALL toolUse tool-calls",
    StopReason.OUTPUT_CAP: "length max_tokens MAX_TOKENS max_output_tokens MAX_LEN MessageOutputLengthError",
    StopReason.CONTEXT_WINDOW: "model_context_window_exceeded model_length MAX_CONTEXT",
    StopReason.FILTERED: (
        "content_filter content_filtered SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII "
        "IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_OTHER IMAGE_RECITATION MODEL_ARMOR "
        "guardrail_intervened sensitive content-filter"
    ),
    StopReason.REFUSED: "refusal",
    StopReason.PAUSED: "pause_turn",
    StopReason.MALFORMED: (
        "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MISSING_THOUGHT_SIGNATURE "
        "MALFORMED_RESPONSE malformed_model_output malformed_tool_use"
    ),
    StopReason.PROVIDER_ERROR: "error ERROR TIMEOUT failed network_error insufficient_system_resource",
    StopReason.CANCELLED: "abort aborted cancelled",
}
_UNKNOWN = StopReason.UNKNOWN  # read off its enum for every word, it would cost more than the look-up
_NEUTRAL: dict[str, StopReason] = {word: reason for reason, words in _WORDS.items() for word in words.split()}

MALFORMED_RESPONSE_WORDS = frozenset(("MALFORMED_RESPONSE", "malformed_model_output"))
"""Malformed as a whole, not one tool call: judged as a provider error (outcomes.md 2.6.4)."""

CUT = frozenset((StopReason.OUTPUT_CAP, StopReason.CONTEXT_WINDOW))
"""The answer is cut; every tool call of the response is refused."""
NATURAL = frozenset((StopReason.END, StopReason.STOP_SEQUENCE))
"""The model chose to stop."""

_SEVERITY: tuple[frozenset[StopReason], ...] = (
    frozenset((StopReason.END, StopReason.STOP_SEQUENCE, StopReason.TOOL_USE)),
    frozenset((StopReason.UNKNOWN, StopReason.PAUSED)),
    CUT,
    frozenset((StopReason.FILTERED, StopReason.REFUSED)),
    frozenset((StopReason.MALFORMED,)),
    frozenset((StopReason.PROVIDER_ERROR, StopReason.CANCELLED)),
)
"""Mildest first (outcomes.md 2.6.6)."""
_RANKS: dict[StopReason, int] = {reason: rank for rank, members in enumerate(_SEVERITY) for reason in members}


def reported(finish_reason: str | None) -> str | None:
    """Return the wire value, or None when it is blank: an empty string reports nothing."""
    return finish_reason if finish_reason and finish_reason.strip() else None


def stop_reason(finish_reason: str | None, detail: str | None = None, native: str | None = None) -> StopReason | None:
    """Return the neutral value of one call's own words; None when nothing was reported.

    Args:
        finish_reason: the wire value, verbatim.
        detail: a closer word of the same provider (the Responses API's incomplete reason); read first
            where it is a known word.
        native: the upstream's own word behind a router; decides only where it is worse.

    Source:
        outcomes.md 2.4, 2.6.1 and 2.6.5.
    """
    word = reported(finish_reason)
    detailed = _NEUTRAL.get(detail) if detail else None
    if word is None:
        return StopReason.FILTERED if detail and (detailed is StopReason.FILTERED or _is_block(detail)) else None
    own = detailed if detailed is not None and detailed not in NATURAL else _NEUTRAL.get(word, _UNKNOWN)
    upstream = _NEUTRAL.get(native) if native else None
    return own if upstream is None else worst((own, upstream))


_BLOCK_WORD = re.compile(r"[A-Z][A-Z0-9_]*|\d+")
"""Gemini's way of writing an enum; a number is one that has no name yet."""


def _is_block(detail: str) -> bool:
    """Say whether a detail without a finish word is Gemini's reason to block a prompt, a new one too."""
    return detail not in _NEUTRAL and _BLOCK_WORD.fullmatch(detail) is not None


def severity(reason: StopReason) -> int:
    """Return how bad a neutral reason is; higher is worse."""
    return _RANKS[reason]


def worst(reasons: Iterable[StopReason]) -> StopReason:
    """Return the worst of one or more neutral reasons, the earliest of equals."""
    return max(reasons, key=_RANKS.__getitem__)
