"""Whether a tool call may run: it exists, its arguments are whole, no rule forbids it, whoever is asked agrees."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

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

    async def of(self, call: ToolCall) -> Admitted | Refused | ParsedArguments:
        """Return whether ``call`` may run; arguments that are not ``ok`` when it fails by those."""
        tool = self.tools.get(call.name)
        if tool is None:
            return Refused(RefusedWhy.UNKNOWN_TOOL, refusal.UNKNOWN_TOOL)
        parsed = arguments_of(call)
        if not parsed.ok and self.check_arguments:
            return parsed
        arguments = dict(parsed.args)
        if tool.permission is Permission.FORBID:
            return Refused(RefusedWhy.POLICY, refusal.FORBIDDEN)
        if tool.permission is Permission.ASK and self.ask_approval and not await self._approved(tool, arguments):
            if self.cancel.requested:
                return Refused(RefusedWhy.INTERRUPTED, refusal.INTERRUPTED)
            return Refused(RefusedWhy.PERMISSION, refusal.NOT_APPROVED)
        return Admitted(tool, arguments)

    async def _approved(self, tool: Tool, arguments: Arguments) -> bool:
        """Ask, with the round suspended meanwhile; a cancel counts as a no."""
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
        answer = not asking.cancelled() and asking.result()
        if not self.cancel.requested:
            await self.recorder.put(RoundResumed(round=self.recorder.id, why="approved" if answer else "not approved"))
        return answer
