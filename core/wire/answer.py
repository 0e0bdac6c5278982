"""What one response has said so far, and the events that tell it; the same for every wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..rounds.base import USAGE_FIELDS, CallError, CallOutcome, ChoiceEnd, OutputKind, Usage
from ..rounds.events import CallFinished, CallOutput, CallUsage, Event, ToolRequested
from ..rounds.reasons import StopReason, reported, stop_reason, worst
from .errors import failed_by_word
from .json_text import well_formed
from .made import Like
from .tools import Tool, ToolBook

MAX_CHOICES = 128
"""Choices of one response that are followed; providers allow no more."""
MAX_REPEATED = 16
"""Different later finish words that are kept."""
WORD_CHARS = 200
"""What is kept of a finish word; the longest known one has 29 characters."""

_WHOLE = frozenset(
    (StopReason.END, StopReason.STOP_SEQUENCE, StopReason.TOOL_USE, StopReason.UNKNOWN, StopReason.PAUSED)
)
"""After these words nothing of the response is missing."""

_output: Callable[[dict[str, Any]], CallOutput] = CallOutput.__pydantic_validator__.validate_python
_usage: Callable[[dict[str, Any]], CallUsage] = CallUsage.__pydantic_validator__.validate_python
_counts: Callable[[dict[str, Any]], Usage] = Usage.__pydantic_validator__.validate_python
_merged = Like(Usage(**dict.fromkeys(USAGE_FIELDS))).of
# They check what calling the class checks, at half its cost: a stream has an event for every piece.


@dataclass(slots=True)
class Choice:
    """One of the answers that a response holds."""

    finish: str | None = None
    native: str | None = None
    text_chars: int = 0
    streamed: bool = False
    """It came in deltas."""

    def reason(self, detail: str | None = None) -> StopReason | None:
        """Return the neutral value of its words; None = not reported."""
        return stop_reason(self.finish, detail, self.native)


class Answer:
    """The state of one response; every method appends the events that tell of the change."""

    def __init__(self, *, round_: str, call: str) -> None:
        """Start with nothing reported."""
        self._round = round_
        self._call = call
        self.now: float | None = None
        """Milliseconds since the request left, of the bytes being read; None = no time is reported."""
        self.error: CallError | None = None
        self.detail: str | None = None
        self.done = False
        """The format's end marker came."""
        self.usage: Usage | None = None
        self.tools = ToolBook(round_=round_, call=call, emit=self._tool_requested)
        self.followed: dict[int, Choice] = {}
        """The choices so far, ``MAX_CHOICES`` at most."""
        self._repeated: list[str] = []
        self._first_output: float | None = None
        self._first_answer: float | None = None
        self._began = False
        self._answered = False
        self._events: list[Event] = []
        self._said: Like[CallOutput] | None = None
        """The last output, checked; what follows it in the same place differs in the text alone."""
        self._said_at: tuple[OutputKind, int, str | None] | None = None
        self._told: Like[CallUsage] | None = None

    def choice(self, index: int) -> Choice | None:
        """Return the choice; None when there are too many already."""
        found = self.followed.get(index)
        if found is None and len(self.followed) < MAX_CHOICES:
            found = self.followed[index] = Choice()
        return found

    def output(self, kind: OutputKind, text: str, *, choice: int = 0, tool: Tool | None = None) -> None:
        """Tell of a piece of output; an empty one is none."""
        if not text:
            return
        holder = self.followed.get(choice) or self.choice(choice)
        if holder is None:
            return
        if not text.isascii():
            text = well_formed(text)
        if not self._began:
            self.begin()
        if kind is OutputKind.TEXT:
            holder.text_chars += len(text)
            if not self._answered:
                self._answered, self._first_answer = True, self.now
        place = (kind, choice, None if tool is None else tool.id)
        if self._said is None or place != self._said_at:
            self._said, self._said_at = Like(self._checked(kind, choice, tool, text)), place
        self._events.append(self._said.make("text", text))

    def _checked(self, kind: OutputKind, choice: int, tool: Tool | None, text: str) -> CallOutput:
        fields: dict[str, Any] = {"round": self._round, "call": self._call, "kind": kind, "text": text}
        if tool is not None:
            fields["tool_call"] = tool.id
        if choice:
            fields["choice"] = choice
        return _output(fields)

    @property
    def has_begun(self) -> bool:
        """Output of any kind came."""
        return self._began

    @property
    def has_answered(self) -> bool:
        """Text came."""
        return self._answered

    def begin(self) -> None:
        """Note the first output: text, reasoning, a refusal or a tool call's name."""
        if not self._began:
            self._began, self._first_output = True, self.now

    def arguments(self, tool: Tool, piece: str) -> bool:
        """Take in a piece of a tool call's arguments; False when they outgrew what is kept."""
        piece = well_formed(piece)
        self.output(OutputKind.TOOL_ARGUMENTS, piece, choice=tool.choice, tool=tool)
        return self.tools.add(tool, piece)

    def count(self, counts: Mapping[str, int], *, tell: bool = True) -> None:
        """Take in a running report of some of the five counts, checked and by their names; see ``report``."""
        usage = _counts(dict(counts)) if self.usage is None else _merged({**self.usage.__dict__, **counts})
        self._reported(usage, tell=tell)

    def report(self, usage: Usage, *, tell: bool = True) -> None:
        """Take in a running usage report: its fields replace the earlier ones."""
        self._reported(self.usage.merged(usage) if self.usage is not None else usage, tell=tell)

    def _reported(self, usage: Usage, *, tell: bool) -> None:
        self.usage = usage
        if tell:
            if self._told is None:
                self._told = Like(_usage({"round": self._round, "call": self._call, "usage": usage}))
            self._events.append(self._told.make("usage", usage))

    def finish(self, word: str | None, *, choice: int = 0, native: str = "") -> None:
        """Take in finish words: the first that reports something stays, other ones are kept beside it.

        The first choice's tool calls are over with its first word.
        """
        if not word and not native:
            return
        holder = self.choice(choice)
        if holder is None:
            return
        if reported(native) is not None:
            holder.native = well_formed(native[:WORD_CHARS])
        if word is None or reported(word) is None:
            return
        word = well_formed(word[:WORD_CHARS])
        if holder.finish is None:
            holder.finish = word
            if choice == 0:
                self._tell_tools(0)
        elif word != holder.finish and word not in self._repeated and len(self._repeated) < MAX_REPEATED:
            self._repeated.append(word)

    def fail(self, error: CallError) -> None:
        """Take in an error; the first one is kept."""
        self.error = self.error or error

    def is_cut(self, choice: int = 0) -> bool:
        """Say whether a choice's words leave something missing."""
        words = [self.choice_reason(choice), *map(stop_reason, self._repeated)]
        return self.error is not None or any(reason not in _WHOLE for reason in words)

    def end_tools(self) -> None:
        """Tell of the tool calls that were not told of yet, or turned out to be other ones.

        Of several choices those of the first are asked for. Where it says so and holds none, it is one message in
        pieces (Copilot splits text and tool calls), and the next choice holds them.
        """
        asking = sorted({tool.choice for tool in self.tools.all})
        split = self.choice_reason(0) is StopReason.TOOL_USE
        for choice in asking[:1]:
            if choice == 0 or split:
                self._tell_tools(choice)

    def _tell_tools(self, choice: int) -> None:
        for tool in self.tools.of(choice):
            self.tools.tell(tool, cut=self.is_cut(choice))

    def choice_reason(self, choice: int) -> StopReason | None:
        """Return the neutral value of a choice's words; None = not reported."""
        holder = self.followed.get(choice)
        return holder.reason(None if choice else self.detail) if holder else None

    def tell(self, event: Event) -> None:
        """Tell something beside the answer in its place."""
        self._events.append(event)

    def drain(self) -> list[Event]:
        """Return the events since the last time."""
        events, self._events = self._events, []
        return events

    def finished(self, *, streamed: bool, lost: CallError | None, total_ms: float | None) -> CallFinished:
        """Return the end of the call.

        Args:
            streamed: the body was a stream, so an end marker could be expected.
            lost: why the transfer broke; None when the body just ended.
            total_ms: milliseconds since the request left.
        """
        outcome, error = self._outcome(lost)
        first = self.followed.get(0, Choice())
        several = len(self.followed) > 1 or (bool(self.followed) and 0 not in self.followed)
        return CallFinished(
            round=self._round,
            call=self._call,
            outcome=outcome,
            finish_reason=first.finish,
            native_finish_reason=first.native,
            finish_detail=self.detail,
            error=error,
            usage=self.usage,
            first_output_ms=self._first_output,
            first_answer_ms=self._first_answer,
            total_ms=total_ms,
            choices=tuple(
                ChoiceEnd(index=index, finish_reason=choice.finish, text_chars=choice.text_chars)
                for index, choice in sorted(self.followed.items())
                if several
            ),
            done_marker=self.done if streamed else None,
            finish_repeated=tuple(self._repeated),
        )

    def _outcome(self, lost: CallError | None) -> tuple[CallOutcome, CallError | None]:
        if self.error is not None:
            return CallOutcome.FAILED, self.error
        words = map(self.choice_reason, self.followed)
        known = [reason for reason in (*words, *map(stop_reason, self._repeated)) if reason is not None]
        reason = worst(known) if known else None
        if reason is StopReason.PROVIDER_ERROR:
            return CallOutcome.FAILED, failed_by_word(self._word_for(reason))
        if reason is StopReason.CANCELLED:
            return CallOutcome.CANCELLED, None
        if lost is not None and not self.done:
            return CallOutcome.BODY_CUT, lost
        return CallOutcome.COMPLETED, None

    def _word_for(self, reason: StopReason) -> str:
        said = (word for choice in self.followed.values() for word in (choice.finish, choice.native))
        words = (word for word in (*said, *self._repeated) if word and stop_reason(word) is reason)
        return next(words, self.detail or reason.value)

    def _tool_requested(self, event: ToolRequested) -> None:
        self._events.append(event)
