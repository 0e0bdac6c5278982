"""Transcripts that agents write to disk: one sans-I/O parser a source, bytes in, round events out."""

from .line_transcript import LineTranscript
from .lines import Line, LineSplitter
from .transcript import Transcript
from .unreadable import Place, Unreadable

__all__ = ["Line", "LineSplitter", "LineTranscript", "Place", "Transcript", "Unreadable"]
