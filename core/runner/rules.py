"""The rules of the loop, each with its switch: on by default, off where a test wants to see what the rule prevents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..policies.continuation import CONTINUATIONS_PER_CALL
from ..policies.thinking import DEFAULT_BUDGET, ThinkingMode, ThinkingRow


@dataclass(frozen=True)
class ThinkingSetting:
    """How one model is asked to think."""

    mode: ThinkingMode
    row: ThinkingRow = ThinkingRow.UNDESCRIBED
    """What the model is known to understand."""
    budget: int = DEFAULT_BUDGET
    """Tokens asked for; sent only to a model that takes a number."""


@dataclass(frozen=True)
class Rules:
    """Which rules a runner keeps."""

    continuations: int = CONTINUATIONS_PER_CALL
    """How often one cut call is continued; 0 = never."""
    continue_only_cuts: bool = True
    """Only a cut is continued; off, an answer that the model ended itself is asked to go on as well."""
    continue_needs_proof: bool = True
    """A stream that ended without a finish is continued only where this model has reported one before."""
    check_window: bool = True
    """A continuation that would overflow the context window is not sent."""
    regenerate: bool = True
    """A call that broke or fell silent after nothing but text is made anew."""
    hold_chunks: bool = True
    """What an attempt says before its first output is held back, so that a failed one is not seen above."""
    guard_stream: bool = True
    """An open stream without output for too long is given up."""
    overlap: bool = True
    """Tools that are safe for it start while the response still streams."""
    refuse_cut_calls: bool = True
    """The tool calls of a cut response are refused."""
    check_arguments: bool = True
    """A call whose arguments do not parse is answered with an error; off, it runs with none."""
    ask_approval: bool = True
    """Tools that need an approval ask for it."""
    warn_cuts: bool = True
    """One operator warning for each cut response that nothing repaired."""
    mark_cut_answers: bool = True
    """A cut answer carries the truncation marker in result and transcript."""
    guard_iterations: bool = True
    """Iterations in a row in which every tool call failed end the round."""
    guard_forks: bool = True
    """The same in sub-agents; off, only an iteration limit bounds them."""
    report_rarely: bool = True
    """Findings of the configuration are told once, those of the traffic at the 1st, 10th, 100th occurrence."""
    stream: bool = True
    """Responses are asked for as streams."""
    summary_after_limit: bool = False
    """A round that used up its iterations, tokens or money gets one more call, without tools, to sum up."""
    thinking: Mapping[str, ThinkingSetting] = field(default_factory=dict[str, ThinkingSetting])
    """By model name; a model without an entry is sent no thinking part."""


DEFAULT_RULES = Rules()
