"""One operator warning for each response that was cut: logged and published (outcomes.md 4)."""

from __future__ import annotations

from ..rounds.calls import Call
from ..rounds.reasons import StopReason
from . import refusal
from .recorder import Recorder


async def warn_cut_tools(recorder: Recorder, call: Call, iteration: int) -> None:
    """Warn that the tool calls of a cut response are refused; their names, never their arguments."""
    names = [tool.name for tool in call.tool_calls if tool.counts]
    message = refusal.cut_tools_warning(iteration, names, _limit(call), _clause(call))
    facts = {"iteration": iteration, "tools": names, "early": False, **_counts(call)}
    await recorder.warn("cut_tool_calls_refused", message, facts)


async def warn_cut_answer(recorder: Recorder, call: Call, iterations: int, subagent: str | None) -> None:
    """Warn that an answer is cut and handed over flagged.

    Args:
        subagent: the agent's name when the round works for another one.
    """
    message = refusal.cut_answer_warning(
        iterations, subagent, _limit(call), _clause(call), has_partial=call.output.visible
    )
    await recorder.warn("cut_answer", message, {"iterations": iterations, "subagent": subagent, **_counts(call)})


def _counts(call: Call) -> dict[str, object]:
    """The cut response's own counts; None = not reported."""
    usage = call.usage
    return {"output_tokens": usage.output_tokens, "reasoning_tokens": usage.reasoning_tokens}


def _limit(call: Call) -> str:
    return "the context window" if call.stop_reason is StopReason.CONTEXT_WINDOW else "max_tokens"


def _clause(call: Call) -> str:
    return refusal.reasoning_clause(call.usage.output_tokens, call.usage.reasoning_tokens)
