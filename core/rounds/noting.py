"""Which notes a round deserves: every count from evidence, nothing hidden (outcomes.md 2.6.11 to 2.6.16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .base import ContinuationKind, Silence
from .calls import Call
from .marks import earlier
from .notes import FactValue, Note, NoteCode
from .reasons import CUT, NATURAL, StopReason, reported
from .round import Round
from .rules import has_partial
from .rules import verdict as verdict_of
from .tool_calls import ToolState
from .verdicts import Verdict

LONGEST_CHAIN = 100  # continuations walked back from the end; budgets are 1 or 2
SILENT_BEFORE_END_MS = 60_000.0
"""A minute in which nothing was recorded before the end is worth a line; below it is ordinary closing work."""


def notes(round_: Round, verdict: Verdict) -> tuple[Note, ...]:
    """Return the round's notes, the nearest to the cause first."""
    found: list[Note] = []
    for maker in _MAKERS:
        found += maker(round_, verdict)
    return tuple(found)


def _note(code: NoteCode, **facts: FactValue) -> Note:
    return Note(code, facts)


def _continuations(round_: Round, verdict: Verdict) -> Iterator[Note]:
    last = round_.last_call
    if last is None or last.continuation is None or not _continued_in_vain(round_, verdict):
        return
    own = _cut_kind(last)
    chain = list(_chain(round_, last))
    same = own is not None and all(_cut_kind(call) is own or call is last for call in chain)
    if same and chain:
        code = (
            NoteCode.CONTINUATION_CUT_TOO
            if own is ContinuationKind.OUTPUT_CAP
            else NoteCode.CONTINUATION_ENDED_SAME_WAY
        )
        yield _note(code, n=len(chain))
    else:
        yield _note(NoteCode.CONTINUATION_AFTER_OTHER_CUT, kind=str(last.continuation.kind))


_MAY_BE_CONTINUED = frozenset((Verdict.OUTPUT_CAP_REACHED, Verdict.STREAM_ENDED_WITHOUT_FINISH))


def _continued_in_vain(round_: Round, verdict: Verdict) -> bool:
    """The last call carries on a cut one and was cut itself: one note tells of the whole chain."""
    last = round_.last_call
    cut = verdict in _MAY_BE_CONTINUED
    return cut and last is not None and last.continuation is not None


def _chain(round_: Round, last: Call) -> Iterator[Call]:
    """The calls that were carried on, from the last one's predecessor back to the original."""
    call = last
    for _ in range(LONGEST_CHAIN):
        if call.continuation is None:
            return
        found = round_.calls_by_id.get(call.continuation.of)
        if found is None or found is call:
            return
        yield found
        call = found


def _cut_kind(call: Call) -> ContinuationKind | None:
    if call.stop_reason is StopReason.OUTPUT_CAP:
        return ContinuationKind.OUTPUT_CAP
    return ContinuationKind.STREAM_ENDED if call.stop_reason is None else None


def _reasons(round_: Round, verdict: Verdict) -> Iterator[Note]:
    last = round_.last_call
    if last is None:
        return
    word, native = reported(last.finish_reason), reported(last.native_finish_reason)
    if native is not None and native != word:
        yield _note(NoteCode.NATIVE_REASON_DIFFERS, finish_reason=word, native=native)
    if last.finish_repeated:
        yield _note(NoteCode.FINISH_REASON_REPEATED, finish_reason=word, later=last.finish_repeated)
    words = tuple([reported(choice.finish_reason) or "" for choice in last.choices])
    if len(set(words)) > 1:
        yield _note(NoteCode.CHOICES_DIFFER, reasons=words)
    if last.finish_detail and word is not None and verdict is Verdict.CONTENT_FILTERED:
        yield _note(NoteCode.FILTER_DETAIL, detail=last.finish_detail)


def _cut_tool_call(round_: Round, verdict: Verdict) -> Iterator[Note]:
    last = round_.last_call
    if verdict is Verdict.UNFINISHED_TOOL_CALL and last is not None and last.judged_reason in CUT:
        yield _note(NoteCode.LAST_RESPONSE_CUT, output_tokens=last.usage.output_tokens)


def _reasoning(round_: Round, verdict: Verdict) -> Iterator[Note]:
    last = round_.last_call
    if last is not None and last.judged_reason in CUT and last.only_reasoning:
        usage = last.usage
        yield _note(NoteCode.ONLY_REASONING, output_tokens=usage.output_tokens, reasoning_tokens=usage.reasoning_tokens)
    elif verdict is Verdict.NO_OUTPUT and round_.reasoning_chars > 0 and _ended_naturally(last):
        yield _note(NoteCode.REASONING_ONLY)


def _ended_naturally(call: Call | None) -> bool:
    return call is None or call.judged_reason in NATURAL


_CALL_MARKS = (
    ("unreported", NoteCode.CALLS_WITHOUT_FINISH),
    ("broken", NoteCode.RETRIES),
    ("open", NoteCode.CALLS_NEVER_ENDED),
)
_TOOL_MARKS = (
    ("discarded", NoteCode.TOOL_CALLS_DISCARDED),
    ("refused", NoteCode.TOOL_CALLS_REFUSED),
    ("tool_failed", NoteCode.TOOL_CALLS_FAILED),
    ("incomplete_run", NoteCode.ARGUMENTS_INCOMPLETE_RUN),
)


def _earlier_calls(round_: Round, verdict: Verdict) -> Iterator[Note]:
    told = list(_chain(round_, round_.calls[-1])) if _continued_in_vain(round_, verdict) else []
    if earlier(round_, "cut") or earlier(round_, "unreported"):
        continued = sum(1 for call in round_.calls[:-1] if call.continued) - len(told)
        if continued > 0:
            yield _note(NoteCode.EARLIER_CUT_CONTINUED, n=continued)
        left = sum(1 for call in round_.calls[:-1] if call.is_cut and not call.continued)
        if left:
            yield _note(NoteCode.EARLIER_CALLS_CUT, n=left)
    for mark, code in _CALL_MARKS:
        if mark == "unreported" and Silence.FINISH_REASON in round_.silent:
            continue  # that the source records none is told once, as a doubt
        count = earlier(round_, mark)
        if told:
            count -= sum(1 for call in told if mark in call.marks)
        if count > 0:
            yield _note(code, n=count)
    if implausible := round_.tally["implausible"]:
        yield _note(NoteCode.USAGE_IMPLAUSIBLE, n=implausible)


def _tools(round_: Round, verdict: Verdict) -> Iterator[Note]:
    for mark, code in _TOOL_MARKS:
        if count := round_.tally[mark]:
            yield _note(code, n=count)


def _sub_rounds(round_: Round, verdict: Verdict) -> Iterator[Note]:
    if not round_.children:
        return
    judged = [(child, verdict_of(child)) for child in round_.children.values()]
    bad = [str(what) for child, what in judged if child.is_over and what is not Verdict.COMPLETED]
    if bad:
        yield _note(NoteCode.SUB_ROUNDS_NOT_COMPLETE, n=len(bad), verdicts=tuple(bad))
    running = [child.id for child, _ in judged if not child.is_over]
    if running:
        yield _note(NoteCode.SUB_ROUNDS_RUNNING, n=len(running), rounds=tuple(running))
    told_ok = [child.id for child, what in judged if what is not Verdict.COMPLETED and parent_told_ok(round_, child)]
    if told_ok:
        yield _note(NoteCode.PARENT_TOLD_OK, n=len(told_ok), rounds=tuple(told_ok))


def parent_told_ok(parent: Round, child: Round) -> bool:
    """Say whether the parent's tool call that ran an ended sub-round reports ok."""
    if not child.is_over or child.parent is None or child.parent.tool_call is None:
        return False
    tool = parent.tools_by_id.get(child.parent.tool_call)
    return tool is not None and tool.state is ToolState.OK


_LIMITS = frozenset((Verdict.MAX_ITERATIONS, Verdict.TOKEN_BUDGET, Verdict.COST_BUDGET, Verdict.WALL_CLOCK))


def _record(round_: Round, verdict: Verdict) -> Iterator[Note]:
    if verdict in _LIMITS:
        last = round_.last_call
        if has_partial(round_) and last is not None and last.stop_reason in NATURAL:
            yield _note(NoteCode.SUMMARY_AFTER_LIMIT)
    silent = silent_before_end_ms(round_)
    if silent is not None and silent >= SILENT_BEFORE_END_MS:
        yield _note(NoteCode.SILENT_BEFORE_END, ms=silent)
    if not round_.start_seen:
        yield _note(NoteCode.START_NOT_SEEN)
    if unknown := round_.tally["unknown"]:
        yield _note(NoteCode.UNKNOWN_EVENTS, n=unknown)


def silent_before_end_ms(round_: Round) -> float | None:
    """Return how long nothing was recorded before the round's end; None while unknown or not over."""
    if not round_.is_over or round_.ended_at is None or round_.last_step_at is None:
        return None
    return max(0.0, (round_.ended_at - round_.last_step_at).total_seconds() * 1000)


_MAKERS: tuple[Callable[[Round, Verdict], Iterator[Note]], ...] = (
    _cut_tool_call,
    _continuations,
    _reasons,
    _reasoning,
    _earlier_calls,
    _tools,
    _sub_rounds,
    _record,
)
