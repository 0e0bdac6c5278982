"""Outcomes made by hand, without a ledger behind them, and both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from roundwatch.core.rounds import Evidence, FactValue, Outcome, Verdict
from roundwatch.core.rounds.verdicts import standing
from roundwatch.core.texts import Texts

EN = Texts.load("en")
DE = Texts.load("de")
BOTH = (EN, DE)


def ended(verdict: Verdict, facts: dict[str, FactValue] | None = None, **changes: Any) -> Outcome:
    """Return an outcome of ``verdict`` as ``classify`` would make it, with some fields replaced."""
    follows = standing(verdict)
    whole = verdict is Verdict.COMPLETED
    outcome = Outcome(
        round="r1",
        verdict=verdict,
        rule="R12" if whole else "",
        status=follows.status,
        completion_reason=follows.completion_reason,
        is_success=follows.is_success,
        is_complete=whole,
        is_answer=whole,
        parent_outcome=follows.parent_outcome,
        evidence=Evidence.CONFIRMED if whole else None,
        doubts=(),
        notes=(),
        facts=facts or {},
    )
    return replace(outcome, **changes)


FACTS: dict[Verdict, tuple[dict[str, FactValue], ...]] = {
    Verdict.CANCELLED: (
        {"by": "user", "text_kept": True, "wire": None},
        {"by": "host", "text_kept": False, "wire": None},
        {"by": "provider", "text_kept": False, "wire": "abort"},
        {"by": "not_recorded", "text_kept": None, "wire": None},
    ),
    Verdict.SELECTION_UNRESOLVED: (
        {"agent": "ghost", "available": ("default", "worker"), "sentence": "s", "fallback_agent": None, "ran": False},
        {"agent": "ghost", "available": (), "sentence": "s", "fallback_agent": "default", "ran": True},
        {"agent": None, "available": (), "sentence": "not found", "fallback_agent": None, "ran": None},
    ),
    Verdict.NO_USABLE_MODEL: (
        {"model": "big-1", "agent": None, "cause": "no_credential", "reason": "key?", "agent_exists": False},
        {"model": None, "agent": "critic", "cause": "no_factory", "reason": None, "agent_exists": True},
        {"model": None, "agent": "critic", "cause": None, "reason": None, "agent_exists": True},
        {"model": None, "agent": None, "cause": "no_model", "reason": None, "agent_exists": False},
    ),
    Verdict.PROVIDER_STALLED: ({"silent_ms": 30500.0, "text_kept": True}, {"silent_ms": None, "text_kept": False}),
    Verdict.RESPONSE_BODY_CUT: ({"message": "reset by peer", "text_kept": True}, {"message": None}),
    Verdict.PROVIDER_ERROR: (
        {"http_status": 403, "message": "Key limit", "code": "limit", "in_stream": False, "wire": None},
        {"http_status": 503, "message": None, "code": None, "in_stream": False, "wire": None},
        {"http_status": 200, "message": "overloaded", "code": None, "in_stream": True, "wire": None},
        {"http_status": 529, "message": "overloaded", "code": None, "in_stream": True, "wire": None},
        {"http_status": None, "message": None, "code": None, "in_stream": False, "wire": "error"},
    ),
    Verdict.ROUND_TIMED_OUT: ({"limit_s": 600.0}, {"limit_s": None}),
    Verdict.FAULTED: ({"message": "KeyError: 'x'"}, {"message": None}),
    Verdict.SUPERVISOR_GAVE_UP: (
        {
            "cuts": 3,
            "relaunches": 2,
            "cap": 2,
            "last_error": None,
            "last_error_is_error": None,
            "earlier_summary": "HTTP 403 key limit",
            "earlier_age_s": 98_856.0,
        },
        {"cuts": 1, "relaunches": 1, "cap": 1, "last_error": "gone", "last_error_is_error": True},
        {"last_error": "Reasoning… (45s)", "last_error_is_error": False, "earlier_summary": "old"},
    ),
    Verdict.STALLED_ITERATIONS: ({"n": 3.0, "all_refused": True}, {"n": 1, "all_refused": False}),
    Verdict.MAX_ITERATIONS: ({"limit": 50.0, "used": 50.0}, {"limit": 1.0}),
    Verdict.TOKEN_BUDGET: ({"limit": 100_000.0, "used": 100_417.0}, {"limit": None, "used": 7.0}),
    Verdict.COST_BUDGET: ({"limit": 2.5, "used": 2.5137, "currency": "USD"}, {"limit": 3, "currency": None}),
    Verdict.WALL_CLOCK: ({"limit": 600, "used": 612.4}, {"limit": None, "used": None}),
    Verdict.UNFINISHED_TOOL_CALL: (
        {"names": ("bash",), "count": 1},
        {"names": ("bash", "read"), "count": 3},
        {"names": (), "count": 2},
        {"names": (), "count": 0, "provider_word": "MALFORMED_FUNCTION_CALL", "provider_message": "print(("},
    ),
    Verdict.OUTPUT_CAP_REACHED: (
        {"cap": 16_384, "output_tokens": 16_384, "below_cap": False, "text_kept": True},
        {"cap": 4_096, "output_tokens": 1_200, "below_cap": True, "text_kept": False},
        {"cap": None, "output_tokens": None, "below_cap": False, "text_kept": False},
    ),
    Verdict.CONTEXT_WINDOW_EXCEEDED: ({"wire": "model_length", "text_kept": True},),
    Verdict.CONTENT_FILTERED: (
        {"wire": "content_filter", "refused": False, "prompt": False, "detail": None, "text_kept": True},
        {"wire": "refusal", "refused": True, "prompt": False, "detail": "cyber", "text_kept": False},
        {"wire": None, "refused": False, "prompt": True, "detail": None, "text_kept": False},
    ),
    Verdict.TURN_PAUSED: ({"wire": "pause_turn", "text_kept": True},),
    Verdict.STREAM_ENDED_WITHOUT_FINISH: (
        {"open_call": False, "text_kept": True, "done_marker": False},
        {"open_call": False, "text_kept": False, "done_marker": True},
        {"open_call": True, "text_kept": False, "done_marker": False},
    ),
    Verdict.SUSPENDED: ({"why": "bash: rm -r build"}, {"why": None}),
}
"""Facts as the classifier leaves them, several for most verdicts; every verdict also has to do with none."""


def every_outcome() -> list[Outcome]:
    """Return every verdict with each of its facts, and with none recorded."""
    return [ended(verdict, facts) for verdict in Verdict for facts in ({}, *FACTS.get(verdict, ()))]
