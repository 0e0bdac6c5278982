"""Judgement vectors about what a runtime should do, answered by ``core.policies`` in the vectors' own spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from roundwatch.core.policies import (
    FORK_MAX_ITERATIONS,
    REPLAYED_ARGUMENTS,
    TRUNCATED_CALL,
    CallResult,
    HeldChunks,
    RequestedCall,
    StalledIterationGuard,
    StalledStop,
    ThinkingMode,
    ThinkingRow,
    WindowUse,
    as_one,
    continuation_turns,
    cut_answer_warning,
    cut_tools_warning,
    dialect,
    fit_budget,
    is_reported,
    may_continue,
    parse_args,
    progress_line,
    reasoning_clause,
    refuse,
    sink_lines,
)
from roundwatch.core.rounds import CallOutcome, CompletionReason, ContinuationKind, Usage, Verdict
from roundwatch.core.rounds.reasons import stop_reason
from roundwatch.core.rounds.verdicts import STANDINGS

Json = Mapping[str, Any]

NEVER_IN_THE_CLAUSE = ("of its", "used most", "most of")
REFUSAL_SAYS = (
    "the calls may be incomplete",
    "nothing that changes anything was run",
    "none of them has a result",
    "repeating the same calls is cut the same way",
    "make fewer calls at once",
    "split a large argument over several smaller calls",
)
REFUSAL_NEVER_SAYS = ("none of them were run", "try again", "please retry the same call")


def snake(word: str) -> str:
    """Return ``StreamEnded`` as ``stream_ended``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower()


def usage(given: Json) -> Usage:
    """Return the two counts a clause is made of."""
    return Usage(output_tokens=given.get("output_tokens"), reasoning_tokens=given.get("reasoning_tokens"))


def _continuation(given: Json) -> Json:
    decision = may_continue(
        CallOutcome(snake(given.get("outcome", "Completed"))),
        stop_reason(given["finish_reason"], native=given.get("native_finish_reason")),
        given["streamed"],
        provider_proved=given.get("provider_proved", False),
        used=given.get("used", 0),
        budget=given.get("budget", 1),
        window=WindowUse(**given["window"]) if given.get("window") else None,
    )
    kind = decision.kind
    return {"continue_call": kind is not None, "prompt_kind": kind and str(kind), "reason": str(decision.why)}


def _retry_stream(given: Json) -> Json:
    held: HeldChunks[Json] = HeldChunks()
    emitted: list[Json] = []
    for chunk in given["chunks"]:
        output = bool(set(chunk) - {"finish", "role"})
        emitted += held.push(chunk, finish_reason=chunk.get("finish"), output=output)
    emitted += held.close()
    return {"emitted": emitted, "finish_reason": held.finish_reason}


def _continuation_request(given: Json) -> Json:
    cap = given["max_output_tokens"]
    turns = continuation_turns(ContinuationKind(given["kind"]), given["partial_text"])
    cut = CallResult(given["message_id"], given["partial_text"], "length", Usage(), cap)
    above = as_one(cut, CallResult("another", "", "<last call only>", Usage(), cap))
    return {
        "appended_roles": [turn.role for turn in turns],
        "assistant_text": next((turn.text for turn in turns if turn.role == "assistant"), None),
        "user_text": turns[-1].text,
        "message_ids_above": [above.message_id],
        "visible_finish_reasons_above": [above.finish_reason],
        "max_output_tokens": above.max_output_tokens,
    }


def _refusal(given: Json) -> Json:
    response = given["response"]
    calls = [
        RequestedCall(call["id"], call["name"], bool(call.get("started_early"))) for call in response["tool_calls"]
    ]
    turn = refuse(stop_reason(response["finish_reason"], native=response.get("native_finish_reason")), calls)
    asks = bool(given.get("needs_approval"))
    if turn is None:
        return {"executed": 0 if asks else len(calls), "refused": 0, "suspended": asks, "approval_asked": asks}
    return {
        "executed": 0,
        "refused": len(turn.calls),
        "results": [{"id": call.id, "is_error": True} for call in turn.calls],
        "result_texts": [call.message for call in turn.calls],
        "hooks_fired": 0,
        "loop_continues": True,
        "suspended": False,
        "approval_asked": False,
        "early_results_used": 0,
        "warn_middle": "discarded_early_results" if turn.drops_early_results else "none_is_run",
        "replayed_arguments": REPLAYED_ARGUMENTS,
    }


def _refusal_text(_: Json) -> Json:
    said = TRUNCATED_CALL.casefold()
    return {
        "must_contain": [word for word in ("max_tokens",) if word in TRUNCATED_CALL],
        "must_say": [part for part in REFUSAL_SAYS if part in said],
        "must_not_say": [part for part in REFUSAL_NEVER_SAYS if part not in said],
    }


def _clause(given: Json) -> Json:
    text = reasoning_clause(usage(given))
    return {
        "empty": not text,
        "numbers": [int(number) for number in re.findall(r"\d+", text)],
        "forbidden": [word for word in NEVER_IN_THE_CLAUSE if word not in text],
    }


def _clause_scope(given: Json) -> Json:
    responses = given["responses"]
    texts = [reasoning_clause(usage(response)) for response in responses]
    numbers = [[int(number) for number in re.findall(r"\d+", text)] for text in texts]
    sums = [sum(response[name] for response in responses) for name in ("output_tokens", "reasoning_tokens")]
    said = {number for pair in numbers for number in pair}
    return {"warn_numbers": numbers, "never": [total for total in sums if total not in said]}


def _warning(given: Json) -> Json:
    subagent = given.get("subagent") if given["executor"] == "fork" else None
    if given.get("shape") == "answer":
        text = cut_answer_warning(given["iterations"], usage(given["usage"]), subagent=subagent)
    else:
        text = cut_tools_warning(
            given["iteration"],
            given["tools"],
            usage(given["usage"]),
            subagent=subagent,
            drops_early_results=bool(given.get("early")),
        )
    return {"level": "WARNING", "text": text}


def _parse_args(given: Json) -> Json:
    parsed = parse_args(given["fragments"])
    logged = parsed.log_line or ""
    return {
        "joined": "".join(given["fragments"]),
        "length": parsed.length,
        "valid_json": parsed.ok and parsed.length > 0,
        "args": parsed.args,
        "error_offset": parsed.offset,
        "warn": parsed.log_line is not None,
        "log": logged,
        "log_contains_arguments": any(part.strip() and part.strip() in logged for part in given["fragments"]),
    }


def _stall_guard(given: Json) -> Json:
    guard = StalledIterationGuard()
    for number, iteration in enumerate(given["iterations"], 1):
        stop = guard.record(
            iteration["results_error"],
            refused=iteration.get("refused", False),
            cancelled=iteration.get("cancelled", False),
        )
        if stop is not None:
            return {"trips_at": number, "names_max_tokens": "max_tokens" in stop.message}
    return {"trips_at": None, "names_max_tokens": False}


def _stall_message(given: Json) -> Json:
    stop = StalledStop(given["n"], given["all_refused"])
    standing = STANDINGS[Verdict.STALLED_ITERATIONS]
    return {
        "text": stop.message,
        "clause_names_max_tokens": "max_tokens" in stop.message,
        "level_error": standing.completion_reason is CompletionReason.ERROR,
    }


def _cut_loop(responses: int, guard: StalledIterationGuard) -> tuple[int, list[str], StalledStop | None]:
    """Run a loop whose every response is cut with one tool call; return calls made, warnings, and the stop."""
    warnings: list[str] = []
    for number in range(1, responses + 1):
        turn = refuse(stop_reason("max_tokens"), [RequestedCall(f"t{number}", "Counting")])
        assert turn is not None
        warnings.append(cut_tools_warning(number, ["Counting"], Usage()))
        stop = guard.record(turn.results_are_errors, refused=True)
        if stop is not None:
            return number, [*warnings, stop.warning], stop
    return responses, warnings, None


def _stall_calls(given: Json) -> Json:
    calls, warnings, stop = _cut_loop(given["queue"], StalledIterationGuard())
    return {
        "llm_calls": calls,
        "tool_invocations": 0,
        "warns_naming_max_tokens": sum("max_tokens" in line for line in warnings),
        "completion_reason": _reason_after(stop),
        "fourth_consumed": calls > 3,
    }


def _fork_bound(given: Json) -> Json:
    guard = StalledIterationGuard() if given["guard_enabled"] else StalledIterationGuard(None)
    calls, _, stop = _cut_loop(given.get("max_iterations_default", FORK_MAX_ITERATIONS), guard)
    return {"max_refused_calls": calls, "completion_reason": _reason_after(stop)}


def _reason_after(stop: StalledStop | None) -> str:
    verdict = Verdict.STALLED_ITERATIONS if stop is not None else Verdict.MAX_ITERATIONS
    return str(STANDINGS[verdict].completion_reason).upper()


def _progress_line(given: Json) -> Json:
    return {"text": progress_line(CompletionReason(given["outcome"]), given["iterations"])}


def _thinking_dialect(given: Json) -> Json:
    sent = dialect(ThinkingMode(given["mode"].lower()), ThinkingRow(given["row"].lower()))
    return {"sent": sent.upper(), "clamp_possible": sent.name == "BUDGETED"}


def _thinking_budget(given: Json) -> Json:
    thinking = fit_budget(given["requested"], given["max_tokens"])
    return {
        "type": thinking.type,
        "budget": thinking.budget,
        "findings": [finding.signature for finding in thinking.findings],
    }


def _report_register(given: Json) -> Json:
    n = given["occurrence"]
    return {"reported": is_reported(n) if given["kind"] == "traffic" else n == 1}


def _events(given: Json) -> Json:
    """Our order of a refused call, told with the other system's names: one refusal stands for start and result."""
    if "fork" in given["case"]:
        return {"lines": list(sink_lines("Counting", "+ refusal text"))}
    turn = refuse(stop_reason("max_tokens"), [RequestedCall("tu-1", "Counting")])
    assert turn is not None
    refused = [
        word
        for call in turn.calls
        for word in (f"ToolUseStarted({call.id})", f"ToolResultReady({call.id},success=false,refusal text)")
    ]
    return {"order": ["AssistantMessageReceived", *refused, "IterationCompleted(will_continue=true)"]}


def moment(text: str) -> datetime:
    """Return a vector's point in time."""
    return datetime.fromisoformat(text)


POLICY_ANSWERS: Mapping[str, Callable[[Json], Any]] = {
    "continuation": _continuation,
    "retry_stream": _retry_stream,
    "continuation_request": _continuation_request,
    "refusal": _refusal,
    "refusal_text": _refusal_text,
    "reasoning_clause": _clause,
    "reasoning_clause_scope": _clause_scope,
    "refusal_warn": _warning,
    "parse_args": _parse_args,
    "stall_guard": _stall_guard,
    "stall_message": _stall_message,
    "stall_calls": _stall_calls,
    "fork_bound": _fork_bound,
    "progress_line": _progress_line,
    "thinking_dialect": _thinking_dialect,
    "thinking_budget": _thinking_budget,
    "report_register": _report_register,
    "events": _events,
}
