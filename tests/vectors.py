"""Judgement vectors by kind: ``answer(kind, input)`` asks the product and speaks the vectors' own spelling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roundwatch.core.rounds import Figures, Ledger, NoteCode, Outcome, StopReason, classify, parse_event
from roundwatch.core.rounds.reasons import CUT, reported, stop_reason

from tests.ending_vectors import ENDING_ANSWERS
from tests.policy_vectors import POLICY_ANSWERS
from tests.recovery_vectors import RECOVERY_ANSWERS
from tests.wire_vectors import WIRE_ANSWERS

Json = Mapping[str, Any]

RUNNER_STOPS: Mapping[str, Json] = {
    "interrupted": {"type": "round.cancel_requested", "by": "user"},
    "aborted": {"type": "round.cancel_requested", "by": "host"},
    "max_iterations": {"type": "round.stopped", "why": "iterations"},
    "token_budget": {"type": "round.stopped", "why": "tokens"},
    "cost_budget": {"type": "round.stopped", "why": "cost"},
    "wall_clock": {"type": "round.stopped", "why": "wall_clock"},
    "stalled": {"type": "round.stopped", "why": "stalled_iterations", "used": 3},
    "exception": {"type": "round.stopped", "why": "exception"},
}
TRANSFER_FAILURES: Mapping[str, str] = {
    "stall_guard": "stalled", "stalled": "stalled", "provider_stalled": "stalled",
    "body_cut": "body_cut", "response_body_cut": "body_cut", "provider_error": "failed",
}  # fmt: skip
TIME_LIMITS = ("round_timeout", "timeout", "wall_clock")

NEUTRAL_SPELLING: Mapping[StopReason, str] = {
    StopReason.END: "END_TURN",
    StopReason.TOOL_USE: "TOOL_USE",
    StopReason.OUTPUT_CAP: "MAX_TOKENS",
    StopReason.CONTEXT_WINDOW: "MAX_TOKENS",
    StopReason.STOP_SEQUENCE: "STOP_SEQUENCE",
    StopReason.FILTERED: "REFUSAL",
    StopReason.REFUSED: "REFUSAL",
}
CONTINUATION_NOTES = (
    NoteCode.CONTINUATION_CUT_TOO,
    NoteCode.CONTINUATION_ENDED_SAME_WAY,
    NoteCode.CONTINUATION_AFTER_OTHER_CUT,
)


def answer(kind: str, given: Json) -> Any:
    """Return the product's answer to one vector.

    Raises:
        KeyError: no public function answers this kind yet.
    """
    return ANSWERS[kind](given)


def _classify(given: Json) -> Json:
    ledger = Ledger()
    for fields in _events(given):
        ledger.apply(parse_event({"round": "r", **fields}))
    return _spelt(classify(ledger.rounds["r"]))


def _events(given: Json) -> Iterator[Json]:
    yield {"type": "round.started", "harness": given.get("harness")}
    if sentence := given.get("selection_unresolved"):
        yield {"type": "round.selection_unresolved", "requested": "agent", "sentence": sentence}
    if given.get("no_usable_model"):
        yield {"type": "round.no_usable_model"}
    yield from _calls(given)
    yield from _text_and_tools(given)
    yield from _end(given)


def _calls(given: Json) -> Iterator[Json]:
    failure: Json = given.get("failure") or {}
    calls = given.get("calls") or ([{"finish_reason": None}] if failure.get("kind") in TRANSFER_FAILURES else ())
    for number, call in enumerate(calls, 1):
        name, is_last = f"c{number}", number == len(calls)
        of = {"of": f"c{number - 1}", "kind": "output_cap" if calls[number - 2]["finish_reason"] else "stream_ended"}
        yield {
            "type": "call.started", "call": name, "max_output_tokens": call.get("max_output_tokens"),
            "continuation": of if call.get("continuation") else None,
        }  # fmt: skip
        outcome = str(call.get("outcome") or "Completed").lower()
        error = None
        if is_last and failure:
            outcome = TRANSFER_FAILURES.get(failure["kind"], outcome)
            error = {name: failure.get(name) for name in ("kind", "http_status", "message")}
        yield {
            "type": "call.finished", "call": name, "outcome": outcome, "finish_reason": call.get("finish_reason"),
            "error": error if outcome != "completed" else None,
            "first_output_ms": call.get("first_output_ms"), "total_ms": call.get("total_ms"),
            "usage": {"input_tokens": call.get("input_tokens"), "output_tokens": call.get("output_tokens")},
        }  # fmt: skip


def _text_and_tools(given: Json) -> Iterator[Json]:
    text, after = given.get("text") or "", given.get("text_after_last_tool")
    tools = given.get("tool_calls") or ()
    before = text if after is None and tools else text.removesuffix(after or "") if tools else ""
    asking = f"c{max(1, len(given.get('calls') or ()) - 1)}" if given.get("calls") else None
    yield from _text(before, given)
    for tool in tools:
        own = {"tool_call": tool["id"], "call": asking}
        yield {"type": "tool.requested", "name": tool["name"], "arguments": "{}", **own}
        if tool.get("refused"):
            yield {"type": "tool.refused", "why": "output_cap", "message": "refused", **own}
        elif tool.get("answered"):
            yield {"type": "tool.finished", "ok": not tool.get("is_error"), **own}
    yield from _text((after or "") if tools else text, given)


def _text(text: str, given: Json) -> Iterator[Json]:
    if not text:
        return
    if given.get("calls"):
        yield {"type": "call.output", "call": f"c{len(given['calls'])}", "kind": "text", "text": text}
    else:
        yield {"type": "round.output", "kind": "text", "text": text}


def _end(given: Json) -> Iterator[Json]:
    if given.get("cancel_requested"):
        yield {"type": "round.cancel_requested", "by": given.get("cancelled_by", "user")}
    failure: Json = given.get("failure") or {}
    if failure.get("kind") in TIME_LIMITS:
        yield {"type": "round.cancel_requested", "by": "limit"}
    elif failure and failure["kind"] not in TRANSFER_FAILURES:
        yield {"type": "round.stopped", "why": "exception", "error": failure.get("message")}
    stop = given.get("runner_stop") or ""
    if stop in RUNNER_STOPS:
        yield RUNNER_STOPS[stop]
    if given.get("suspended") or stop == "suspended":
        yield {"type": "round.suspended"}
        return
    yield {"type": "round.finished"}


def _spelt(outcome: Outcome) -> Json:
    notes = [note.code.value for note in outcome.notes if note.code in CONTINUATION_NOTES]
    return {
        "verdict": "".join(part.capitalize() for part in outcome.verdict.split("_")),
        "terminal_status": outcome.status.capitalize() if outcome.status else None,
        "completion_reason": outcome.completion_reason.upper() if outcome.completion_reason else None,
        "is_success": outcome.is_success,
        "is_complete": outcome.is_complete,
        "parent_outcome": str(outcome.parent_outcome) if outcome.parent_outcome else None,
        "rule": outcome.rule.rstrip("abcdef"),
        "note": notes[0] if notes else None,
    }


def _stop_reason(given: Json) -> Json:
    word = reported(given["wire"])
    neutral = stop_reason(word)
    return {
        "neutral": NEUTRAL_SPELLING.get(neutral, "UNKNOWN") if neutral else "UNKNOWN",
        "reported": word is not None,
        "truncated": neutral in CUT,
    }


def _figures_line(given: Json) -> str | None:
    from roundwatch.core.texts import Texts, figures_line

    call = given["call"]
    if call is None:
        return None
    return figures_line(Figures(call="c1", **call), Texts.load(given["locale"]))


def _number(given: Json) -> Json:
    from roundwatch.core.texts import Texts

    return {locale: Texts.load(locale).number(given["n"]) for locale in ("en", "de")}


ANSWERS: Mapping[str, Callable[[Json], Any]] = {
    "classify": _classify,
    "stop_reason": _stop_reason,
    "figures_line": _figures_line,
    "number": _number,
    **POLICY_ANSWERS,
    **RECOVERY_ANSWERS,
    **ENDING_ANSWERS,
    **WIRE_ANSWERS,
}
