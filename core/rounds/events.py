"""The union of all round events, protocol version 1 (docs/protocol.md)."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from .base import (
    CallError,
    CallOutcome,
    CancelledBy,
    ChoiceEnd,
    Claim,
    Continuation,
    Cut,
    Frozen,
    Limits,
    Name,
    OutputKind,
    Parent,
    RefusedWhy,
    StoppedWhy,
    ThreadSummary,
    Usage,
)
from .moment import Moment


class BaseEvent(Frozen):
    """What every event carries; all of it may be absent in files and translator output."""

    v: Literal[1] = 1
    at: Moment | None = None
    """The producer's clock."""
    id: str | None = None
    """``<producer>:<n>``, n = 1, 2, 3 … without holes: the key for de-duplication."""
    seq: int | None = None
    """Given by the hub."""


class RoundEvent(BaseEvent):
    """An event of one round."""

    round: Name


class RoundStarted(RoundEvent):
    """A round begins."""

    type: Literal["round.started"] = "round.started"
    thread: str | None = None
    agent: str | None = None
    title: str | None = None
    model: str | None = None
    parent: Parent | None = None
    harness: Literal["api", "cli"] | None = None
    limits: Limits | None = None
    locale: str | None = None
    source: str | None = None
    """Which foreign record tells of the round (``claude-code``, ``otlp``, …); None: its own producer does."""
    silent: tuple[str, ...] = ()
    """What that source never records, in words of ``Silence``; others are kept as they are."""


class SelectionUnresolved(RoundEvent):
    """An explicit agent pick matched nothing."""

    type: Literal["round.selection_unresolved"] = "round.selection_unresolved"
    requested: str
    available: tuple[str, ...] = ()
    sentence: str


class NoModelCause(StrEnum):
    """Why no model can serve a round."""

    NO_MODEL = "no_model"
    NO_FACTORY = "no_factory"
    NO_CREDENTIAL = "no_credential"


class NoUsableModel(RoundEvent):
    """No model can serve, or a matched agent cannot be built."""

    type: Literal["round.no_usable_model"] = "round.no_usable_model"
    requested: str | None = None
    agent: str | None = None
    cause: NoModelCause | None = None
    reason: str | None = None


class CallStarted(RoundEvent):
    """One request goes out."""

    type: Literal["call.started"] = "call.started"
    call: Name
    model: str | None = None
    provider: str | None = None
    wire: str | None = None
    max_output_tokens: int | None = None
    """The cap this call was SENT with."""
    context_window: int | None = None
    iteration: int | None = None
    attempt: int | None = None
    continuation: Continuation | None = None


class CallOutput(RoundEvent):
    """Something streamed."""

    type: Literal["call.output"] = "call.output"
    call: Name
    kind: OutputKind
    text: str | None = None
    chars: int | None = None
    """Length when ``text`` is withheld; characters."""
    tool_call: str | None = None
    choice: int | None = None


class RoundOutput(RoundEvent):
    """Output of a round whose calls are not recorded (a CLI harness)."""

    type: Literal["round.output"] = "round.output"
    kind: Literal["text", "reasoning"]
    text: str | None = None
    chars: int | None = None


class CallUsage(RoundEvent):
    """A running report: the last one wins inside a call, never a sum."""

    type: Literal["call.usage"] = "call.usage"
    call: Name
    usage: Usage


class CallFinished(RoundEvent):
    """The call is over."""

    type: Literal["call.finished"] = "call.finished"
    call: Name
    outcome: CallOutcome
    finish_reason: str | None = None
    """The wire value, verbatim; None = not reported."""
    native_finish_reason: str | None = None
    finish_detail: str | None = None
    error: CallError | None = None
    usage: Usage | None = None
    first_output_ms: float | None = None
    first_answer_ms: float | None = None
    total_ms: float | None = None
    silent_ms: float | None = None
    """A stalled call: how long no byte came."""
    choices: tuple[ChoiceEnd, ...] = ()
    done_marker: bool | None = None
    finish_repeated: tuple[str, ...] = ()
    """Later finish reasons that differ from the first one."""


class ToolRequested(RoundEvent):
    """The model asked for a tool."""

    type: Literal["tool.requested"] = "tool.requested"
    call: str | None = None
    tool_call: Name
    name: str
    arguments: str | None = None
    """As received."""
    complete: bool | None = None
    server: bool | None = None
    """Run by the provider itself; its result is part of the same response."""
    id_given: bool | None = None
    """False: the provider sent no id, we made one up."""


class ToolStarted(RoundEvent):
    """Execution began."""

    type: Literal["tool.started"] = "tool.started"
    tool_call: Name
    call: str | None = None
    early: bool | None = None
    """True: before the response ended."""


class ToolFinished(RoundEvent):
    """A tool call has a result."""

    type: Literal["tool.finished"] = "tool.finished"
    tool_call: Name
    call: str | None = None
    ok: bool
    duration_ms: float | None = None
    preview: str | None = None
    error: str | None = None


class ToolRefused(RoundEvent):
    """A tool call was answered with an error and has no result; wins over a ``tool.finished``."""

    type: Literal["tool.refused"] = "tool.refused"
    tool_call: Name
    call: str | None = None
    why: RefusedWhy
    message: str
    started_early: bool | None = None


class IterationCompleted(RoundEvent):
    """One response and its tool results are done."""

    type: Literal["iteration.completed"] = "iteration.completed"
    iteration: int
    will_continue: bool


class RoundWarning(RoundEvent):
    """An operator warning; texts are keyed on ``code``."""

    type: Literal["round.warning"] = "round.warning"
    code: Name
    message: str | None = None
    facts: dict[str, Any] = Field(default_factory=dict)


class RoundPartial(RoundEvent):
    """Work salvaged from a killed delegate."""

    type: Literal["round.partial"] = "round.partial"
    source: str
    kept_chars: int
    total_chars: int | None = None
    segments: int | None = None
    reasoning_segments: int | None = None
    tool_calls: int | None = None
    dropped_segments: int | None = None
    first_evidence_ms: float | None = None
    elapsed_ms: float | None = None
    timeout_ms: float | None = None
    resumable: bool | None = None
    resume_reason: str | None = None
    text: str | None = None


class RoundSuspended(RoundEvent):
    """The round waits for an approval."""

    type: Literal["round.suspended"] = "round.suspended"
    why: str | None = None


class RoundResumed(RoundEvent):
    """The round goes on."""

    type: Literal["round.resumed"] = "round.resumed"
    why: str | None = None


class CancelRequested(RoundEvent):
    """Somebody, or a time limit, asked to stop."""

    type: Literal["round.cancel_requested"] = "round.cancel_requested"
    by: CancelledBy
    limit_s: float | None = None


class RoundStopped(RoundEvent):
    """The runner ended the loop."""

    type: Literal["round.stopped"] = "round.stopped"
    why: StoppedWhy
    limit: float | None = None
    """In the unit of ``why``: count, tokens, money, seconds."""
    used: float | None = None
    currency: str | None = None
    all_refused: bool | None = None
    error: str | None = None


class RoundFinished(RoundEvent):
    """The platform's own word that the round is over."""

    type: Literal["round.finished"] = "round.finished"
    claimed: Claim | None = None


class ThreadState(StrEnum):
    """What a thread is doing, in its supervisor's words."""

    STARTING = "starting"
    EXECUTING = "executing"
    IDLE = "idle"
    CANCELLED = "cancelled"
    DONE = "done"


EXECUTING = frozenset((ThreadState.STARTING, ThreadState.EXECUTING))
"""A thread in these states has a round in flight: its summary was left by an earlier one (outcomes.md 6)."""


class SupervisorVerdict(StrEnum):
    """What a supervisor concludes about a thread."""

    STALE = "stale"
    PARKED = "parked"
    WOKEN = "woken"
    RELAUNCHED = "relaunched"
    GAVE_UP = "gave_up"


class ThreadSupervised(BaseEvent):
    """The supervisor's word about a thread, with provenance."""

    type: Literal["thread.supervised"] = "thread.supervised"
    thread: Name
    state: ThreadState
    verdict: SupervisorVerdict
    cuts: tuple[Cut, ...] = ()
    relaunch_cap: int | None = None
    status_line: str | None = None
    is_error: bool | None = None
    summary: ThreadSummary | None = None
    relaunches: int | None = None
    by: str | None = None
    """Who says it where it is not the thread's own supervisor: ``hub``. Its clock is not the producer's."""
    why: str | None = None
    """What it saw, as a word that sentences are keyed on."""
    after_s: float | None = None
    """For how long that had been so; seconds."""


class Unrecognised(Frozen):
    """An event of a type this version does not know: kept and counted, never fatal."""

    type: str
    raw: str
    """The event as it came."""
    round: str | None = None
    at: Moment | None = None
    id: str | None = None
    seq: int | None = None


KnownEvent = Annotated[
    RoundStarted
    | SelectionUnresolved
    | NoUsableModel
    | CallStarted
    | CallOutput
    | RoundOutput
    | CallUsage
    | CallFinished
    | ToolRequested
    | ToolStarted
    | ToolFinished
    | ToolRefused
    | IterationCompleted
    | RoundWarning
    | RoundPartial
    | RoundSuspended
    | RoundResumed
    | CancelRequested
    | RoundStopped
    | RoundFinished
    | ThreadSupervised,
    Field(discriminator="type"),
]
Event = KnownEvent | Unrecognised
"""Anything the ledger can fold."""

EVENT_TYPES: frozenset[str] = frozenset(
    (
        "round.started", "round.selection_unresolved", "round.no_usable_model", "call.started", "call.output",
        "round.output", "call.usage", "call.finished", "tool.requested", "tool.started", "tool.finished",
        "tool.refused", "iteration.completed", "round.warning", "round.partial", "round.suspended",
        "round.resumed", "round.cancel_requested", "round.stopped", "round.finished", "thread.supervised",
    )
)  # fmt: skip
"""The type names that ``KnownEvent`` discriminates; a test holds the two equal."""
