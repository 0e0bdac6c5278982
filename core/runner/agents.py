"""Who can be asked and what is asked: models, agents, tasks."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..policies.partial_report import TimeoutReport
from ..policies.selection import CATALOGUE_WAIT_S
from ..policies.stall import STALLED_ITERATIONS, STREAM_STALL_S
from ..rounds.base import Claim, Limits, Parent
from ..rounds.events import Event
from ..rounds.outcome import Outcome
from ..rounds.verdicts import Verdict
from .cancel import Cancellation
from .pieces import Listen
from .recovery import Recover
from .rules import DEFAULT_RULES, Rules
from .tools import NO_HOOKS, Approver, Hooks, Tool

if TYPE_CHECKING:
    from .messages import Message

WIRES = ("openai-chat", "anthropic")
"""The wires the loop can ask over."""


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Price:
    """What a model costs, per million tokens."""

    input: float
    output: float
    currency: str = "USD"


@dataclass(frozen=True)
class Model:
    """A model and where it is served."""

    name: str
    """As sent on the wire."""
    provider: str
    wire: str
    base_url: str = field(repr=False)
    """Without ``/v1``."""
    api_key: str | None = field(default=None, repr=False)
    needs_key: bool = True
    max_output_tokens: int | None = None
    context_window: int | None = None
    price: Price | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


Prepare = Callable[["list[Message]"], "Awaitable[list[Message]]"]
"""Called with the conversation before each request; what it returns is sent (compaction, retrieval)."""


@dataclass(frozen=True)
class Agent:
    """A named way of working: instructions, a model, tools."""

    name: str
    instructions: str = ""
    model: str | None = None
    """Name of the model that serves it."""
    tools: tuple[Tool, ...] = ()
    prepare: Prepare | None = None


def honest_claim(outcome: Outcome) -> Claim | None:
    """Return what a well-behaved platform says of a round: what the evidence says."""
    verdict = outcome.provisional or outcome.verdict
    if verdict is Verdict.COMPLETED:
        return Claim(status="completed")
    return Claim(status="cancelled" if verdict is Verdict.CANCELLED else "error", reason=verdict.value)


def _new_id() -> str:
    return uuid.uuid4().hex


@dataclass(frozen=True)
class Task:
    """One round to run."""

    prompt: str
    agent: str | None
    """An explicit pick; None takes the catalogue's default."""
    round: str = field(default_factory=_new_id)
    thread: str | None = None
    title: str | None = None
    model: str | None = None
    """Asked for instead of the agent's own model."""
    parent: Parent | None = None
    limits: Limits = NO_LIMITS
    locale: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Sent with every request of the round."""
    cancel: Cancellation = field(default_factory=Cancellation, repr=False)
    call_prefix: str = "c"
    """Call ids are this and a number; who relaunches a round gives the new ones another prefix."""
    claim: Callable[[Outcome], Claim | None] = field(default=honest_claim, repr=False)
    """What the round's record says of itself at the end; None: it says nothing."""
    observe: Callable[[Event], None] | None = field(default=None, repr=False)
    """Called with every event of the round itself, before it is published; must not raise."""
    listen: Listen | None = field(default=None, repr=False)
    """Told what the round's messages say while they stream; must not raise."""


@dataclass(frozen=True)
class Settings:
    """How patient the loop is."""

    stall_s: float = STREAM_STALL_S
    """An open stream without a byte of output for so long is given up; seconds."""
    attempts: int = 3
    """How often one request goes out before a transient error is final."""
    retry_cap_s: float = 20.0
    """The longest wait between two attempts; seconds."""
    retry_first_s: float = 1.0
    """The first wait; it doubles with each attempt."""
    stalled_iterations: int = STALLED_ITERATIONS
    """So many iterations in a row whose every tool call failed or was refused end the round."""
    delegation_s: float = 600.0
    """The longest time a sub-agent may take; seconds. A task's own shorter limit wins."""
    recover: Recover = Recover.ALL
    """What is recovered of a sub-agent that ran out of time."""
    catalogue_wait_s: float = CATALOGUE_WAIT_S
    """How long a picked agent is waited for while the catalogue still fills; seconds."""

    rules: Rules = DEFAULT_RULES
    """The rules of the loop and their switches."""
    approver: Approver | None = field(default=None, repr=False)
    """Decides about the calls of tools that need an approval and name nobody to ask."""
    hooks: Hooks = field(default=NO_HOOKS, repr=False)


DEFAULT_SETTINGS = Settings()


@dataclass(frozen=True)
class RoundResult:
    """What a round hands over; who reads only ``text`` reads too little."""

    round: str
    outcome: Outcome
    text: str
    """The answer; of a cut one the partial answer with the truncation marker; else empty."""
    transcript: tuple[Message, ...] = field(default=(), repr=False)
    """The conversation as it stands, the round's last message included; a cut one with the truncation marker."""
    resume: Callable[[bool], Awaitable[RoundResult]] | None = field(default=None, repr=False)
    """Set while the round waits for an approval that nobody has decided: call it with the answer to go on."""
    timed_out: TimeoutReport | None = None
    """Set for a sub-round that ran out of its time: what is known of its work."""
