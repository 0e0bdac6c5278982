"""Outcomes and states in a viewer's language: tables, numbers, banners, marks, and text from outside made safe."""

from __future__ import annotations

from .banner import Banner, Severity, banner, severity, title
from .cells import cell_width
from .clean import clean
from .durations import ago, duration, earlier, head_duration, short_duration, span, span_of_ms
from .encoding import fit_encoding, to_ascii
from .faults import fault_text
from .figures_line import figures_line
from .marks import TOOL_MARKS, VERDICT_MARKS, Mark, mark, tool_mark, verdict_mark
from .moments import clock_time, date_and_time, zone_name
from .note_sentences import note_sentence
from .open_questions import OpenQuestion, question_text
from .operator_warnings import WARNINGS, warning_text
from .partial_lines import partial_kind, partial_lines
from .supervisor_sentences import supervisor_lines
from .texts import Texts
from .tool_sentences import refusal_text
from .viewer_locale import LANGUAGES, locale_from_env, match_locale
from .wrap import wrap

__all__ = [
    "LANGUAGES",
    "TOOL_MARKS",
    "VERDICT_MARKS",
    "WARNINGS",
    "Banner",
    "Mark",
    "OpenQuestion",
    "Severity",
    "Texts",
    "ago",
    "banner",
    "cell_width",
    "clean",
    "clock_time",
    "date_and_time",
    "duration",
    "earlier",
    "fault_text",
    "figures_line",
    "fit_encoding",
    "head_duration",
    "locale_from_env",
    "mark",
    "match_locale",
    "note_sentence",
    "partial_kind",
    "partial_lines",
    "question_text",
    "refusal_text",
    "severity",
    "short_duration",
    "span",
    "span_of_ms",
    "supervisor_lines",
    "title",
    "to_ascii",
    "tool_mark",
    "verdict_mark",
    "warning_text",
    "wrap",
    "zone_name",
]
