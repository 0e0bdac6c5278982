"""The ordered verdict table: first row that holds decides how a round ended (outcomes.md 2.3 with 2.6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .base import CallOutcome, CancelledBy, Silence, StoppedWhy
from .calls import Call
from .marks import earlier
from .reasons import MALFORMED_RESPONSE_WORDS, StopReason, reported, stop_reason
from .round import Round
from .verdicts import StoppedBy, Verdict

Condition = Callable[[Round], bool]

# Members are looked up once: read off its enum, one costs several times the comparison.
_COMPLETED, _FAILED, _CANCELLED = CallOutcome.COMPLETED, CallOutcome.FAILED, CallOutcome.CANCELLED
_PROVIDER_CANCELLED, _PROVIDER_ERROR = StopReason.CANCELLED, StopReason.PROVIDER_ERROR
_MALFORMED, _FILTERED, _REFUSED = StopReason.MALFORMED, StopReason.FILTERED, StopReason.REFUSED
_NO_REASONS, _NO_TEXT = Silence.FINISH_REASON, Silence.TEXT


@dataclass(frozen=True, slots=True)
class Rule:
    """One row: its name in outcomes.md, when it holds, what the round then is."""

    name: str
    holds: Condition
    verdict: Verdict


def stopped_by(round_: Round) -> StoppedBy | None:
    """Return who cancelled the round; None when nobody did.

    A time limit is no person (R4d). A host's cancel that a supervisor answered by giving up is one of
    the interruptions it counted (R4f); so is a cancelled call nobody asked for.
    """
    by = [cancel.by for cancel in round_.cancels if cancel.by is not CancelledBy.LIMIT] if round_.cancels else None
    if by:
        return StoppedBy.USER if by[0] is CancelledBy.USER else StoppedBy.HOST
    last = round_.last_call
    if last is None or last.outcome is not _CANCELLED:
        return None
    if last.judged_reason is _PROVIDER_CANCELLED:
        return StoppedBy.PROVIDER
    if round_.gave_up is not None or timed_out(round_):
        return None
    return StoppedBy.NOT_RECORDED


def timed_out(round_: Round) -> bool:
    """A time limit asked for the cancel, not a person."""
    return bool(round_.cancels) and any(cancel.by is CancelledBy.LIMIT for cancel in round_.cancels)


def has_partial(round_: Round) -> bool:
    """There is answer text after the last tool result."""
    return round_.text_after_last_tool and not _made_anew_without_text(round_)


def text_unrecorded(round_: Round) -> bool:
    """What was written is not in the record, and nothing tells that it was nothing."""
    if _NO_TEXT not in round_.silent:
        return False
    last = round_.last_call
    return last is None or last.usage.output_tokens != 0


def _made_anew_without_text(round_: Round) -> bool:
    """The last call repeats one that failed, and wrote nothing: the text before it was the failed one's."""
    last = round_.last_call
    return last is not None and (last.attempt or 1) > 1 and last.continuation is None and not last.output.visible


def _last_outcome(outcome: CallOutcome) -> Condition:
    def holds(round_: Round) -> bool:
        return round_.last_call is not None and round_.last_call.outcome is outcome

    return holds


def _filtered_request(call: Call) -> bool:
    return call.is_filtered_request and call.outcome is _FAILED


def _is_provider_error(call: Call) -> bool:
    if call.judged_reason is _PROVIDER_ERROR:
        return True
    if call.error is None:
        return False
    return call.error.kind == "provider_error" or call.error.http_status is not None


def _provider_error(round_: Round) -> bool:
    last = round_.last_call
    if last is None or _filtered_request(last):
        return False
    if _malformed_response(last):
        return True
    return last.outcome is _FAILED and _is_provider_error(last)


def _faulted(round_: Round) -> bool:
    if _stopped_by_exception(round_):
        return True
    last = round_.last_call
    return last is not None and last.outcome is _FAILED and not _filtered_request(last)


def _stopped(why: StoppedWhy) -> Condition:
    def holds(round_: Round) -> bool:
        return round_.stopped is not None and round_.stopped.why is why

    return holds


_stopped_by_exception = _stopped(StoppedWhy.EXCEPTION)


def malformed_tool_call(call: Call) -> bool:
    """The provider threw the model's own tool call away (outcomes.md 2.6.4)."""
    return call.judged_reason is _MALFORMED and not _malformed_response(call)


def _malformed_response(call: Call) -> bool:
    """The provider calls the whole response malformed, in whichever of its words."""
    return not MALFORMED_RESPONSE_WORDS.isdisjoint(call.words)


def deciding_word(call: Call) -> str | None:
    """Return the provider's own word for what the call is judged by; where none means that, its finish reason."""
    judged = call.judged_reason
    meant = (word for word in call.words if stop_reason(word) is judged)
    return next(meant, reported(call.finish_reason))


def _unfinished_tool(round_: Round) -> bool:
    last = round_.last_call
    if last is not None and malformed_tool_call(last):
        return True
    return bool(round_.open_tools) and not round_.has_gap


def _last_reason(*reasons: StopReason) -> Condition:
    def holds(round_: Round) -> bool:
        return round_.last_call is not None and round_.last_call.judged_reason in reasons

    return holds


def _content_filtered(round_: Round) -> bool:
    last = round_.last_call
    if last is None:
        return False
    return _filtered_request(last) or last.judged_reason in (_FILTERED, _REFUSED)


def has_proof(round_: Round) -> bool:
    """This round's provider does report finish reasons, or the closing call is itself a continuation."""
    last = round_.last_call
    return last is not None and (last.continuation is not None or earlier(round_, "reported") > 0)


def _stream_ended(round_: Round) -> bool:
    last = round_.last_call
    if last is None:
        return False
    if not last.is_over:
        return not round_.has_gap  # inside a gap of our own, a missing end proves nothing
    if last.outcome is not _COMPLETED or last.judged_reason is not None:
        return False
    if _NO_REASONS in round_.silent:
        return False  # the source records no reasons, or not always: that one is missing says nothing
    return has_proof(round_) or not (has_partial(round_) or round_.has_gap or text_unrecorded(round_))


def _no_output(round_: Round) -> bool:
    nothing = not round_.text_visible or _made_anew_without_text(round_)
    return nothing and round_.tally["tools"] == 0 and not (round_.has_gap or text_unrecorded(round_))


def _no_final_answer(round_: Round) -> bool:
    return round_.tally["tools"] > 0 and not (has_partial(round_) or round_.has_gap or text_unrecorded(round_))


RULES: tuple[Rule, ...] = (
    Rule("R0", lambda round_: round_.suspended is not None, Verdict.SUSPENDED),
    Rule("R1", lambda round_: stopped_by(round_) is not None, Verdict.CANCELLED),
    Rule("R2", lambda round_: round_.selection is not None, Verdict.SELECTION_UNRESOLVED),
    Rule("R3", lambda round_: round_.no_model is not None and not round_.calls, Verdict.NO_USABLE_MODEL),
    Rule("R4a", _last_outcome(CallOutcome.STALLED), Verdict.PROVIDER_STALLED),
    Rule("R4b", _last_outcome(CallOutcome.BODY_CUT), Verdict.RESPONSE_BODY_CUT),
    Rule("R4c", _provider_error, Verdict.PROVIDER_ERROR),
    Rule("R4d", timed_out, Verdict.ROUND_TIMED_OUT),
    Rule("R4e", _faulted, Verdict.FAULTED),
    Rule("R4f", lambda round_: round_.gave_up is not None, Verdict.SUPERVISOR_GAVE_UP),
    Rule("R5a", _stopped(StoppedWhy.STALLED_ITERATIONS), Verdict.STALLED_ITERATIONS),
    Rule("R5b", _stopped(StoppedWhy.ITERATIONS), Verdict.MAX_ITERATIONS),
    Rule("R5c", _stopped(StoppedWhy.TOKENS), Verdict.TOKEN_BUDGET),
    Rule("R5c", _stopped(StoppedWhy.COST), Verdict.COST_BUDGET),
    Rule("R5c", _stopped(StoppedWhy.WALL_CLOCK), Verdict.WALL_CLOCK),
    Rule("R6", _unfinished_tool, Verdict.UNFINISHED_TOOL_CALL),
    Rule("R7", _last_reason(StopReason.OUTPUT_CAP), Verdict.OUTPUT_CAP_REACHED),
    Rule("R7b", _last_reason(StopReason.CONTEXT_WINDOW), Verdict.CONTEXT_WINDOW_EXCEEDED),
    Rule("R8", _content_filtered, Verdict.CONTENT_FILTERED),
    Rule("R8b", _last_reason(StopReason.PAUSED), Verdict.TURN_PAUSED),
    Rule("R9", _stream_ended, Verdict.STREAM_ENDED_WITHOUT_FINISH),
    Rule("R10", _no_output, Verdict.NO_OUTPUT),
    Rule("R11", _no_final_answer, Verdict.NO_FINAL_ANSWER),
    Rule("R12", lambda round_: True, Verdict.COMPLETED),
)
"""First match wins. R7, R8 and R9 read the last call only."""

SUSPENDED = RULES[0]
_RUNNING = Verdict.RUNNING


def decide(round_: Round) -> Rule:
    """Return the row that decides for a round as if it ended now; O(1) in what the round holds."""
    for rule in RULES:
        if rule.holds(round_):
            return rule
    raise AssertionError("the last row always holds")


def verdict(round_: Round) -> Verdict:
    """Return what the round is: suspended or running while it is not over, else the table's word."""
    return decided(round_, decide(round_)) if round_.is_over else _open_verdict(round_)


def decided(round_: Round, rule: Rule) -> Verdict:
    """Return ``verdict`` where the row that decides is known already."""
    return rule.verdict if round_.is_over else _open_verdict(round_)


def _open_verdict(round_: Round) -> Verdict:
    return SUSPENDED.verdict if round_.suspended is not None else _RUNNING
