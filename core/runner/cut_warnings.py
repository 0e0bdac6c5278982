"""One operator warning for each response that stayed cut: logged and published (outcomes.md 4)."""

from __future__ import annotations

from collections.abc import Sequence

from ..policies.cut_texts import cut_answer_warning, cut_outside_loop_warning, cut_tools_warning
from ..rounds.calls import Call
from ..rounds.reasons import StopReason
from .recorder import Recorder


async def warn_cut_tools(
    recorder: Recorder,
    call: Call,
    names: Sequence[str],
    *,
    iteration: int,
    subagent: str | None,
    drops_early_results: bool,
) -> None:
    """Warn that the tool calls of a cut response are refused; their names, never their arguments."""
    message = cut_tools_warning(
        iteration,
        names,
        call.usage,
        reason=_reason(call),
        subagent=subagent,
        drops_early_results=drops_early_results,
    )
    facts = {"iteration": iteration, "tools": list(names), "early": drops_early_results, **_counts(call)}
    await recorder.warn("cut_tool_calls_refused", message, facts)


async def warn_cut_answer(
    recorder: Recorder, call: Call, *, iterations: int, subagent: str | None, has_partial: bool
) -> None:
    """Warn that an answer is cut and handed over flagged.

    Args:
        call: the last one, whose own counts are told.
        subagent: the agent's name when the round works for another one.
        has_partial: there is text to hand over.
    """
    message = cut_answer_warning(
        iterations, call.usage, reason=_reason(call), subagent=subagent, has_partial=has_partial
    )
    await recorder.warn("cut_answer", message, {"iterations": iterations, "subagent": subagent, **_counts(call)})


async def warn_cut_outside_loop(recorder: Recorder, purpose: str) -> None:
    """Warn of a cut call that no iteration made."""
    await recorder.warn("call_truncated_outside_loop", cut_outside_loop_warning(purpose), {"purpose": purpose})


def _counts(call: Call) -> dict[str, object]:
    """The cut response's own counts; None = not reported."""
    usage = call.usage
    return {"output_tokens": usage.output_tokens, "reasoning_tokens": usage.reasoning_tokens}


def _reason(call: Call) -> StopReason:
    return call.stop_reason or StopReason.OUTPUT_CAP
