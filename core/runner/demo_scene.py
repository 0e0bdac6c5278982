"""A scene of the demo: one round with its script and the verdict that an observer must see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..rounds.base import CancelledBy, Claim, Limits
from ..rounds.events import CallStarted, Event
from ..rounds.outcome import Outcome
from ..rounds.verdicts import Verdict
from .agents import NO_LIMITS, honest_claim
from .rules import Rules
from .script import (
    Counts,
    Finish,
    Reply,
    Script,
    Step,
    Text,
    ToolUse,
    Wait,
)

GPT = "gpt-5.1"
GPT_SMALL = "gpt-5.1-mini"
CLAUDE = "claude-sonnet-4-6"
CLAUDE_SMALL = "claude-haiku-4-5"
LOCAL = "mistral-small-3.2-24b"
"""Served by a local server that reports no finish reasons."""
KEYLESS = "grok-4.1-fast"
"""A model without a key."""

ONE_FAULT = Rules(continuations=0, regenerate=False)
"""Most scenes show what a fault does when nothing repairs it."""


@dataclass(frozen=True)
class Scene:
    """One round of the demo. All times are seconds at speed 1."""

    name: str
    verdict: Verdict
    title: str
    prompt: str
    replies: tuple[Reply, ...] = ()
    agent: str = "harbour-clerk"
    model: str = GPT
    thread: str = "daily-plan"
    repeat_last: bool = False
    below: tuple[Reply, ...] = ()
    """What a sub-agent is answered with, request by request."""
    below_s: float | None = None
    """How long a sub-agent may take."""
    limits: Limits = NO_LIMITS
    stall_s: float | None = None
    cancel_after_s: float | None = None
    cancelled_by: CancelledBy = CancelledBy.USER
    claim: Callable[[Outcome], Claim | None] = honest_claim
    rules: Rules = ONE_FAULT
    killed_after_s: tuple[float, ...] = ()
    """The runner's process dies so long after it began; then a host closes the record as completed, or where
    there are several, a supervisor starts it again and gives up after the last."""
    death_follows: type[Event] = CallStarted
    """What counts as having begun: a request, or a tool."""

    confirmed: bool = True
    """Of a completed one: its end is confirmed, so it is an answer."""

    @property
    def ending(self) -> str:
        """How it ends, as the text tables name it: a verdict, or ``completed_unconfirmed``."""
        return self.verdict.value if self.confirmed else f"{self.verdict.value}_unconfirmed"

    @property
    def is_supervised(self) -> bool:
        """A supervisor starts it again until it gives up."""
        return len(self.killed_after_s) > 1

    @property
    def script(self) -> Script:
        """The replies as a script."""
        return Script(self.replies, repeat_last=self.repeat_last)


def claims_completed(outcome: Outcome) -> Claim:
    return Claim(status="completed", summary="All done.")


def gpt(first_s: float, *steps: Step, finish: str | None = "stop", counts: Counts, native: str | None = None) -> Reply:
    end = () if finish is None else (Finish(finish, native),)
    return Reply((Wait(first_s), *steps, *end), counts)


def claude(first_s: float, *steps: Step, finish: str = "end_turn", counts: Counts) -> Reply:
    return Reply((Wait(first_s), *steps, Finish(finish)), counts)


def look(first_s: float, name: str, arguments: str, counts: Counts, *, before: str = "") -> Reply:
    text = (Text(before, 30),) if before else ()
    return gpt(first_s, *text, ToolUse(name, arguments), finish="tool_calls", counts=counts)


def claude_look(first_s: float, name: str, arguments: str, counts: Counts, *, before: str = "") -> Reply:
    text = (Text(before, 30),) if before else ()
    return claude(first_s, *text, ToolUse(name, arguments), finish="tool_use", counts=counts)
