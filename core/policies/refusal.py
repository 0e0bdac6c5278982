"""Tool calls of a cut response: all refused, each answered with an error, none run (outcomes.md 4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..rounds.base import RefusedWhy
from ..rounds.reasons import CUT, StopReason

TRUNCATED_CALL = (
    "This response was cut short at its length limit (max_tokens, or the context window), so the calls may be "
    "incomplete and all of them were discarded: nothing that changes anything was run, and none of them has a "
    "result. Repeating the same calls is cut the same way. Instead, make fewer calls at once, or split a large "
    "argument over several smaller calls."
)
"""What the model is told for each refused call; the one text of every loop.

It does not claim that no call was run: one that may run beside others can have started before the cut was known.
"""
REPLAYED_ARGUMENTS = "{}"
"""What a refused call is replayed with in the next request, on every wire: never half JSON."""


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """One client tool call of a response, in the order it was asked for."""

    id: str
    name: str
    started_early: bool = False
    """It was started before the response ended."""


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """How one call is answered: an error result, in the place of a result."""

    id: str
    name: str
    message: str
    why: RefusedWhy
    started_early: bool
    """Whatever it brings is dropped."""


@dataclass(frozen=True, slots=True)
class RefusedTurn:
    """What a loop does with the tool calls of a cut response, in this order.

    Drop the work started early, give one warning, answer each call, commit the assistant's message and then the
    results, go on. Permission, hooks, approval and execution are not reached.
    """

    calls: tuple[RefusedCall, ...]

    @property
    def drops_early_results(self) -> bool:
        """A call had already been started; the warning says so."""
        return any(call.started_early for call in self.calls)

    @property
    def results_are_errors(self) -> tuple[bool, ...]:
        """One entry a call, as the guard over stalled iterations wants them."""
        return (True,) * len(self.calls)


def is_refused(reason: StopReason | None, tool_calls: Collection[object]) -> bool:
    """Return whether the tool calls of a response are refused: it was cut, and it asked for at least one.

    Args:
        reason: the neutral stop reason, a router's native word already weighed in. None (not reported) and
            ``unknown`` run the calls.
    """
    return reason in CUT and bool(tool_calls)


def refuse(reason: StopReason | None, calls: Sequence[RequestedCall]) -> RefusedTurn | None:
    """Return how the calls of a response are refused; None = they are run.

    All of them, those that look complete too: the stop reason does not say which one was cut.
    """
    if not is_refused(reason, calls):
        return None
    return RefusedTurn(
        tuple(
            RefusedCall(call.id, call.name, TRUNCATED_CALL, RefusedWhy.OUTPUT_CAP, call.started_early) for call in calls
        )
    )
