"""What operators are told of cut responses: four warnings, the reasoning clause, a fork's progress and sink lines."""

from __future__ import annotations

from collections.abc import Sequence

from ..rounds.base import Usage
from ..rounds.reasons import StopReason
from ..rounds.verdicts import CompletionReason

LIMIT_WORDS = {StopReason.OUTPUT_CAP: "max_tokens", StopReason.CONTEXT_WINDOW: "the context window"}
"""What was reached, as a warning says it."""


def reasoning_clause(usage: Usage) -> str:
    """Return the cut response's own counts as a clause; empty when it reports no reasoning, or none was done.

    Two counts and nothing else: no share, no conclusion. Reasoning may exceed output.
    """
    if usage.reasoning_tokens is None or usage.reasoning_tokens <= 0:
        return ""
    reasoning = f"{usage.reasoning_tokens} reasoning tokens"
    counts = reasoning if usage.output_tokens is None else f"{usage.output_tokens} output tokens and {reasoning}"
    return f"; the response's usage reports {counts}"


def cut_tools_warning(
    iteration: int,
    names: Sequence[str],
    usage: Usage,
    *,
    reason: StopReason = StopReason.OUTPUT_CAP,
    subagent: str | None = None,
    drops_early_results: bool = False,
) -> str:
    """Return the one warning of a cut response with tool calls; their names, never their arguments.

    Args:
        iteration: from 1.
        usage: of this response, not summed over the round.
        subagent: the fork's name; None = the turn's own loop.
        drops_early_results: some were started before the cut was known.
    """
    who = "Response" if subagent is None else f"Response of subagent '{subagent}'"
    what = (
        "results of calls that overlap had started are discarded, the others are not run"
        if drops_early_results
        else "none of them is run"
    )
    return (
        f"{who} truncated at {_limit(reason)} in iteration {iteration} while requesting tools "
        f"({', '.join(names)}); {what}{reasoning_clause(usage)}"
    )


def cut_answer_warning(
    iterations: int,
    usage: Usage,
    *,
    reason: StopReason = StopReason.OUTPUT_CAP,
    subagent: str | None = None,
    has_partial: bool = True,
) -> str:
    """Return the one warning of a cut answer; its wording is fixed, a number of one included.

    Args:
        iterations: of the round, the cut one included.
        usage: of the cut response.
        subagent: the fork's name; None = the turn's own loop.
        has_partial: there is answer text to hand over.
    """
    who = "Agent execution" if subagent is None else f"Subagent '{subagent}' final answer"
    verb = "surfacing" if subagent is None else "returning"
    handed = f"{verb} flagged partial answer" if has_partial else "no answer text arrived"
    return f"{who} truncated at {_limit(reason)} after {iterations} iterations; {handed}{reasoning_clause(usage)}"


def cut_outside_loop_warning(purpose: str) -> str:
    """Return the one warning of a cut call that no loop made (compaction, forced summary, judge, skill)."""
    return f"Call outside the loop ({purpose}) truncated at max_tokens; its text is incomplete"


def _limit(reason: StopReason) -> str:
    return LIMIT_WORDS.get(reason, "max_tokens")


def progress_line(reason: CompletionReason, iterations: int) -> str:
    """Return a fork's closing line: how it ended and after how many iterations."""
    after = f"after {iterations} iteration{'' if iterations == 1 else 's'}"
    if reason is CompletionReason.COMPLETED:
        return f"[completed: SUCCESS {after}]"
    if reason is CompletionReason.TRUNCATED:
        return f"[completed: TRUNCATED at max_tokens {after}]"
    return f"[failed: {reason.upper()} {after}]"


def sink_lines(name: str, message: str) -> tuple[str, str]:
    """Return what a fork writes to its sink for a refused call: that it was asked for, and its error."""
    return f"→ {name}", f"← {name} [error] {message}"
