"""Whether a tool call may run: it exists, its arguments are whole, no rule forbids it, whoever is asked agrees."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..policies.arguments import ParsedArguments, parse_args
from ..rounds.base import RefusedWhy
from ..rounds.events import RoundResumed, RoundSuspended
from ..rounds.tool_calls import ToolCall
from . import refusal
from .cancel import Cancellation
from .recorder import Recorder
from .tools import Approver, Arguments, Permission, Tool


@dataclass(frozen=True)
class Refused:
    """It does not run."""

    why: RefusedWhy
    message: str


@dataclass(frozen=True)
class Undecided:
    """Whoever was asked has not decided yet."""


@dataclass(frozen=True)
class Admitted:
    """It runs."""

    tool: Tool
    arguments: Arguments


def arguments_of(call: ToolCall) -> ParsedArguments:
    """Return the arguments of a call that is to be run; not ``ok`` when they are not whole, whatever they look like."""
    text = call.arguments or ""
    parsed = parse_args((text,))
    if parsed.ok and not call.arguments_whole:
        return ParsedArguments({}, ok=False, length=len(text), error="incomplete", offset=len(text))
    return parsed


@dataclass
class Admission:
    """Decides for the tool calls of one round."""

    tools: Mapping[str, Tool]
    recorder: Recorder
    cancel: Cancellation
    approver: Approver | None = None
    check_arguments: bool = True
    ask_approval: bool = True
    may_wait: bool = True
    """An approval may stay undecided; False takes that as a no."""
    _answers: dict[tuple[str | None, str], bool] = field(default_factory=dict[tuple[str | None, str], bool])

    async def decide(self, call: ToolCall, *, approved: bool) -> None:
        """Take in the answer to an approval that was undecided; the round goes on."""
        self._answers[call.call, call.id] = approved
        await self._resumed(approved)

    async def of(self, call: ToolCall) -> Admitted | Refused | Undecided | ParsedArguments:
        """Return whether ``call`` may run; arguments that are not ``ok`` when it fails by those."""
        if self.cancel.requested:  # whatever was decided: nothing starts any more
            return Refused(RefusedWhy.INTERRUPTED, refusal.INTERRUPTED)
        tool = self.tools.get(call.name)
        if tool is None:
            return Refused(RefusedWhy.UNKNOWN_TOOL, refusal.UNKNOWN_TOOL)
        parsed = arguments_of(call)
        if not parsed.ok and self.check_arguments:
            return parsed
        arguments = dict(parsed.args)
        if tool.permission is Permission.FORBID:
            return Refused(RefusedWhy.POLICY, refusal.FORBIDDEN)
        if tool.permission is not Permission.ASK or not self.ask_approval:
            return Admitted(tool, arguments)
        known = self._answers.get((call.call, call.id))
        answer = known if known is not None else await self._approved(tool, arguments)
        if answer is None and not self.cancel.requested and self.may_wait:
            return Undecided()
        self._answers[call.call, call.id] = bool(answer)
        if answer:
            return Admitted(tool, arguments)
        if self.cancel.requested:
            return Refused(RefusedWhy.INTERRUPTED, refusal.INTERRUPTED)
        return Refused(RefusedWhy.PERMISSION, refusal.NOT_APPROVED)

    async def _approved(self, tool: Tool, arguments: Arguments) -> bool | None:
        """Ask, with the round suspended until there is an answer; a cancel counts as none."""
        if tool.approve is not None:
            question = tool.approve(arguments)
        elif self.approver is not None:
            question = self.approver(tool.name, arguments)
        else:
            return False
        await self.recorder.put(RoundSuspended(round=self.recorder.id, why=f"approval of {tool.name}"))
        asking = asyncio.ensure_future(question)
        cancelled = asyncio.create_task(self.cancel.wait())
        try:
            await asyncio.wait({asking, cancelled}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            cancelled.cancel()
            if not asking.done():
                asking.cancel()
            await asyncio.gather(asking, cancelled, return_exceptions=True)
        answer = None if asking.cancelled() else asking.result()
        if not self.cancel.requested and (answer is not None or not self.may_wait):
            await self._resumed(bool(answer))
        return answer

    async def _resumed(self, approved: bool) -> None:
        why = "approved" if approved else "not approved"
        await self.recorder.put(RoundResumed(round=self.recorder.id, why=why))
