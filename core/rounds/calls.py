"""One model call of a round: a ledger entry, filled in as its events arrive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from .base import CallError, CallOutcome, ChoiceEnd, Continuation, OutputKind, Usage
from .events import CallFinished, CallOutput, CallStarted, CallUsage
from .reasons import CUT, StopReason, reported, severity, stop_reason, worst
from .text_buffer import TextBuffer
from .tool_calls import ToolCall
from .usage import NOTHING_REPORTED, OUTPUT_BEGINS_AS_PLACEHOLDER, Counts, counts_of, implausible, normalised

# Members are looked up once: read off its enum, one costs several times the comparison.
_TEXT, _REASONING, _REFUSAL, _USAGE = OutputKind.TEXT, OutputKind.REASONING, OutputKind.REFUSAL, OutputKind.USAGE
_END, _TOOL_USE, _REFUSED = StopReason.END, StopReason.TOOL_USE, StopReason.REFUSED
_PROVIDER_CANCELLED, _PROVIDER_ERROR = StopReason.CANCELLED, StopReason.PROVIDER_ERROR
_COMPLETED, _FAILED, _CANCELLED = CallOutcome.COMPLETED, CallOutcome.FAILED, CallOutcome.CANCELLED
CONTENT_FILTER_CODES = frozenset(
    ("content_filter", "ResponsibleAIPolicyViolation", "content_policy_violation", "content_filtered")
)
"""Error codes of a request that a content filter turned away; the code decides, not the text."""


@dataclass(slots=True, eq=False)
class Call:
    """One request to a provider and what came back."""

    id: str
    model: str | None = None
    provider: str | None = None
    wire: str | None = None
    max_output_tokens: int | None = None
    """The cap the call was SENT with."""
    context_window: int | None = None
    iteration: int | None = None
    attempt: int | None = None
    continuation: Continuation | None = None
    start_seen: bool = False
    started_at: datetime | None = None
    first_output_at: datetime | None = None
    last_output_at: datetime | None = None
    finished_at: datetime | None = None
    finish_reason: str | None = None
    """The wire value, verbatim; None = not reported."""
    native_finish_reason: str | None = None
    finish_detail: str | None = None
    finish_repeated: tuple[str, ...] = ()
    error: CallError | None = None
    choices: tuple[ChoiceEnd, ...] = ()
    done_marker: bool | None = None
    first_answer_ms: float | None = None
    silent_ms: float | None = None
    tool_calls: list[ToolCall] = field(default_factory=list[ToolCall])
    usage_as_reported: Usage = NOTHING_REPORTED
    """The provider's own numbers, running reports merged field by field."""
    output: TextBuffer = field(default_factory=TextBuffer)
    reasoning: TextBuffer = field(default_factory=TextBuffer)
    refusal: TextBuffer = field(default_factory=TextBuffer)
    output_seen: bool = False
    continued: bool = False
    """A later call carries this one on."""
    marks: frozenset[str] = frozenset()
    """What the round's tally counts it under; see ``marks``."""
    _outcome: CallOutcome | None = None
    _first_output_ms: float | None = None
    _total_ms: float | None = None
    _usage_reports: int = 0
    _said: StopReason | None = None
    """The worst of the provider's own words, found out when one arrives: judging a round asks for it many times."""

    @property
    def text(self) -> str:
        """The visible text of choice 0."""
        return self.output.text

    @property
    def text_chars(self) -> int:
        """Characters of choice 0's text, withheld ones included."""
        return self.output.chars

    @property
    def reasoning_chars(self) -> int:
        """Characters of reasoning."""
        return self.reasoning.chars

    @property
    def is_over(self) -> bool:
        """Its end was recorded."""
        return self._outcome is not None

    @property
    def is_cut(self) -> bool:
        """The provider, or its upstream, says that the response was cut."""
        return self.stop_reason in CUT

    @property
    def stop_reason(self) -> StopReason | None:
        """The neutral reason that decides: the worst of all that was reported; None = not reported.

        Source:
            outcomes.md 2.6.5 and 2.6.6; providers.md 0 (refusal channel, blocked prompt, tool use derived).
        """
        found = self._reported_reason
        if found is _END and any(not tool.server for tool in self.tool_calls):
            return _TOOL_USE  # some wires have no word for it, and forced tools end with "stop" on others
        return found

    @property
    def _reported_reason(self) -> StopReason | None:
        """The worst of the provider's own words and its refusal channel."""
        found = self._said
        if found is None:
            return None
        if self.refusal.visible and not self.output.visible and severity(found) < severity(_REFUSED):
            return _REFUSED
        return found

    @property
    def words(self) -> tuple[str, ...]:
        """Every finish word that was reported, verbatim: the first one, its upstream's, later ones, the choices'."""
        said = (self.finish_reason, self.native_finish_reason, *self.finish_repeated)
        words = (*said, *[choice.finish_reason for choice in self.choices]) if self.choices else said
        return tuple([word for word in words if word and reported(word)])

    @property
    def judged_reason(self) -> StopReason | None:
        """``stop_reason``, or that of the worst choice where there are several.

        A choice that reported none counts as worse than a natural end and milder than a cut. Tool calls that
        are mere placeholders ask for nothing: beside them the provider's word stands.
        """
        if len(self.choices) < 2:
            found = self._reported_reason
            if found is _END and any(tool.counts for tool in self.tool_calls):
                return _TOOL_USE
            return found
        reasons = [stop_reason(choice.finish_reason) for choice in self.choices]
        known = [reason for reason in (self.stop_reason, *reasons) if reason is not None]
        if not known:
            return None
        found = worst(known)
        missing = self.stop_reason is None or None in reasons
        return None if missing and severity(found) < severity(StopReason.OUTPUT_CAP) else found

    @property
    def outcome(self) -> CallOutcome | None:
        """How the transfer ended; None while open. An error object or word makes it failed."""
        if self._outcome is not _COMPLETED:
            return self._outcome
        reason = self.judged_reason
        if reason is _PROVIDER_CANCELLED:
            return _CANCELLED
        failed = self.error is not None or reason is _PROVIDER_ERROR
        return _FAILED if failed else _COMPLETED

    @property
    def is_filtered_request(self) -> bool:
        """The request itself was turned away by a content filter, by the error's code."""
        return self.error is not None and self.error.code in CONTENT_FILTER_CODES

    @property
    def usage(self) -> Usage:
        """Normalised counts; None = not reported."""
        return normalised(self.usage_as_reported, self._counts)

    @property
    def usage_implausible(self) -> bool:
        """The counts cannot be right; they are shown raw and kept out of sums."""
        return implausible(self.usage_as_reported, self._counts)

    @property
    def _counts(self) -> Counts:
        return counts_of(
            self.usage_as_reported,
            wire=self.wire,
            provider=self.provider,
            text_seen=self.output.visible or self.reasoning.visible,
            output_is_placeholder=self._output_is_placeholder,
        )

    @property
    def _output_is_placeholder(self) -> bool:
        """Anthropic's message_start carries an output count that only message_delta makes real."""
        streamed = self.wire in OUTPUT_BEGINS_AS_PLACEHOLDER and self._usage_reports > 0
        return streamed and self._usage_reports < 2 and reported(self.finish_reason) is None

    @property
    def first_output_ms(self) -> float | None:
        """Time to first output: the producer's figure, else the difference of the recorded moments."""
        if self._first_output_ms is not None:
            return self._first_output_ms
        return _between_ms(self.started_at, self.first_output_at)

    @property
    def total_ms(self) -> float | None:
        """Total time: the producer's figure, else the difference of the recorded moments."""
        return self._total_ms if self._total_ms is not None else _between_ms(self.started_at, self.finished_at)

    @property
    def derived(self) -> frozenset[str]:
        """Names of the times that we derived from ``at``."""
        return frozenset(self._derived_names())

    def _derived_names(self) -> Iterator[str]:
        if self._first_output_ms is None and self.first_output_ms is not None:
            yield "first_output_ms"
        if self._total_ms is None and self.total_ms is not None:
            yield "total_ms"

    @property
    def content_seen(self) -> bool:
        """Visible text, or any tool call."""
        return self.output.visible or bool(self.tool_calls)

    @property
    def only_reasoning(self) -> bool:
        """Reasoning came and neither text nor any tool call or argument."""
        return self.reasoning.chars > 0 and not self.content_seen and self.output.chars == 0

    def start(self, event: CallStarted) -> None:
        """Take in ``call.started``; a repeated one adds what the first left out."""
        self.start_seen = True
        self.model = event.model or self.model
        self.provider = event.provider or self.provider
        self.wire = event.wire or self.wire
        if event.max_output_tokens is not None:
            self.max_output_tokens = event.max_output_tokens
        if event.context_window is not None:
            self.context_window = event.context_window
        if event.iteration is not None:
            self.iteration = event.iteration
        if event.attempt is not None:
            self.attempt = event.attempt
        self.continuation = event.continuation or self.continuation
        self.started_at = self.started_at or event.at

    def stream(self, event: CallOutput) -> bool:
        """Take in ``call.output``; return whether visible text of choice 0 came."""
        return self.take(event.kind, event.text, event.chars, event.choice, event.at)

    def take(
        self, kind: OutputKind, text: str | None, chars: int | None, choice: int | None, at: datetime | None
    ) -> bool:
        """Do what ``stream`` does, with the fields of a ``call.output``."""
        if (text or chars) and kind is not _USAGE:
            self.output_seen = True
            if at is not None:
                self.last_output_at = at
                if self.first_output_at is None:
                    self.first_output_at = at
        if kind is _TEXT:
            return not choice and self.output.add(text, chars)
        if kind is _REASONING:
            self.reasoning.add(text, chars)
        elif kind is _REFUSAL:
            self.refusal.add(text, chars)
        return False

    def report(self, event: CallUsage) -> None:
        """Take in a running usage report: the last value of each field wins, nothing is added up."""
        self._note_usage(event.usage)
        self._usage_reports += 1

    def _note_usage(self, counts: Usage) -> None:
        before = self.usage_as_reported
        self.usage_as_reported = counts if before is NOTHING_REPORTED else before.merged(counts)

    def finish(self, event: CallFinished) -> None:
        """Take in ``call.finished``; the first non-empty finish reason stays, later ones are kept beside it.

        A repeated one never turns a call that broke into one that completed: of two words the worse decides.
        """
        if self._outcome is None or self._outcome is _COMPLETED:
            self._outcome = event.outcome
        self._note_reasons(event)
        self.error = event.error or self.error
        self.choices = event.choices or self.choices
        self.finished_at = self.finished_at or event.at
        if event.usage is not None:
            self._note_usage(event.usage)
        self._note_figures(event)

    def _note_figures(self, event: CallFinished) -> None:
        if event.done_marker is not None:
            self.done_marker = event.done_marker
        if event.first_answer_ms is not None:
            self.first_answer_ms = event.first_answer_ms
        if event.silent_ms is not None:
            self.silent_ms = event.silent_ms
        if event.first_output_ms is not None:
            self._first_output_ms = event.first_output_ms
        if event.total_ms is not None:
            self._total_ms = event.total_ms

    def _note_reasons(self, event: CallFinished) -> None:
        self.native_finish_reason = event.native_finish_reason or self.native_finish_reason
        self.finish_detail = event.finish_detail or self.finish_detail
        words = [word for word in (event.finish_reason, *event.finish_repeated) if reported(word)]
        if words and reported(self.finish_reason) is None:
            self.finish_reason = words.pop(0)
        others = [word for word in words if word is not None and word != self.finish_reason]
        if others:
            self.finish_repeated = tuple(dict.fromkeys((*self.finish_repeated, *others)))
        own = stop_reason(self.finish_reason, self.finish_detail, self.native_finish_reason)
        later = (stop_reason(word) for word in self.finish_repeated)
        known = [reason for reason in (own, *later) if reason is not None]
        self._said = worst(known) if known else None


def _between_ms(start: datetime | None, end: datetime | None) -> float | None:
    if start is None or end is None:
        return None
    return max(0.0, (end - start).total_seconds() * 1000)
