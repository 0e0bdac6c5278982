"""Searching inside a round: which entries hold the words, and what stands around them."""

from __future__ import annotations

from ..core.rounds import Call, Event, Round, ToolCall, Unrecognised
from .safe_text import one_line

AROUND = 24
"""Characters of an excerpt before the words."""
MOST_CHARS = 2_000_000
"""Characters of one entry that are searched; a longer text is searched from its beginning."""


def entries_with(round_: Round, words: str) -> list[int]:
    """Return the numbers of the entries, from 0, that hold ``words``, whatever the case of their letters."""
    wanted = words.casefold()
    if not wanted.strip():
        return []
    return [
        number
        for number, entry in enumerate(round_.entries)
        if any(wanted in text[:MOST_CHARS].casefold() for text in _texts(entry))
    ]


def excerpt(entry: Call | ToolCall | Event, words: str, chars: int) -> str:
    """Return the first place of ``words`` in an entry with what stands around it, in one line."""
    wanted = words.casefold()
    for text in _texts(entry):
        found = text[:MOST_CHARS].casefold().find(wanted)
        if found >= 0:
            start = max(0, found - AROUND)
            before = "…" if start else ""
            return before + one_line(text[start : start + chars])
    return ""


def _texts(entry: Call | ToolCall | Event) -> list[str]:
    found: tuple[str | None, ...]
    match entry:
        case Call():
            error = entry.error.message if entry.error is not None else None
            found = (entry.text, entry.reasoning.text, entry.refusal.text, entry.model, entry.finish_reason, error)
        case ToolCall():
            found = (entry.name, entry.arguments, entry.preview, entry.error, entry.message)
        case Unrecognised():
            found = (entry.raw,)
        case _:
            found = (entry.model_dump_json(exclude_none=True),)
    return [text for text in found if text]
