"""The tool calls of one response: each is answered exactly once, run, failed or refused."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from ..rounds.base import CancelledBy, RefusedWhy
from ..rounds.calls import Call
from ..rounds.events import (
    RoundResumed,
    RoundSuspended,
    ToolFinished,
    ToolRefused,
    ToolStarted,
)
from ..rounds.tool_calls import ToolCall
from . import refusal
from .agents import RoundResult, Task
from .cancel import Cancellation
from .messages import NO_ARGUMENTS, ToolResult, ToolUse
from .recorder import Recorder
from .tools import Arguments, Permission, Tool, ToolContext, ToolFailed

PREVIEW_CHARS = 200  # of a result, for a viewer's one line
ERROR_CHARS = 300


class BadArguments(ValueError):
    """Arguments that are no JSON object; says what, where and how long, never the text."""

    def __init__(self, what: str, offset: int | None, length: int) -> None:
        super().__init__(what)
        self.what = what
        self.offset = offset
        self.length = length

    @property
    def message(self) -> str:
        """What the model is told."""
        where = "" if self.offset is None else f", offset {self.offset}"
        return f"The arguments are {self.what} ({self.length} characters{where}). The call was not run."


def parse_arguments(tool: ToolCall) -> Arguments:
    """Return the arguments of a call that is to be run.

    Raises:
        BadArguments: not whole, no JSON, or no JSON object. Such a call is never run.
    """
    text = tool.arguments or ""
    if not text and tool.arguments_whole:
        return {}
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadArguments("not valid JSON", error.pos, len(text)) from None
    except (ValueError, RecursionError):
        raise BadArguments("nested too deeply, or hold a number too long", None, len(text)) from None
    if not isinstance(value, dict):
        raise BadArguments("no JSON object", 0, len(text))
    if not tool.arguments_whole:
        raise BadArguments("incomplete: the call never ended", len(text), len(text))
    return cast(Arguments, value)


@dataclass
class ToolTurn:
    """Answers the client tool calls of one response."""

    call: Call
    tools: Mapping[str, Tool]
    recorder: Recorder
    cancel: Cancellation
    run_child: Callable[[Task, ToolCall], Awaitable[RoundResult]]
    uses: dict[str, ToolUse] = field(default_factory=dict[str, ToolUse])
    """By id: how each call is replayed to the model."""
    results: dict[str, ToolResult] = field(default_factory=dict[str, ToolResult])
    """By id: what the model is told."""

    @property
    def requested(self) -> list[ToolCall]:
        """The calls to answer, in request order; those the provider ran itself are not among them."""
        return [tool for tool in self.call.tool_calls if tool.counts]

    @property
    def all_failed(self) -> bool:
        """No call had a good result."""
        return all(result.is_error for result in self.results.values())

    def ordered(self) -> tuple[tuple[ToolUse, ...], list[ToolResult]]:
        """Return uses and results in request order."""
        ids = [tool.id for tool in self.requested]
        return tuple(self.uses[id] for id in ids), [self.results[id] for id in ids]

    async def refuse_all(self, why: RefusedWhy, message: str) -> None:
        """Answer every call with a refusal; none is run."""
        for tool in self.requested:
            await self._refuse(tool, why, message)

    async def run_all(self) -> None:
        """Run what may run, at the same time; a cancel ends what is still running.

        Raises:
            asyncio.CancelledError: the host is shutting down; what ran was ended first.
        """
        ready: list[tuple[ToolCall, Tool, Arguments]] = []
        for tool in self.requested:
            found = await self._admitted(tool)
            if found is not None:
                ready.append((tool, *found))
        running = {asyncio.create_task(self._run(*entry)): entry[0] for entry in ready}
        cancelled = asyncio.create_task(self.cancel.wait())
        try:
            while waiting := {task for task in running if not task.done()}:
                await asyncio.wait(waiting | {cancelled}, return_when=asyncio.FIRST_COMPLETED)
                if cancelled.done():
                    break
        finally:
            for task in (*running, cancelled):
                task.cancel()
            await asyncio.gather(*running, cancelled, return_exceptions=True)
        if self.cancel.by is not CancelledBy.LIMIT:  # a limit between two calls is told as the round's stop
            await self.recorder.tell_cancel(self.cancel)
        for task, tool in running.items():
            if task.cancelled():
                await self._refuse(tool, RefusedWhy.INTERRUPTED, refusal.INTERRUPTED)
            else:
                task.result()

    async def _admitted(self, call: ToolCall) -> tuple[Tool, Arguments] | None:
        tool = self.tools.get(call.name)
        if tool is None:
            await self._refuse(call, RefusedWhy.UNKNOWN_TOOL, refusal.UNKNOWN_TOOL)
            return None
        try:
            arguments = parse_arguments(call)
        except BadArguments as error:
            await self._unusable(call, error)
            return None
        if tool.permission is Permission.FORBID:
            await self._refuse(call, RefusedWhy.POLICY, refusal.FORBIDDEN)
            return None
        if tool.permission is Permission.ASK and not await self._approved(tool, arguments):
            if self.cancel.requested:
                await self._refuse(call, RefusedWhy.INTERRUPTED, refusal.INTERRUPTED)
            else:
                await self._refuse(call, RefusedWhy.PERMISSION, refusal.NOT_APPROVED)
            return None
        return tool, arguments

    async def _approved(self, tool: Tool, arguments: Arguments) -> bool:
        """Ask, with the round suspended meanwhile; a cancel counts as a no."""
        if tool.approve is None:
            return False
        await self.recorder.put(RoundSuspended(round=self.recorder.id, why=f"approval of {tool.name}"))
        asking = asyncio.ensure_future(tool.approve(arguments))
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

    async def _run(self, call: ToolCall, tool: Tool, arguments: Arguments) -> None:
        await self.recorder.put(ToolStarted(round=self.recorder.id, tool_call=call.id, call=self.call.id))
        context = ToolContext(
            round=self.recorder.id,
            call=self.call.id,
            tool_call=call.id,
            run_child=lambda task: self.run_child(task, call),
        )
        began = time.monotonic()
        text, error = "", None
        try:
            text = await tool.run(arguments, context)
        except ToolFailed as failure:
            error = str(failure)
        except Exception as failure:  # a tool is foreign code: whatever it raises is its result  # noqa: BLE001
            error = f"{type(failure).__name__}: {failure}"[:ERROR_CHARS]
        duration_ms = (time.monotonic() - began) * 1000
        await self._finish(call, text, error, duration_ms)
        self._answer(call, json.dumps(arguments), text if error is None else error, is_error=error is not None)

    async def _finish(self, call: ToolCall, text: str, error: str | None, duration_ms: float | None) -> None:
        await self.recorder.put(
            ToolFinished(
                round=self.recorder.id,
                tool_call=call.id,
                call=self.call.id,
                ok=error is None,
                duration_ms=duration_ms,
                preview=text[:PREVIEW_CHARS] if error is None else None,
                error=None if error is None else error[:ERROR_CHARS],
            )
        )

    async def _unusable(self, call: ToolCall, error: BadArguments) -> None:
        facts = {"error": error.what, "offset": error.offset, "length": error.length}
        await self.recorder.warn("arguments_unparseable", f"tool '{call.name[:80]}': {error.message}", facts)
        await self._finish(call, "", error.message, None)
        self._answer(call, NO_ARGUMENTS, error.message, is_error=True)

    async def _refuse(self, call: ToolCall, why: RefusedWhy, message: str) -> None:
        self._answer(call, NO_ARGUMENTS, message, is_error=True)
        await self.recorder.put(
            ToolRefused(
                round=self.recorder.id,
                tool_call=call.id,
                call=self.call.id,
                why=why,
                message=message,
                started_early=None if call.started else False,
            )
        )

    def _answer(self, call: ToolCall, arguments: str, text: str, *, is_error: bool) -> None:
        self.uses[call.id] = ToolUse(call.id, call.name, arguments)
        self.results[call.id] = ToolResult(call.id, text, is_error=is_error)
