"""One mark for one state: a glyph one cell wide, an ASCII stand-in, a word; colour comes on top elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..rounds.base import RefusedWhy
from ..rounds.outcome import Outcome
from ..rounds.tool_calls import ToolState
from ..rounds.verdicts import Verdict
from .reading import number_of
from .texts import Texts


@dataclass(frozen=True, slots=True)
class Mark:
    """How one state looks in a list."""

    glyph: str
    ascii: str
    """One character for terminals without Unicode."""
    word_key: str
    word_values: Mapping[str, str] = field(default_factory=dict[str, str])

    def word(self, texts: Texts) -> str:
        """Return the state's word."""
        return texts(self.word_key, **self.word_values)

    def sign(self, *, unicode: bool = True) -> str:
        """Return the glyph, or its stand-in."""
        return self.glyph if unicode else self.ascii


def _marks(prefix: str, table: Mapping[str, tuple[str, str]]) -> dict[str, Mark]:
    return {state: Mark(glyph, ascii, f"mark.{prefix}{state}") for state, (glyph, ascii) in table.items()}


# U+26A1 is two cells wide and U+23F8 is drawn so by many terminals: U+21AF and U+25EB stand for them.
VERDICT_MARKS: Mapping[str, Mark] = _marks(
    "",
    {
        Verdict.RUNNING: ("▶", ">"),
        "running_silent": ("▷", "-"),
        Verdict.COMPLETED: ("✓", "+"),
        "completed_unconfirmed": ("?", "?"),
        Verdict.OUTPUT_CAP_REACHED: ("✂", "%"),
        Verdict.CONTEXT_WINDOW_EXCEEDED: ("▣", "w"),
        Verdict.CONTENT_FILTERED: ("⊘", "/"),
        Verdict.STREAM_ENDED_WITHOUT_FINISH: ("┄", "~"),
        Verdict.PROVIDER_ERROR: ("↯", "!"),
        Verdict.PROVIDER_STALLED: ("⧗", "z"),
        Verdict.RESPONSE_BODY_CUT: ("╳", "y"),
        Verdict.ROUND_TIMED_OUT: ("◷", "t"),
        Verdict.FAULTED: ("‼", "f"),
        Verdict.UNFINISHED_TOOL_CALL: ("…", ","),
        Verdict.NO_FINAL_ANSWER: ("◌", "o"),
        Verdict.NO_OUTPUT: ("□", "0"),
        Verdict.SELECTION_UNRESOLVED: ("◇", "@"),
        Verdict.NO_USABLE_MODEL: ("◆", "&"),
        Verdict.MAX_ITERATIONS: ("■", "#"),
        Verdict.TOKEN_BUDGET: ("■", "#"),
        Verdict.COST_BUDGET: ("■", "#"),
        Verdict.WALL_CLOCK: ("■", "#"),
        Verdict.STALLED_ITERATIONS: ("■", "#"),
        Verdict.SUPERVISOR_GAVE_UP: ("▲", "^"),
        Verdict.CANCELLED: ("✕", "x"),
        Verdict.TURN_PAUSED: ("‖", "p"),
        Verdict.SUSPENDED: ("◫", "="),
    },
)
"""By verdict, and the two states that a verdict alone does not tell apart."""

TOOL_MARKS: Mapping[str, Mark] = _marks(
    "tool_",
    {
        ToolState.PENDING: ("◦", "o"),
        ToolState.RUNNING: ("▶", ">"),
        ToolState.OK: ("✓", "+"),
        ToolState.FAILED: ("✗", "x"),
        ToolState.REFUSED: ("⊘", "/"),
        "refused_cut": ("⊘", "/"),
        ToolState.UNFINISHED: ("…", ","),
    },
)
"""By tool state; a refusal because of a cut has a word of its own."""


def verdict_mark(verdict: Verdict) -> Mark:
    """Return the mark of a verdict alone, as in a filter list or a legend."""
    return VERDICT_MARKS[verdict]


def mark(outcome: Outcome) -> Mark:
    """Return the mark of a round; only a confirmed answer gets the answer's."""
    if outcome.verdict is Verdict.COMPLETED and not outcome.is_answer:
        return VERDICT_MARKS["completed_unconfirmed"]
    if outcome.verdict is Verdict.RUNNING and outcome.stalled_ms is not None:
        return VERDICT_MARKS["running_silent"]
    found = VERDICT_MARKS[outcome.verdict]
    status = number_of(outcome.facts, "http_status")
    if outcome.verdict is Verdict.PROVIDER_ERROR and status is not None and status >= 400:
        return Mark(found.glyph, found.ascii, "mark.provider_error_status", {"status": str(int(status))})
    return found


def tool_mark(state: ToolState, why: RefusedWhy | None = None) -> Mark:
    """Return the mark of a tool call.

    Args:
        why: of a refused call, who or what refused it.
    """
    if state is ToolState.REFUSED and why is RefusedWhy.OUTPUT_CAP:
        return TOOL_MARKS["refused_cut"]
    return TOOL_MARKS[state]
