"""Why a round ended the way it did: the first sentences of a banner, one function a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..rounds.notes import Facts, NoteCode
from ..rounds.outcome import Outcome
from ..rounds.verdicts import Doubt, StoppedBy, Verdict
from .durations import duration
from .limit_causes import LIMIT_CAUSES
from .phrases import Said, listed, reported_as, text_kept, with_message
from .reading import flag_of, names_of, number_of, text_of
from .supervisor_sentences import gave_up
from .texts import Texts
from .tool_sentences import unfinished_tool_call

CLIENT_ERRORS, ERRORS = range(400, 500), range(400, 1000)


def cause(outcome: Outcome, texts: Texts) -> Said:
    """Return the sentences that say what happened; none for a confirmed answer."""
    if outcome.verdict is Verdict.COMPLETED:
        return () if outcome.is_answer else (_unconfirmed(outcome, texts),)
    if outcome.verdict is Verdict.RUNNING:
        return _running(outcome, texts)
    if outcome.verdict is Verdict.CONTENT_FILTERED:
        noted = any(note.code is NoteCode.FILTER_DETAIL for note in outcome.notes)
        return _filtered(outcome.facts, texts, detail_noted=noted)
    return CAUSES[outcome.verdict](outcome.facts, texts)


def doubts_phrase(doubts: tuple[Doubt, ...], texts: Texts) -> str:
    """Return the doubts as one clause."""
    return "; ".join(texts(f"doubt.{each}") for each in doubts)


def _unconfirmed(outcome: Outcome, texts: Texts) -> str:
    if not outcome.doubts:
        return texts("banner.unconfirmed_bare")
    return texts("banner.unconfirmed", doubts=doubts_phrase(outcome.doubts, texts))


def _running(outcome: Outcome, texts: Texts) -> Said:
    said: list[str] = []
    if outcome.stalled_ms is not None:
        said.append(texts("banner.silent_for", duration=duration(outcome.stalled_ms, texts)))
    said.append(texts("banner.running"))
    if outcome.provisional_doubts:
        doubts = doubts_phrase(outcome.provisional_doubts, texts)
        said.append(texts("banner.if_ended_now_unconfirmed", doubts=doubts))
    elif outcome.provisional is Verdict.COMPLETED:
        said.append(texts("banner.if_ended_now_completed"))
    elif outcome.provisional not in (None, Verdict.RUNNING):
        said.append(texts("banner.if_ended_now", verdict=texts(f"verdict.{outcome.provisional}")))
    return tuple(said)


def _cancelled(facts: Facts, texts: Texts) -> Said:
    by = text_of(facts, "by")
    who = by if by in tuple(StoppedBy) else StoppedBy.NOT_RECORDED
    reported = reported_as(facts, texts) if who == StoppedBy.PROVIDER else ()
    kept = flag_of(facts, "text_kept")
    nothing = (texts("banner.no_text_yet"),) if kept is False else ()
    return (texts(f"banner.cancelled_{who}"), *reported, *text_kept(facts, texts), *nothing)


def _selection(facts: Facts, texts: Texts) -> Said:
    agent, available = text_of(facts, "agent"), names_of(facts, "available")
    if agent is None:
        first = with_message(texts("banner.selection_unnamed"), text_of(facts, "sentence"), texts)
    elif available:
        first = texts("banner.selection", agent=agent, available=listed(available, texts))
    else:
        first = texts("banner.selection_no_list", agent=agent)
    fallback = text_of(facts, "fallback_agent")
    if fallback:
        return first, texts("banner.fallback_agent", agent=fallback)
    return (first, texts("banner.nothing_ran")) if flag_of(facts, "ran") is False else (first,)


def _no_model(facts: Facts, texts: Texts) -> Said:
    cause_name, agent, model = text_of(facts, "cause"), text_of(facts, "agent"), text_of(facts, "model")
    known = f"banner.cause_{cause_name}" if cause_name in ("no_model", "no_factory", "no_credential") else None
    reason = text_of(facts, "reason")
    reported = (texts("banner.reported_reason", reason=reason),) if reason else ()
    if flag_of(facts, "agent_exists") and agent:
        why = texts(known) if known else texts("banner.cause_not_recorded")
        asked = (texts("banner.asked_model", model=model),) if model else ()
        return (texts("banner.agent_unbuildable", agent=agent, cause=why), *asked, *reported)
    first = texts("banner.no_model", model=model) if model else texts("banner.no_model_chosen")
    because = (texts("banner.because", cause=texts(known)),) if known else ()
    return (first, *because, *reported)


def _stalled(facts: Facts, texts: Texts) -> Said:
    silent = number_of(facts, "silent_ms")
    first = texts("banner.stalled") if silent is None else texts("banner.stalled_for", duration=duration(silent, texts))
    return (first, texts("banner.call_ended"), *text_kept(facts, texts))


def _body_cut(facts: Facts, texts: Texts) -> Said:
    return with_message(texts("banner.body_cut"), text_of(facts, "message"), texts), *text_kept(facts, texts)


def _provider_error(facts: Facts, texts: Texts) -> Said:
    message, code = text_of(facts, "message"), text_of(facts, "code")
    said = [with_message(_what_the_provider_did(facts, texts), message, texts)]
    if code and code not in (message or ""):
        said.append(texts("banner.error_code", code=code))
    if message is None and code is None:
        said.extend(reported_as(facts, texts))
    return tuple(said)


def _what_the_provider_did(facts: Facts, texts: Texts) -> str:
    found = number_of(facts, "http_status")
    status = int(found) if found is not None else 0
    if flag_of(facts, "in_stream"):
        return texts(
            "banner.error_in_stream_status" if status in ERRORS else "banner.error_in_stream", status=str(status)
        )
    if status in CLIENT_ERRORS:
        return texts("banner.rejected", status=str(status))
    return texts("banner.answered_with" if status in ERRORS else "banner.error", status=str(status))


def _faulted(facts: Facts, texts: Texts) -> Said:
    return (with_message(texts("banner.faulted"), text_of(facts, "message"), texts),)


def _filtered(facts: Facts, texts: Texts, *, detail_noted: bool = False) -> Said:
    wire, detail = text_of(facts, "wire"), text_of(facts, "detail")
    what = "refused" if flag_of(facts, "refused") else "prompt_blocked" if flag_of(facts, "prompt") else "withheld"
    first = texts(f"banner.{what}_reported", wire=wire) if wire else texts(f"banner.{what}")
    closer = (texts("note.filter_detail", detail=detail),) if detail and not detail_noted else ()
    return (first, *closer, *text_kept(facts, texts))


def _turn_paused(facts: Facts, texts: Texts) -> Said:
    wire = text_of(facts, "wire")
    first = texts("banner.paused_reported", wire=wire) if wire else texts("banner.paused")
    return (first, *text_kept(facts, texts))


def _stream_ended(facts: Facts, texts: Texts) -> Said:
    if flag_of(facts, "open_call"):
        return (texts("banner.open_call"), *text_kept(facts, texts))
    said = [texts("banner.stream_ended"), texts("banner.stall_or_drop")]
    if flag_of(facts, "done_marker"):
        said.append(texts("banner.done_marker"))
    return (*said, *text_kept(facts, texts))


def _no_output(facts: Facts, texts: Texts) -> Said:
    return (texts("banner.no_output_no_calls" if facts.get("calls_recorded") is False else "banner.no_output"),)


def _no_final_answer(facts: Facts, texts: Texts) -> Said:
    return (texts("banner.no_final_answer"),)


def _suspended(facts: Facts, texts: Texts) -> Said:
    return (with_message(texts("banner.suspended"), text_of(facts, "why"), texts),)


CAUSES: Mapping[Verdict, Callable[[Facts, Texts], Said]] = {
    Verdict.CANCELLED: _cancelled,
    Verdict.SELECTION_UNRESOLVED: _selection,
    Verdict.NO_USABLE_MODEL: _no_model,
    Verdict.PROVIDER_STALLED: _stalled,
    Verdict.RESPONSE_BODY_CUT: _body_cut,
    Verdict.PROVIDER_ERROR: _provider_error,
    Verdict.FAULTED: _faulted,
    Verdict.SUPERVISOR_GAVE_UP: gave_up,
    Verdict.UNFINISHED_TOOL_CALL: unfinished_tool_call,
    Verdict.TURN_PAUSED: _turn_paused,
    Verdict.STREAM_ENDED_WITHOUT_FINISH: _stream_ended,
    Verdict.NO_OUTPUT: _no_output,
    Verdict.NO_FINAL_ANSWER: _no_final_answer,
    Verdict.SUSPENDED: _suspended,
    **LIMIT_CAUSES,
}
"""Every verdict but the three that need more than their facts: completed, running, content_filtered."""
