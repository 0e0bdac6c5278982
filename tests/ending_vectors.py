"""Judgement vectors about supervision and what is written and read when a round ends, in the vectors' spelling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Any

from roundwatch.core.policies import (
    Provenance,
    Relaunches,
    RoundRecord,
    StepResult,
    ThreadReading,
    attempt,
    count_attempts,
    counts_as_quiet,
    handed_over,
    infrastructure_label,
    last_error,
    may_cache,
    reruns_on_resume,
    supervise,
    terminal_write,
)
from roundwatch.core.rounds import (
    TRUNCATION_MARKER,
    CompletionReason,
    Evidence,
    Ledger,
    NoteCode,
    Outcome,
    ParentOutcome,
    TerminalStatus,
    Verdict,
    classify,
    parse_event,
)
from roundwatch.core.rounds.base import Cut, ThreadSummary
from roundwatch.core.rounds.events import ThreadState
from roundwatch.core.rounds.verdicts import standing
from roundwatch.core.texts import OpenQuestion, Texts, banner, earlier, question_text
from roundwatch.core.texts.open_questions import open_questions

from tests.policy_vectors import moment, snake

Json = Mapping[str, Any]

STATES: Mapping[str, ThreadState] = {
    "StartingExecution": ThreadState.STARTING,
    "Executing": ThreadState.EXECUTING,
    "Idle": ThreadState.IDLE,
    "Cancelled": ThreadState.CANCELLED,
    "Done": ThreadState.DONE,
}


def _step_cache(given: Json) -> Json:
    reason = CompletionReason(given["completion_reason"].lower())
    sure = Evidence.CONFIRMED if reason is CompletionReason.COMPLETED else None  # the vectors' rounds bear no doubt
    result = StepResult(reason, given["is_success"], sure)
    return {
        "is_complete": result.is_complete,
        "cached": may_cache(result),
        "resume_reruns": reruns_on_resume(result),
        "counts_as_quiet_round": counts_as_quiet(result),
    }


def _last_error(given: Json) -> Json:
    summary = given.get("summary")
    reading = ThreadReading(
        state=STATES[given["status"]],
        status_line=given.get("execution_status"),
        is_error=given.get("is_error"),
        summary=ThreadSummary(text=summary, round=given.get("summary_round")) if summary is not None else None,
        current_round=given.get("current_round"),
    )
    found = last_error(reading)
    told = {
        "text": found.text,
        "provenance": str(found.provenance),
        "earlier_summary": found.earlier.text if found.earlier is not None else None,
    }
    return {**told, "is_error": found.is_error} if found.provenance is Provenance.THIS_ROUND else told


def _infrastructure(given: Json) -> Json:
    label = infrastructure_label(
        RoundRecord(
            status=TerminalStatus(given["status"].lower()),
            text=given["text"],
            model_calls=given["model_calls"],
            tool_calls=given["tool_calls"],
            output_tokens=given.get("output_tokens"),
        )
    )
    return {"infrastructure": label is not None, "label": label}


def _attempts(given: Json) -> Json:
    counted = count_attempts(attempt(Verdict(snake(name)), anything_ran=False) for name in given["verdicts"])
    return {
        "attempts_spent": counted.spent,
        "infrastructure": counted.infrastructure,
        "failed": counted.failed,
    }


def _supervise(given: Json) -> Json:
    if "cuts" not in given:
        return _exhausted(given)
    cuts = tuple(Cut(at=at, cause=given["cause"]) for at in given["cuts"])
    account: Relaunches = supervise(cuts, given["relaunch_cap"])
    stopped = standing(Verdict.SUPERVISOR_GAVE_UP)
    error = last_error(ThreadReading(ThreadState.EXECUTING))
    counted = "not established" in question_text(OpenQuestion.HOST_SHUTDOWN_COUNTS, Texts.load("en")).lower()
    return {
        "relaunches": account.done,
        "final": "gave_up" if account.is_given_up else "relaunched",
        "terminal_status": str(stopped.status).capitalize() if account.is_given_up else None,
        "last_error_provenance": str(error.provenance),
        "host_interruptions_counted": len(account.cuts) == len(cuts),
        "host_interruption_exemption": "not established" if counted else None,
    }


def _exhausted(given: Json) -> Json:
    status, _, message = given["failure"].partition(" ")
    error = {"kind": "provider_error", "http_status": int(status), "message": message}
    outcome = _classified(
        {"type": "call.started", "call": "c1"},
        {"type": "call.finished", "call": "c1", "outcome": "failed", "finish_reason": None, "error": error},
    )
    return {
        "verdict": "".join(word.capitalize() for word in outcome.verdict.split("_")),
        "terminal_status": str(outcome.status).capitalize(),
        "provider_closed_until": "midnight",  # a fact of the pool that later rounds meet; no rule of ours
        "failover": "not established" if OpenQuestion.FAILOVER in open_questions(outcome) else None,
    }


def _classified(*events: Json) -> Outcome:
    ledger = Ledger()
    for fields in ({"type": "round.started"}, *events, {"type": "round.finished"}):
        ledger.apply(parse_event({"round": "r", **fields}))
    return classify(ledger.rounds["r"])


def _call(number: int, given: Json, finish_reason: str | None, kind: str | None, text: str) -> Iterator[Json]:
    name, of = f"c{number}", {"of": f"c{number - 1}", "kind": kind} if kind else None
    yield {"type": "call.started", "call": name, "max_output_tokens": given.get("cap"), "continuation": of}
    if text:
        yield {"type": "call.output", "call": name, "kind": "text", "text": text}
    yield {"type": "call.finished", "call": name, "outcome": "completed", "finish_reason": finish_reason}


LAST_REASON: Mapping[Verdict, str | None] = {
    Verdict.COMPLETED: "stop",
    Verdict.OUTPUT_CAP_REACHED: "length",
    Verdict.CONTEXT_WINDOW_EXCEEDED: "model_context_window_exceeded",
    Verdict.CONTENT_FILTERED: "content_filter",
    Verdict.TURN_PAUSED: "pause_turn",
    Verdict.STREAM_ENDED_WITHOUT_FINISH: None,
}


def _ended(verdict: Verdict, given: Json) -> Outcome:
    """Return the outcome of a round that ends with ``verdict``, by the last call's reason."""
    reason, text = LAST_REASON[verdict], given.get("partial") or given.get("text") or ""
    twice = given.get("continued") or reason is None  # without a reason, a continuation is the proof
    kind = ("output_cap" if reason else "stream_ended") if twice else None
    first = list(_call(1, given, reason, None, text))
    return _classified(*first, *_call(2, given, reason, kind, "") if twice else ())


def _terminal_write(given: Json) -> Json:
    verdict = Verdict(snake(given["verdict"]))
    text, texts = given.get("partial") or given.get("text") or "", Texts.load("en")
    outcome = _ended(verdict, given) if verdict in LAST_REASON else None
    shown = banner(outcome, texts) if outcome is not None else None
    sentence = given.get("sentence") or (" ".join(shown.sentences) if shown is not None else str(verdict))
    written = terminal_write(verdict, text, sentence, has_partial=bool(text.strip()))
    if written is None:
        return {"text": None, "summary": None}
    parent = standing(verdict, has_partial=bool(text.strip())).parent_outcome
    told = {
        "text": written.text,
        "summary": written.summary,
        "marker": written.marker,
        "parent_success": parent is ParentOutcome.ANSWERED,
        "output_tokens": None,
        "figures": shown.figures if shown is not None else None,
    }
    if outcome is None or shown is None:
        return told
    said = " ".join((*shown.sentences, shown.figures or ""))
    return {**told, "banner": said, "banner_facts": _facts(said, outcome, given)}


PHRASES = (
    ("stream ended", "stream ended"),
    ("provider did not say finished", "without the provider saying it was finished"),
    ("provider stall or dropped connection", "provider stalled or the connection dropped"),
    ("not the model choosing to stop", "did not choose to stop"),
    ("cut at output limit", "at its output limit"),
    ("truncation", "a truncation"),
    ("not a refusal", "not a refusal"),
)


def _facts(said: str, outcome: Outcome, given: Json) -> list[str]:
    """Return which facts the English banner states, in the vectors' words."""
    facts = [fact for fact, phrase in PHRASES if phrase in said]
    limit = f"{given['cap']:,} tokens" if given.get("cap") is not None else None
    if limit is not None and limit in said:
        facts.insert(1, limit)
    if any(note.code is NoteCode.CONTINUATION_CUT_TOO for note in outcome.notes):
        facts.append("continuation cut too")
    return [*facts, "figures"] if "Last model call" in said else facts


def _truncated_answer(given: Json) -> Json:
    text, reason = given["text"], given["finish_reason"]
    proof = list(_call(1, given, "tool_calls", None, "")) if given.get("provider_proved") else []
    outcome = _classified(*proof, *_call(2, given, reason, None, text))
    written = terminal_write(outcome.verdict, text, "cut", has_partial=bool(text.strip()))
    assert written is not None
    assert outcome.parent_outcome is not None
    answer = handed_over(outcome.parent_outcome, text, written.summary)
    return {
        "completion_reason": str(outcome.completion_reason).upper(),
        "is_success": outcome.is_success,
        "is_complete": outcome.is_complete,
        "text_ends_with_marker": written.text.endswith(TRUNCATION_MARKER) and TRUNCATION_MARKER in answer,
        "marker_in_transcript": written.marker,
        "onstop_success": outcome.is_success,
    }


def _marker(_: Json) -> Json:
    writes = {verdict: terminal_write(verdict, "half", "cut", has_partial=True) for verdict in Verdict}
    bearing = {verdict for verdict, written in writes.items() if written is not None and written.marker}
    cut = bearing == {Verdict.OUTPUT_CAP_REACHED, Verdict.CONTEXT_WINDOW_EXCEEDED}  # both are MAX_TOKENS there
    written = terminal_write(Verdict.OUTPUT_CAP_REACHED, "half", "cut", has_partial=True)
    answer = handed_over(ParentOutcome.PARTIAL, "half", "")
    return {
        "starts_with_blank_line": TRUNCATION_MARKER.startswith("\n\n"),
        "names": "max_tokens" if "max_tokens" in TRUNCATION_MARKER else None,
        "appended_to": [
            *(["answer"] if TRUNCATION_MARKER in answer else []),
            *(["transcript"] if written is not None and written.text.endswith(TRUNCATION_MARKER) else []),
        ],
        "only_for": "OutputCapReached with text" if cut else None,
    }


def _time_span(given: Json) -> Json:
    seconds = (moment(given["later"]) - moment(given["earlier"])).total_seconds()
    return {
        "seconds": int(seconds),
        "human_en": earlier(seconds, Texts.load("en")),
        "within_minutes": ceil(seconds / 600) * 10,
    }


ENDING_ANSWERS: Mapping[str, Callable[[Json], Any]] = {
    "step_cache": _step_cache,
    "last_error": _last_error,
    "infrastructure": _infrastructure,
    "attempt_budget": _attempts,
    "supervise": _supervise,
    "terminal_write": _terminal_write,
    "truncated_answer": _truncated_answer,
    "marker": _marker,
    "time_span": _time_span,
}
