"""What is said about tool calls that are answered without being run, and about cut responses (outcomes.md 4)."""

from __future__ import annotations

from collections.abc import Sequence

CUT_TOOL_CALL = (
    "This response was cut off at its length limit (max_tokens), so the tool calls in it may be incomplete. "
    "They were discarded: nothing that changes anything was run, and none of them has a result. "
    "Sending the same calls again will be cut off again. "
    "Make fewer calls at once, or split a large argument over several calls."
)
"""Told to the model for each call of a cut response; the same text in every loop."""
UNKNOWN_TOOL = "There is no tool of this name. Use one of the tools that were offered."
FORBIDDEN = "A rule forbids this call; it was not run. Do not repeat it."
NOT_APPROVED = "The person asked did not approve this call; it was not run."
INTERRUPTED = "The round was stopped before this call had a result."
WITHHELD = "The provider withheld this response or set it aside; the tool calls in it were not run."


def reasoning_clause(output_tokens: int | None, reasoning_tokens: int | None) -> str:
    """Return the two counts of a cut response as a clause; empty where no reasoning was reported."""
    if not reasoning_tokens or output_tokens is None:
        return ""
    return f"; the response's usage reports {output_tokens} output tokens and {reasoning_tokens} reasoning tokens"


def cut_tools_warning(iteration: int, names: Sequence[str], limit: str, clause: str) -> str:
    """Return the operator's line for a cut response with tool calls; names only, never arguments."""
    return (
        f"Response of iteration {iteration} truncated at {limit} while requesting tools "
        f"({', '.join(names)}); none of them is run{clause}"
    )


def cut_answer_warning(iterations: int, subagent: str | None, limit: str, clause: str, *, has_partial: bool) -> str:
    """Return the operator's line for a cut answer of a round, or of a sub-agent's round.

    Args:
        limit: what was reached, in the words of the wire: ``max_tokens`` or the context window.
        has_partial: there is text to hand over.
    """
    if subagent is not None:
        what, kept = f"Subagent '{subagent}' final answer", "returning flagged partial answer"
    else:
        what, kept = "Agent execution", "surfacing flagged partial answer"
    handed = kept if has_partial else "no answer text arrived"
    return f"{what} truncated at {limit} after {iterations} iterations; {handed}{clause}"
