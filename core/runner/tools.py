"""Tools: named async callables, and what they are told about the round they run in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agents import RoundResult, Task

Arguments = dict[str, Any]
NO_PARAMETERS: Mapping[str, Any] = {"type": "object", "properties": {}}


class ToolFailed(Exception):
    """Raised by a tool: the call failed, and ``str()`` is what the model is told."""


class Permission(StrEnum):
    """What may happen with a tool call."""

    ALLOW = "allow"
    ASK = "ask"
    """A person decides; the round is suspended until then."""
    FORBID = "forbid"
    """Policy forbids it, nobody is asked."""


@dataclass(frozen=True)
class ToolContext:
    """Where a tool runs."""

    round: str
    call: str
    tool_call: str
    run_child: Callable[[Task], Awaitable[RoundResult]] = field(repr=False)
    """Runs a round below this one: parent, cancellation and ledger are seen to."""


Run = Callable[[Arguments, ToolContext], Awaitable[str]]
Approve = Callable[[Arguments], Awaitable[bool | None]]
"""Decides about a call by its arguments; None: not decided yet, the round waits outside of the loop."""
Approver = Callable[[str, Arguments], Awaitable[bool | None]]
"""The same, by the tool's name and the arguments."""
Hook = Callable[[str, Arguments], Awaitable[None]]
"""Told a tool's name and arguments; what it raises is the call's error."""


@dataclass(frozen=True)
class Hooks:
    """What is called around every tool that runs, and around no other."""

    before: Hook | None = None
    after: Hook | None = None


NO_HOOKS = Hooks()


@dataclass(frozen=True)
class Tool:
    """A tool that a model may call."""

    name: str
    run: Run
    """Returns what the model is told; raises ``ToolFailed`` (or anything) when it failed."""
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: NO_PARAMETERS)
    """JSON schema of the arguments."""
    permission: Permission = Permission.ALLOW
    approve: Approve | None = None
    """Asked where ``permission`` is ASK; without one the settings' approver is; nobody to ask means no."""
    concurrent: bool = False
    """It changes nothing, so it may start while the response that asks for it still streams."""
