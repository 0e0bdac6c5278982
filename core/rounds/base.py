"""The building blocks that several round events share.

Annotations are not postponed here and in ``events``: evaluating them one by one took a tenth of the loading.
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from .moment import Moment


class Frozen(BaseModel):
    """Base of every wire value: immutable, unknown fields ignored (the raw line keeps them).

    A class gets its own validator when the first value is made of it by hand: readers bring theirs (``wire_schema``).
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", allow_inf_nan=False, hide_input_in_errors=True, defer_build=True
    )


Name = Annotated[str, Field(min_length=1)]
"""An id or name that has to be there: not empty."""


class CallOutcome(StrEnum):
    """How the transfer of one call ended; how the *answer* ended is the finish reason's business."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STALLED = "stalled"
    BODY_CUT = "body_cut"


class OutputKind(StrEnum):
    """What kind of output streamed."""

    TEXT = "text"
    REASONING = "reasoning"
    TOOL_ARGUMENTS = "tool_arguments"
    REFUSAL = "refusal"
    USAGE = "usage"


class ContinuationKind(StrEnum):
    """Why the platform asked a model to carry on."""

    OUTPUT_CAP = "output_cap"
    STREAM_ENDED = "stream_ended"


class RefusedWhy(StrEnum):
    """Who or what refused a tool call."""

    OUTPUT_CAP = "output_cap"
    PERMISSION = "permission"
    INTERRUPTED = "interrupted"
    UNKNOWN_TOOL = "unknown_tool"
    POLICY = "policy"


class StoppedWhy(StrEnum):
    """Which limit or fault made a runner end its loop."""

    ITERATIONS = "iterations"
    TOKENS = "tokens"
    COST = "cost"
    WALL_CLOCK = "wall_clock"
    STALLED_ITERATIONS = "stalled_iterations"
    EXCEPTION = "exception"


class CancelledBy(StrEnum):
    """Who asked a round to stop."""

    USER = "user"
    HOST = "host"
    LIMIT = "limit"


class Silence(StrEnum):
    """What a foreign source of rounds does not record; its absence then says nothing about the agent."""

    FINISH_REASON = "finish_reason"
    CALL_START = "call_start"
    FIRST_OUTPUT = "first_output"
    USAGE = "usage"
    CALLS = "calls"
    """Only whole turns are recorded, not the model calls in them."""
    END = "end"
    """Nothing marks the end of a round: it is concluded from what follows."""
    REFUSALS = "refusals"
    TEXT = "text"
    """What was written is left out, its length too."""
    PROGRESS = "progress"
    """Everything is told when it is over, nothing while it runs."""


class Usage(Frozen):
    """Token counts of one call; None means not reported, never zero.

    On an event these are the provider's own numbers. ``Call.usage`` holds the normalised ones.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None

    def merged(self, later: Self) -> Self:
        """Return this report with every field that ``later`` reports replaced by it (never added)."""
        newer = later.__dict__
        kept = {name: count for name, count in self.__dict__.items() if count is not None and newer[name] is None}
        return later.with_counts(**kept) if kept else later

    def with_counts(self, **counts: int | None) -> Self:
        """Return this report with these counts in place of its own."""
        return self.model_copy(update=counts)


USAGE_FIELDS: tuple[str, ...] = tuple(Usage.model_fields)
"""The five counts, in the order they are shown."""


class CallError(Frozen):
    """What went wrong with a call, in the words of whoever reported it."""

    kind: str
    http_status: int | None = None
    code: str | None = None
    message: str | None = None


class ChoiceEnd(Frozen):
    """How one of several choices of a call ended."""

    index: int
    finish_reason: str | None = None
    text_chars: int | None = None


class Parent(Frozen):
    """The round, and where known the tool call, that a sub-round works for."""

    round: Name
    tool_call: str | None = None


class Limits(Frozen):
    """What a round may use: iterations, tokens, cost in its own currency, seconds."""

    iterations: int | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


class Continuation(Frozen):
    """Marks a call that carries on a cut one."""

    of: str
    kind: ContinuationKind


class Claim(Frozen):
    """What a platform says of its own round; never evidence."""

    status: str
    reason: str | None = None
    summary: str | None = None


class Cut(Frozen):
    """One interruption that a supervisor recorded."""

    at: Moment | None = None
    cause: str | None = None


class ThreadSummary(Frozen):
    """The one-line text of a terminal write, with the round that wrote it."""

    round: str | None = None
    at: Moment | None = None
    text: str | None = None
