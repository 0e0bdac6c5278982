"""Round events, the ledger that folds them, and the one function that says how a round ended."""

from .applied import Applied
from .base import (
    CallError,
    CallOutcome,
    CancelledBy,
    ChoiceEnd,
    Claim,
    Continuation,
    ContinuationKind,
    OutputKind,
    Parent,
    RefusedWhy,
    Silence,
    StoppedWhy,
    Usage,
)
from .calls import Call
from .events import Event, Unrecognised
from .figures import Figures, figures
from .ledger import Ledger
from .notes import Facts, FactValue, Note, NoteCode
from .outcome import STALL_AFTER_S, Outcome, classify
from .parse import EventError, parse_event
from .reasons import StopReason, stop_reason
from .round import Round
from .rules import verdict
from .summary import RoundSummary, token_sums
from .tool_calls import ToolCall, ToolState
from .verdicts import (
    TRUNCATION_MARKER,
    CompletionReason,
    Doubt,
    Evidence,
    ParentOutcome,
    StoppedBy,
    TerminalStatus,
    Verdict,
)

__all__ = [
    "STALL_AFTER_S",
    "TRUNCATION_MARKER",
    "Applied",
    "Call",
    "CallError",
    "CallOutcome",
    "CancelledBy",
    "ChoiceEnd",
    "Claim",
    "CompletionReason",
    "Continuation",
    "ContinuationKind",
    "Doubt",
    "Event",
    "EventError",
    "Evidence",
    "FactValue",
    "Facts",
    "Figures",
    "Ledger",
    "Note",
    "NoteCode",
    "Outcome",
    "OutputKind",
    "Parent",
    "ParentOutcome",
    "RefusedWhy",
    "Round",
    "RoundSummary",
    "Silence",
    "StopReason",
    "StoppedBy",
    "StoppedWhy",
    "TerminalStatus",
    "ToolCall",
    "ToolState",
    "Unrecognised",
    "Usage",
    "Verdict",
    "classify",
    "figures",
    "parse_event",
    "stop_reason",
    "token_sums",
    "verdict",
]
