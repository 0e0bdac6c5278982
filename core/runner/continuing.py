"""The continuation layer: a cut call is carried on where that is safe, and the loop sees one response."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..policies.continuation import ContinueWhy, WindowUse, continuation_turns, may_continue
from ..rounds.base import CallOutcome, Continuation, ContinuationKind, OutputKind, Usage
from ..rounds.calls import Call
from ..rounds.events import CallFinished, CallOutput, Event
from ..rounds.reasons import NATURAL, StopReason, reported
from .agents import Model, Task
from .memory import Memory
from .messages import Request, sent_cap
from .pieces import Above, Listened, is_output
from .recorder import Recorder
from .response import Response
from .retry import Retrying
from .rules import Rules

CHARS_PER_TOKEN = 4  # where no count was reported: about what tokenisers make of English prose
WORTH_A_WARNING = frozenset((ContinueWhy.NO_PROOF, ContinueWhy.UNSAFE_CONTENT, ContinueWhy.CONTEXT_WINDOW))
"""Why a cut is left as it is although continuing is on; a spent budget shows in the calls themselves."""


@dataclass
class Continuing:
    """Asks one model for responses. It stands above the retry: a continuation is retried like any call."""

    retrying: Retrying
    task: Task
    model: Model
    recorder: Recorder
    memory: Memory
    rules: Rules

    async def respond(self, request: Request, above: Above, *, iteration: int) -> Response | None:
        """Send ``request``, carry its answer on while the rules allow it, and return all of it as one.

        Returns:
            None when somebody asked to stop before the first call was over.
        """
        message = self.retrying.next_id
        below = OneMessage(Listened(message, self.task.listen, above))
        calls: list[Call] = []
        sent: Request | None = request
        continuation: Continuation | None = None
        while sent is not None:
            below.begin()
            call = await self.retrying.send(sent, below, iteration=iteration, continuation=continuation)
            if call is None:
                return Response(message, tuple(calls), interrupted=True) if calls else None
            calls.append(call)
            kind = await self._kind(call, below.kinds, sent, used=len(calls) - 1)
            sent = None
            if kind is not None:
                if self.task.cancel.requested:
                    return Response(message, tuple(calls), interrupted=True)
                below.swallow()
                continuation = Continuation(of=call.id, kind=kind)
                sent = request.followed_by(continuation_turns(kind, "".join(each.text for each in calls)))
        response = Response(message, tuple(calls))
        below.release(response.usage)
        return response

    async def _kind(self, call: Call, streamed: frozenset[str], sent: Request, *, used: int) -> ContinuationKind | None:
        """Return how ``call`` is to be continued; None = it stays as it is."""
        proved = self.memory.has_proof(self.model.name) or not self.rules.continue_needs_proof
        if reported(call.finish_reason) is not None:
            self.memory.note_report(self.model.name)
        if self.rules.continuations < 1:
            return None
        reason = call.stop_reason
        if reason in NATURAL and not self.rules.continue_only_cuts:
            reason = StopReason.OUTPUT_CAP
        decision = may_continue(
            call.outcome,
            reason,
            streamed,
            provider_proved=proved,
            used=used,
            budget=self.rules.continuations,
            window=self._window(call, sent),
        )
        if decision.why in WORTH_A_WARNING and OutputKind.TOOL_ARGUMENTS not in streamed:
            await self._skipped(decision.why)
        return decision.kind

    def _window(self, call: Call, sent: Request) -> WindowUse | None:
        """What the continuing request would need; what was not reported is estimated from its characters."""
        if not self.rules.check_window or call.outcome is not CallOutcome.COMPLETED:
            return None
        known = call.usage.input_tokens
        prompt = sum(len(turn.text) for turn in continuation_turns(ContinuationKind.STREAM_ENDED, ""))
        return WindowUse(
            context_window=self.model.context_window,
            input_tokens=known if known is not None else _tokens(len(json.dumps(sent.body(self.model)))),
            partial_tokens=_tokens(call.text_chars),
            prompt_tokens=_tokens(prompt),
            max_output_tokens=sent_cap(self.model),
        )

    async def _skipped(self, why: ContinueWhy) -> None:
        await self.memory.tell_traffic(
            self.recorder,
            f"{self.model.name}: continuation skipped: {why}",
            "continuation_skipped",
            f"the cut answer of {self.model.name[:80]} was not continued: {why}",
            {"reason": str(why)},
        )


def _tokens(chars: int) -> int:
    return -(-chars // CHARS_PER_TOKEN)


class OneMessage:
    """Makes the calls of one response look like one from above: a finish that is continued is never seen there."""

    def __init__(self, above: Above) -> None:
        self._above = above
        self._kinds: set[str] = set()
        self._end: CallFinished | None = None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of content that the newest call streamed."""
        return frozenset(self._kinds)

    def begin(self) -> None:
        """Another call follows."""
        self._kinds.clear()

    def take(self, event: Event) -> None:
        """Pass the event on; the end of a call waits until it is known whether another one carries it on."""
        if isinstance(event, CallFinished):
            self._end = event
            return
        if is_output(event):
            self._kinds.add(event.kind if isinstance(event, CallOutput) else OutputKind.TOOL_ARGUMENTS)
        self._above.take(event)

    def forget(self) -> None:
        """Take back what the newest call passed up."""
        self._kinds.clear()
        self._end = None
        self._above.forget()

    def swallow(self) -> None:
        """Drop the end of a call that is carried on."""
        self._end = None

    def release(self, usage: Usage) -> None:
        """Pass the end on, it is the response's, with the counts of all its calls."""
        if self._end is not None:
            self._above.take(self._end.model_copy(update={"usage": usage}))
            self._end = None
