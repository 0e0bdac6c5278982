"""One request of a round: sent, watched while it streams, and ended in exactly one way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from ..hub.coalesce import Coalescer
from ..policies.stall import StreamStallGuard
from ..rounds.base import CallError, CallOutcome, CancelledBy, Continuation, OutputKind
from ..rounds.calls import Call
from ..rounds.events import CallFinished, CallOutput, CallStarted, Event
from ..rounds.reasons import reported
from ..wire import Translator, translator
from .agents import Model
from .cancel import Cancellation
from .messages import sent_cap
from .pieces import is_output
from .recorder import Recorder
from .transport import Head, TransferBroken, Transport, Unreachable

PATHS = {"openai-chat": "/v1/chat/completions", "anthropic": "/v1/messages"}
ANTHROPIC_VERSION = "2023-06-01"
UNREACHABLE = "unreachable"
"""Error kind of a call whose response never began."""


@dataclass
class RunningCall:
    """One call from its request to its end.

    Args:
        stall_s: seconds without a byte of *output*, on an open stream, after which the call is given up;
            signs of life do not count; None = never.
    """

    id: str
    model: Model
    recorder: Recorder
    transport: Transport
    cancel: Cancellation
    stall_s: float | None
    iteration: int
    attempt: int
    continuation: Continuation | None = None
    streamed: set[str] = field(default_factory=set[str])
    """The kinds of content that came so far."""
    retry_after: str | None = None
    """What the response's header of that name said."""
    _translator: Translator | None = None
    _coalescer: Coalescer = field(default_factory=Coalescer)
    _heard: Callable[[Event], None] | None = None
    _sent_s: float = 0.0
    _output_s: float = 0.0
    _guard: StreamStallGuard | None = None

    async def run(self, body: dict[str, Any], headers: Mapping[str, str], heard: Callable[[Event], None]) -> Call:
        """Send ``body``, publish everything that comes back, and return the ledger's entry.

        Args:
            heard: told every event of the response as soon as it came; what is published may lag behind.

        Raises:
            asyncio.CancelledError: the host is shutting down; recorded before it goes on.
        """
        await self.recorder.put(self._announcement())
        self._heard = heard
        self._sent_s = self._output_s = time.monotonic()
        self._guard = StreamStallGuard(self._sent_s, self.stall_s) if self.stall_s is not None else None
        url = self.model.base_url.rstrip("/") + PATHS[self.model.wire]
        try:
            async with aclosing(self.transport.exchange(url, self._headers(headers), body)) as source:
                await self._read(source, body)
        except asyncio.CancelledError:
            self.cancel.request(CancelledBy.HOST)
            await self._give_up(CallOutcome.CANCELLED)
            raise
        except TransferBroken as error:
            await self._close(broken=str(error))
        except Unreachable as error:
            await self._put(self._finished(CallOutcome.FAILED, CallError(kind=UNREACHABLE, message=str(error))))
        return self.recorder.round.calls_by_id[self.id]

    def _announcement(self) -> CallStarted:
        return CallStarted(
            round=self.recorder.id,
            call=self.id,
            model=self.model.name,
            provider=self.model.provider,
            wire=self.model.wire,
            max_output_tokens=sent_cap(self.model),
            context_window=self.model.context_window,
            iteration=self.iteration,
            attempt=self.attempt,
            continuation=self.continuation,
        )

    def _headers(self, more: Mapping[str, str]) -> dict[str, str]:
        headers = {**self.model.headers, **more}
        if self.model.wire == "anthropic":
            headers["anthropic-version"] = ANTHROPIC_VERSION
        if self.model.api_key is not None:
            name, value = ("x-api-key", "{}") if self.model.wire == "anthropic" else ("authorization", "Bearer {}")
            headers[name] = value.format(self.model.api_key)
        return headers

    async def _read(self, source: AsyncGenerator[Head | bytes, None], body: dict[str, Any]) -> None:
        cancelled = asyncio.create_task(self.cancel.wait())
        read = asyncio.create_task(_next(source))
        try:
            while True:
                await asyncio.wait({read, cancelled}, timeout=self._patience_s(), return_when=asyncio.FIRST_COMPLETED)
                if read.done():
                    if not await self._take(read.result(), body):
                        return
                    read = asyncio.create_task(_next(source))
                if cancelled.done():
                    await self._give_up(CallOutcome.CANCELLED)
                    return
                now = time.monotonic()
                if self._guard is not None and self._guard.silent_s(now) is not None:
                    await self._give_up(CallOutcome.STALLED)
                    return
                due = self._coalescer.due_s()
                if due is not None and now >= due:
                    await self.recorder.put(*self._coalescer.flush(now))
        finally:
            read.cancel()
            cancelled.cancel()
            await asyncio.gather(read, cancelled, return_exceptions=True)

    def _patience_s(self) -> float | None:
        """How long nothing has to be looked after, if nothing comes; None = for ever."""
        due = (self._coalescer.due_s(), self._guard.due_at if self._guard is not None else None)
        known = [at for at in due if at is not None]
        return max(0.0, min(known) - time.monotonic()) if known else None

    async def _take(self, part: Head | bytes | None, body: dict[str, Any]) -> bool:
        """Take in one part of the response; return False at its end."""
        if isinstance(part, Head):
            self.retry_after = part.headers.get("retry-after")
            self._translator = translator(
                self.model.wire,
                round=self.recorder.id,
                call=self.id,
                request=body,
                http_status=part.status,
                provider=self.model.provider,
                announce=False,
            )
        elif part is None:
            await self._close()
            return False
        elif self._translator is not None:
            events = self._translator.feed(part, at_ms=self._at_ms())
            if any(is_output(event) for event in events):
                self._heard_output()
            await self._put(*events)
        return True

    async def _close(self, broken: str | None = None) -> None:
        if self._translator is not None:
            await self._put(*self._translator.close(at_ms=self._at_ms(), broken=broken))

    async def _give_up(self, outcome: CallOutcome) -> None:
        """End the call from our side: what arrived stands, the outcome is ours to say."""
        await self.recorder.tell_cancel(self.cancel)
        if self._translator is None:
            closing: Iterable[Event] = (self._finished(CallOutcome.COMPLETED),)
        else:
            closing = self._translator.close(at_ms=self._at_ms())
        silent_ms = (time.monotonic() - self._output_s) * 1000
        for event in closing:
            if not isinstance(event, CallFinished):
                await self._put(event)
            elif outcome is CallOutcome.CANCELLED:
                await self._put(event.model_copy(update={"outcome": outcome}))
            elif reported(event.finish_reason) is None:
                await self._put(event.model_copy(update={"outcome": outcome, "silent_ms": silent_ms}))
            else:  # it told its finish and hung afterwards: it had nothing more to say, so it is no stall
                await self._put(event)

    def _finished(self, outcome: CallOutcome, error: CallError | None = None) -> CallFinished:
        """The end of a call whose response never began."""
        return CallFinished(round=self.recorder.id, call=self.id, outcome=outcome, error=error, total_ms=self._at_ms())

    def _heard_output(self) -> None:
        self._output_s = time.monotonic()
        if self._guard is not None:
            self._guard.heard(self._output_s)

    async def _put(self, *events: Event) -> None:
        now = time.monotonic()
        for event in events:
            await self.recorder.put(*self._coalescer.add(event, now))
            if is_output(event):
                self.streamed.add(event.kind if isinstance(event, CallOutput) else OutputKind.TOOL_ARGUMENTS)
            if self._heard is not None:
                self._heard(event)

    def _at_ms(self) -> float:
        """Milliseconds since the request left, by the monotonic clock."""
        return (time.monotonic() - self._sent_s) * 1000


async def _next(source: AsyncGenerator[Head | bytes, None]) -> Head | bytes | None:
    return await anext(source, None)
