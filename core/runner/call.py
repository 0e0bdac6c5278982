"""One request of a round: sent, watched while it streams, and ended in exactly one way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from ..rounds.base import CallError, CallOutcome, CancelledBy, OutputKind
from ..rounds.calls import Call
from ..rounds.events import CallFinished, CallOutput, CallStarted, Event, ToolRequested
from ..rounds.reasons import reported
from ..wire import Translator, translator
from .agents import Model
from .cancel import Cancellation
from .coalesce import Coalescer
from .messages import sent_cap
from .recorder import Recorder
from .retry import UNREACHABLE
from .transport import Head, TransferBroken, Transport, Unreachable

PATHS = {"openai-chat": "/v1/chat/completions", "anthropic": "/v1/messages"}
ANTHROPIC_VERSION = "2023-06-01"


@dataclass
class RunningCall:
    """One call from its request to its end.

    Args:
        stall_s: seconds without a byte of *output*, on an open stream, after which the call is given up;
            signs of life do not count.
    """

    id: str
    model: Model
    recorder: Recorder
    transport: Transport
    cancel: Cancellation
    stall_s: float
    retry_after: str | None = None
    """What the response's header of that name said."""
    _translator: Translator | None = None
    _coalescer: Coalescer = field(default_factory=Coalescer)
    _sent_s: float = 0.0
    _output_s: float = 0.0

    async def run(self, body: dict[str, Any], headers: Mapping[str, str], *, iteration: int, attempt: int) -> Call:
        """Send ``body``, publish everything that comes back, and return the ledger's entry.

        Raises:
            asyncio.CancelledError: the host is shutting down; recorded before it goes on.
        """
        await self.recorder.put(self._announcement(iteration, attempt))
        self._sent_s = self._output_s = time.monotonic()
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

    def _announcement(self, iteration: int, attempt: int) -> CallStarted:
        return CallStarted(
            round=self.recorder.id,
            call=self.id,
            model=self.model.name,
            provider=self.model.provider,
            wire=self.model.wire,
            max_output_tokens=sent_cap(self.model),
            context_window=self.model.context_window,
            iteration=iteration,
            attempt=attempt,
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
                if now - self._output_s >= self.stall_s:
                    await self._give_up(CallOutcome.STALLED)
                    return
                due = self._coalescer.due_s()
                if due is not None and now >= due:
                    await self.recorder.put(*self._coalescer.flush(now))
        finally:
            read.cancel()
            cancelled.cancel()
            await asyncio.gather(read, cancelled, return_exceptions=True)

    def _patience_s(self) -> float:
        """How long nothing has to be looked after, if nothing comes."""
        due = self._coalescer.due_s()
        stall = self._output_s + self.stall_s
        return max(0.0, (stall if due is None else min(stall, due)) - time.monotonic())

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
            if any(_is_output(event) for event in events):
                self._output_s = time.monotonic()
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

    async def _put(self, *events: Event) -> None:
        now = time.monotonic()
        for event in events:
            await self.recorder.put(*self._coalescer.add(event, now))

    def _at_ms(self) -> float:
        """Milliseconds since the request left, by the monotonic clock."""
        return (time.monotonic() - self._sent_s) * 1000


async def _next(source: AsyncGenerator[Head | bytes, None]) -> Head | bytes | None:
    return await anext(source, None)


def _is_output(event: Event) -> bool:
    if isinstance(event, CallOutput):
        return event.kind is not OutputKind.USAGE and bool(event.text or event.chars)
    return isinstance(event, ToolRequested)
