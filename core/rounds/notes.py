"""Notes: what happened on the way, counted and never hidden (outcomes.md 2.6.11 to 2.6.16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

FactValue = str | int | float | bool | tuple[str, ...] | None
"""What a sentence may be made of: facts are stored, sentences are made at paint time."""
Facts = Mapping[str, FactValue]


class NoteCode(StrEnum):
    """What a note says; its facts stand behind each member."""

    CONTINUATION_CUT_TOO = "continuation_cut_too"
    """n: continuations that were cut at the output limit like the first call."""
    CONTINUATION_ENDED_SAME_WAY = "continuation_ended_same_way"
    """n: continuations whose stream ended without a finish like the first."""
    CONTINUATION_AFTER_OTHER_CUT = "continuation_after_other_cut"
    """kind: output_cap or stream_ended, what the continued call had been."""
    EARLIER_CUT_CONTINUED = "earlier_cut_continued"
    """n: earlier calls that were cut and continued by the platform; a chain told by a continuation note not again."""
    EARLIER_CALLS_CUT = "earlier_calls_cut"
    """n: earlier calls that were cut and not continued."""
    RETRIES = "retries"
    """n: earlier calls that failed and were followed by another."""
    TOOL_CALLS_DISCARDED = "tool_calls_discarded"
    """n: refused because their response was cut."""
    TOOL_CALLS_REFUSED = "tool_calls_refused"
    """n: refused by a rule or a person."""
    TOOL_CALLS_FAILED = "tool_calls_failed"
    """n."""
    LAST_RESPONSE_CUT = "last_response_cut"
    """output_tokens (None = not reported): the response that asked for an unfinished tool call was itself cut."""
    CALLS_WITHOUT_FINISH = "calls_without_finish"
    """n: earlier calls that ended without a finish reason; the last one's stands in the figures."""
    CALLS_NEVER_ENDED = "calls_never_ended"
    """n: calls before the last one that have no end."""
    ARGUMENTS_INCOMPLETE_RUN = "arguments_incomplete_run"
    """n: tool calls that ran although their arguments were incomplete."""
    SUB_ROUNDS_NOT_COMPLETE = "sub_rounds_not_complete"
    """n, verdicts: tuple of verdict values, one a sub-round."""
    SUB_ROUNDS_RUNNING = "sub_rounds_running"
    """n, rounds: ids."""
    PARENT_TOLD_OK = "parent_told_ok"
    """n, rounds: the tool call that ran the sub-round says ok, the sub-round's outcome is no answer."""
    ONLY_REASONING = "only_reasoning"
    """output_tokens, reasoning_tokens (None = not reported): a cut call produced nothing but reasoning."""
    REASONING_ONLY = "reasoning_only"
    """No facts: a natural finish after nothing but reasoning."""
    NATIVE_REASON_DIFFERS = "native_reason_differs"
    """finish_reason, native: the router's word and its upstream's."""
    FINISH_REASON_REPEATED = "finish_reason_repeated"
    """finish_reason, later: tuple; the worse decided."""
    CHOICES_DIFFER = "choices_differ"
    """reasons: tuple of the choices' own words in order ("" = none reported)."""
    START_NOT_SEEN = "start_not_seen"
    """No facts: the ledger met the round after its start."""
    SUMMARY_AFTER_LIMIT = "summary_after_limit"
    """No facts: a forced summary was written after a limit; readable, not an answer."""
    SILENT_BEFORE_END = "silent_before_end"
    """ms: nothing happened between the last recorded step and the end of the round."""
    USAGE_IMPLAUSIBLE = "usage_implausible"
    """n: calls whose token counts cannot be right (negative, or more cached than input)."""
    UNKNOWN_EVENTS = "unknown_events"
    """n: events of this round of a type this version does not know."""
    FILTER_DETAIL = "filter_detail"
    """detail: the provider's own closer word, verbatim."""


@dataclass(frozen=True, slots=True)
class Note:
    """One note: a code, and the facts its sentence needs."""

    code: NoteCode
    facts: Facts = field(default_factory=dict[str, FactValue])
