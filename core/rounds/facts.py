"""The facts that each verdict's sentence is made of; None = not recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .base import CancelledBy
from .events import ThreadSupervised
from .notes import Facts, FactValue
from .reasons import StopReason, reported
from .round import Round
from .rules import deciding_word, has_partial, malformed_tool_call, stopped_by
from .verdicts import Verdict

_Found = dict[str, FactValue]


def facts(round_: Round, verdict: Verdict) -> Facts:
    """Return the facts of ``verdict``; the keys per verdict are those of the function named in ``_MAKERS``."""
    maker = _MAKERS.get(verdict)
    return maker(round_) if maker is not None else {}


def _cancelled(round_: Round) -> _Found:
    by = stopped_by(round_)
    last = round_.last_call
    wire = deciding_word(last) if last is not None else None
    return {"by": str(by) if by else None, "text_kept": round_.text_visible, "wire": wire}


def _selection(round_: Round) -> _Found:
    picked = round_.selection
    if picked is None:
        return {}
    ran = round_.ran_anything
    other = round_.agent if ran and round_.agent != picked.requested else None
    return {
        "agent": picked.requested,
        "available": picked.available,
        "sentence": picked.sentence,
        "fallback_agent": other,
        "ran": ran,
    }


def _no_model(round_: Round) -> _Found:
    found = round_.no_model
    if found is None:
        return {}
    return {
        "model": found.requested,
        "agent": found.agent,
        "cause": str(found.cause) if found.cause else None,
        "reason": found.reason,
        "agent_exists": found.agent is not None,
    }


def _stalled(round_: Round) -> _Found:
    last = round_.last_call
    return {"silent_ms": last.silent_ms if last else None, "text_kept": round_.text_visible}


def _body_cut(round_: Round) -> _Found:
    return {"message": _message(round_), "text_kept": round_.text_visible}


def _message(round_: Round) -> str | None:
    last = round_.last_call
    return last.error.message if last is not None and last.error is not None else None


def _provider_error(round_: Round) -> _Found:
    last = round_.last_call
    error = last.error if last is not None else None
    status = error.http_status if error is not None else None
    return {
        "http_status": status,
        "message": error.message if error is not None else (last.finish_detail if last else None),
        "code": error.code if error is not None else None,
        "in_stream": last is not None and (last.output_seen or reported(last.finish_reason) is not None),
        "wire": deciding_word(last) if last is not None else None,
    }


def _timed_out(round_: Round) -> _Found:
    limits = [cancel.limit_s for cancel in round_.cancels if cancel.by is CancelledBy.LIMIT]
    return {"limit_s": limits[0] if limits else None}


def _faulted(round_: Round) -> _Found:
    stopped = round_.stopped
    return {"message": stopped.error if stopped is not None and stopped.error else _message(round_)}


def _gave_up(round_: Round) -> _Found:
    word = round_.gave_up
    if word is None:
        return {}
    status = word.status_line if word.status_line and word.status_line.strip() else None
    return {
        "cuts": len(word.cuts) if "cuts" in word.model_fields_set else None,
        "relaunches": word.relaunches if word.relaunches is not None else round_.relaunches or None,
        "cap": word.relaunch_cap,
        "last_error": status,
        "last_error_is_error": word.is_error,
        "earlier_summary": _earlier_summary(round_, word),
        "earlier_age_s": _summary_age_s(word),
    }


def _earlier_summary(round_: Round, word: ThreadSupervised) -> str | None:
    summary = word.summary
    return summary.text if summary is not None and summary.round != round_.id else None


def _summary_age_s(word: ThreadSupervised) -> float | None:
    if word.summary is None or word.summary.at is None or word.at is None:
        return None
    return max(0.0, (word.at - word.summary.at).total_seconds())


def _stalled_iterations(round_: Round) -> _Found:
    stopped = round_.stopped
    if stopped is None:
        return {}
    return {"n": stopped.used if stopped.used is not None else stopped.limit, "all_refused": stopped.all_refused}


def _limit(round_: Round) -> _Found:
    stopped = round_.stopped
    if stopped is None:
        return {}
    return {"limit": stopped.limit, "used": stopped.used, "currency": stopped.currency}


def _unfinished(round_: Round) -> _Found:
    names = tuple(tool.name or tool.id for tool in round_.open_tools.values())
    last = round_.last_call
    malformed = last if last is not None and malformed_tool_call(last) else None
    return {
        "names": names,
        "count": len(names),
        "provider_word": deciding_word(malformed) if malformed else None,
        "provider_message": malformed.finish_detail if malformed else None,
    }


def _output_cap(round_: Round) -> _Found:
    last = round_.last_call
    cap = last.max_output_tokens if last else None
    used = last.usage.output_tokens if last else None
    return {
        "cap": cap,
        "output_tokens": used,
        "below_cap": cap is not None and used is not None and used < cap,
        "text_kept": has_partial(round_),
    }


def _wire(round_: Round) -> _Found:
    last = round_.last_call
    return {"wire": deciding_word(last) if last else None, "text_kept": round_.text_visible}


def _filtered(round_: Round) -> _Found:
    last = round_.last_call
    if last is None:
        return {}
    word = deciding_word(last)
    code = last.error.code if last.error is not None else None
    return {
        "wire": word or last.finish_detail or code,
        "refused": last.judged_reason is StopReason.REFUSED,
        "prompt": last.is_filtered_request or (word is None and not last.output_seen),
        "detail": last.finish_detail if word is not None else None,
        "text_kept": round_.text_visible,
    }


def _stream_ended(round_: Round) -> _Found:
    last = round_.last_call
    return {
        "open_call": last is not None and not last.is_over,
        "text_kept": round_.text_visible,
        "done_marker": bool(last is not None and last.done_marker),
    }


def _no_output(round_: Round) -> _Found:
    return {"calls_recorded": bool(round_.calls)}


def _suspended(round_: Round) -> _Found:
    return {"why": round_.suspended.why if round_.suspended is not None else None}


_MAKERS: Mapping[Verdict, Callable[[Round], Any]] = {
    Verdict.CANCELLED: _cancelled,
    Verdict.SELECTION_UNRESOLVED: _selection,
    Verdict.NO_USABLE_MODEL: _no_model,
    Verdict.PROVIDER_STALLED: _stalled,
    Verdict.RESPONSE_BODY_CUT: _body_cut,
    Verdict.PROVIDER_ERROR: _provider_error,
    Verdict.ROUND_TIMED_OUT: _timed_out,
    Verdict.FAULTED: _faulted,
    Verdict.SUPERVISOR_GAVE_UP: _gave_up,
    Verdict.STALLED_ITERATIONS: _stalled_iterations,
    Verdict.MAX_ITERATIONS: _limit,
    Verdict.TOKEN_BUDGET: _limit,
    Verdict.COST_BUDGET: _limit,
    Verdict.WALL_CLOCK: _limit,
    Verdict.UNFINISHED_TOOL_CALL: _unfinished,
    Verdict.OUTPUT_CAP_REACHED: _output_cap,
    Verdict.CONTEXT_WINDOW_EXCEEDED: _wire,
    Verdict.CONTENT_FILTERED: _filtered,
    Verdict.TURN_PAUSED: _wire,
    Verdict.STREAM_ENDED_WITHOUT_FINISH: _stream_ended,
    Verdict.NO_OUTPUT: _no_output,
    Verdict.SUSPENDED: _suspended,
}
