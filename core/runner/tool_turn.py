"""The tool calls of one response: each is answered exactly once, run, failed or refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ..policies.arguments import ParsedArguments
from ..policies.refusal import REPLAYED_ARGUMENTS, RefusedTurn, RequestedCall
from ..rounds.base import CancelledBy, RefusedWhy
from ..rounds.events import ToolFinished, ToolRefused, ToolRequested, ToolStarted
from ..rounds.tool_calls import ToolCall
from . import refusal
from .admission import Admission, Admitted, Refused, Undecided
from .agents import RoundResult, Task
from .early_starts import EarlyRun, EarlyStarts
from .memory import Memory
from .messages import ToolResult, ToolUse
from .response import Response
from .tool_run import Ran, run_tool
from .tools import Hooks, Tool, ToolContext

RunChild = Callable[[Task, ToolCall], Awaitable[RoundResult]]


@dataclass
class ToolTurn:
    """Answers the client tool calls of one response.

    It is there before the response: what may start early starts through it.
    """

    admission: Admission
    run_child: RunChild
    memory: Memory
    hooks: Hooks
    wire: str
    overlap: bool
    requested: list[ToolCall] = field(default_factory=list[ToolCall], init=False)
    """The calls to answer, in request order; those the provider ran itself are not among them."""
    early: EarlyStarts = field(init=False)
    undecided: ToolCall | None = field(default=None, init=False)
    """The call whose approval is still open: nothing of the turn has run."""
    _uses: dict[str, ToolUse] = field(default_factory=dict[str, ToolUse], init=False)
    _results: dict[str, ToolResult] = field(default_factory=dict[str, ToolResult], init=False)
    _response_over: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._recorder = self.admission.recorder
        self._cancel = self.admission.cancel
        self.early = EarlyStarts(self.wire, self.admission.tools, self._start_early, self.overlap)

    def begin(self, response: Response) -> None:
        """Take in the response that is over."""
        self._response_over = True
        self.requested = response.tool_calls

    @property
    def calls(self) -> list[RequestedCall]:
        """The calls as a refusal wants them."""
        return [RequestedCall(tool.id, tool.name, self._began_early(tool)) for tool in self.requested]

    @property
    def errors(self) -> list[bool]:
        """One entry a call: whether its result is an error."""
        return [self._results[tool.id].is_error for tool in self.requested]

    def ordered(self) -> tuple[tuple[ToolUse, ...], list[ToolResult]]:
        """Return uses and results in request order."""
        ids = [tool.id for tool in self.requested]
        return tuple(self._uses[id] for id in ids), [self._results[id] for id in ids]

    async def refuse(self, turn: RefusedTurn) -> None:
        """Answer every call with its refusal; what had started early was discarded before."""
        for tool, refused in zip(self.requested, turn.calls, strict=True):
            await self._refuse(tool, refused.why, refused.message)

    async def refuse_all(self, why: RefusedWhy, message: str) -> None:
        """Answer every call with the same refusal; none is run, and what had started early is dropped."""
        await self.early.discard()
        for tool in self.requested:
            await self._refuse(tool, why, message)

    async def abandon(self) -> None:
        """Drop what had started early: its response failed. Those calls are answered, the others never were whole."""
        await self.early.discard()
        for tool in self.requested:
            if self._began_early(tool):
                await self._refuse(tool, RefusedWhy.INTERRUPTED, refusal.INTERRUPTED)

    async def run_all(self) -> None:
        """Run what may run, at the same time; a cancel ends what is still running.

        Where an approval stays open, nothing runs and ``undecided`` is set; once it is decided, call this again.

        Raises:
            asyncio.CancelledError: the host is shutting down; what ran was ended first.
        """
        running: dict[asyncio.Task[None], ToolCall] = {}
        cancelled = asyncio.create_task(self._cancel.wait())
        try:
            running = await self._started()
            while waiting := {task for task in running if not task.done()}:
                await asyncio.wait(waiting | {cancelled}, return_when=asyncio.FIRST_COMPLETED)
                if cancelled.done():
                    break
        finally:
            for task in (*running, cancelled):
                task.cancel()
            await asyncio.gather(*running, cancelled, return_exceptions=True)
            if self.undecided is None:  # else the turn is not over: its early results may still count
                await self.early.discard()
        if self._cancel.by is not CancelledBy.LIMIT:  # a limit between two calls is told as the round's stop
            await self._recorder.tell_cancel(self._cancel)
        for task, tool in running.items():
            if task.cancelled():
                await self._refuse(tool, RefusedWhy.INTERRUPTED, refusal.INTERRUPTED)
            else:
                task.result()

    async def _started(self) -> dict[asyncio.Task[None], ToolCall]:
        """Start what may run, after every question about it was answered."""
        ready: list[tuple[ToolCall, Admitted | EarlyRun]] = []
        self.undecided = None
        for tool in self.requested:
            if tool.id in self._results:
                continue
            early = self.early.of(tool.call, tool.id)
            found = early if early is not None else await self.admission.of(tool)
            match found:
                case Refused():
                    await self._refuse(tool, found.why, found.message)
                case ParsedArguments():
                    await self._unusable(tool, found)
                case Undecided():
                    self.undecided = tool
                    return {}
                case _:
                    ready.append((tool, found))
        return {asyncio.create_task(self._run(tool, found)): tool for tool, found in ready}

    async def _run(self, call: ToolCall, found: Admitted | EarlyRun) -> None:
        if isinstance(found, Admitted):
            await self._recorder.put(ToolStarted(round=self._recorder.id, tool_call=call.id, call=call.call))
            ran = await run_tool(found.tool, found.arguments, self._context(call.call, call.id, call), self.hooks)
        else:
            ran = await found.result()
        await self._finish(call, ok=ran.ok, ran=ran, error=ran.error)
        self._answer(call, json.dumps(found.arguments), ran.text, is_error=not ran.ok)

    async def _start_early(self, event: ToolRequested, tool: Tool, run: EarlyRun) -> Ran:
        run.began = True
        early = None if self._response_over else True
        await self._recorder.put(
            ToolStarted(round=self._recorder.id, tool_call=event.tool_call, call=event.call, early=early)
        )
        call = self._recorder.round.tool_calls[event.call, event.tool_call]
        return await run_tool(tool, run.arguments, self._context(event.call, event.tool_call, call), self.hooks)

    def _context(self, call: str | None, tool_call: str, tool: ToolCall) -> ToolContext:
        return ToolContext(
            round=self._recorder.id,
            call=call or "",
            tool_call=tool_call,
            run_child=lambda task: self.run_child(task, tool),
        )

    def _began_early(self, tool: ToolCall) -> bool:
        run = self.early.of(tool.call, tool.id)
        return run is not None and run.began

    async def _finish(self, call: ToolCall, *, ok: bool, ran: Ran | None, error: str | None) -> None:
        await self._recorder.put(
            ToolFinished(
                round=self._recorder.id,
                tool_call=call.id,
                call=call.call,
                ok=ok,
                duration_ms=ran.duration_ms if ran is not None else None,
                preview=ran.preview if ran is not None else None,
                error=error,
            )
        )

    async def _unusable(self, call: ToolCall, parsed: ParsedArguments) -> None:
        facts = {"error": parsed.error, "offset": parsed.offset, "length": parsed.length}
        await self.memory.tell_traffic(
            self._recorder,
            f"{call.name}: arguments: {parsed.error}",
            "arguments_unparseable",
            f"tool '{call.name[:80]}': {parsed.log_line}",
            facts,
        )
        text = parsed.model_text or ""
        await self._finish(call, ok=False, ran=None, error=text)
        self._answer(call, REPLAYED_ARGUMENTS, text, is_error=True)

    async def _refuse(self, call: ToolCall, why: RefusedWhy, message: str) -> None:
        self._answer(call, REPLAYED_ARGUMENTS, message, is_error=True)
        early = self._began_early(call)
        await self._recorder.put(
            ToolRefused(
                round=self._recorder.id,
                tool_call=call.id,
                call=call.call,
                why=why,
                message=message,
                started_early=True if early else None if call.started else False,
            )
        )

    def _answer(self, call: ToolCall, arguments: str, text: str, *, is_error: bool) -> None:
        self._uses[call.id] = ToolUse(call.id, call.name, arguments)
        self._results[call.id] = ToolResult(call.id, text, is_error=is_error)
