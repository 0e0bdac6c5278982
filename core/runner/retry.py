"""The retry layer: a request, sent again while it fails in a way that may pass; a failed attempt is not seen above."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING

from ..policies.retry import FailedCall, HeldChunks, RetryWhy, asked_wait_s, delays, may_retry
from ..rounds.base import CallOutcome, Continuation
from ..rounds.calls import Call
from ..rounds.events import Event
from .agents import Model, Settings, Task
from .messages import Request
from .pieces import Above, finish_of, releases
from .recorder import Recorder

if TYPE_CHECKING:
    from .call import RunningCall
    from .transport import Transport


@dataclass
class Retrying:
    """Sends the requests of one round; every attempt is a ledger entry of its own."""

    task: Task
    model: Model
    recorder: Recorder
    settings: Settings
    transport: Callable[[], Transport]
    """Opened when first used."""
    chance: random.Random
    _sent: int = field(default=0, init=False)

    @property
    def next_id(self) -> str:
        """Id of the call that goes out next."""
        return f"{self.task.call_prefix}{self._sent + 1}"

    async def send(
        self, request: Request, above: Above, *, iteration: int, continuation: Continuation | None = None
    ) -> Call | None:
        """Send ``request`` and return the last attempt's entry; None: stopped while waiting for the next one."""
        settings = self.settings
        waits = delays(self.chance.random, first_s=settings.retry_first_s, cap_s=settings.retry_cap_s)
        for attempt in count(1):
            running = self._call(attempt, iteration, continuation)
            held = Held(above, holds=settings.rules.hold_chunks)
            call = await running.run(request.body(self.model), self.task.headers, held.take)
            if not self._again(call, running, attempt):
                held.close()
                return call
            held.drop()
            asked = asked_wait_s(running.retry_after, datetime.now(UTC))
            wait = next(waits) if asked is None else min(asked, settings.retry_cap_s)
            if await self.task.cancel.sleep(wait):
                break
        return None

    def _again(self, call: Call, running: RunningCall, attempt: int) -> bool:
        error = call.error
        failed = FailedCall(
            outcome=call.outcome or CallOutcome.CANCELLED,
            kind=error.kind if error is not None else None,
            code=error.code if error is not None else None,
            http_status=error.http_status if error is not None else None,
            streamed=frozenset(running.streamed),
        )
        settings = self.settings
        why = may_retry(failed, attempt=attempt, attempts=settings.attempts, regenerate=settings.rules.regenerate)
        return why is RetryWhy.TRANSIENT

    def _call(self, attempt: int, iteration: int, continuation: Continuation | None) -> RunningCall:
        from .call import RunningCall  # httpx2 is loaded when the first request goes out

        id = self.next_id
        self._sent += 1
        return RunningCall(
            id,
            self.model,
            self.recorder,
            self.transport(),
            self.task.cancel,
            stall_s=self.settings.stall_s if self.settings.rules.guard_stream else None,
            iteration=iteration,
            attempt=attempt,
            continuation=continuation,
        )


class Held:
    """Holds an attempt's chunks back until its first output; then what was held goes up, in order.

    Args:
        holds: False passes everything on at once.
    """

    def __init__(self, above: Above, *, holds: bool = True) -> None:
        self._above = above
        self._held = HeldChunks[Event]()
        self._holds = holds
        self._passed = False

    def take(self, event: Event) -> None:
        """Take in the attempt's next event."""
        ready = self._held.push(event, finish_reason=finish_of(event), output=releases(event))
        self._pass(ready if self._holds else (event,))

    def close(self) -> None:
        """Pass on what is still held: this attempt is the one that counts."""
        if self._holds:
            self._pass(self._held.close())

    def drop(self) -> None:
        """Drop what is held, and take back what was passed on: the attempt failed and another follows."""
        if self._passed:
            self._above.forget()

    def _pass(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self._passed = True
            self._above.take(event)
