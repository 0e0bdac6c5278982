"""Transcripts that agents write to disk: one sans-I/O parser a source, bytes in, round events out."""

from .claude_code import ClaudeCode
from .codex import Codex
from .codex_exec import CodexExec
from .line_transcript import LineTranscript
from .lines import Line, LineSplitter
from .linked import LinkedTranscript
from .seen import Seen
from .transcript import Transcript
from .unreadable import Place, Unreadable

__all__ = [
    "ClaudeCode",
    "Codex",
    "CodexExec",
    "Line",
    "LineSplitter",
    "LineTranscript",
    "LinkedTranscript",
    "Place",
    "Seen",
    "Transcript",
    "Unreadable",
]
