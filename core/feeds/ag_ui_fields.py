"""Reading the fields of AG-UI's events."""

from __future__ import annotations

from collections.abc import Iterator

from ..rounds import CallError, Usage
from .foreign_frames import MOST_TOKENS, Fields, list_in, name_of, object_in, said_in

TITLE_CHARS = 120
COUNTS = {
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
    "reasoningTokens": "reasoning_tokens",
    "cachedInputTokens": "cache_read_tokens",
    "cacheWriteInputTokens": "cache_write_tokens",
}
"""All but the two totals are parts of them, as in our own usage."""


def named(thread: str | None, run: str) -> str:
    """Return what the round of a run is called."""
    return f"{thread}.{run}" if thread else run


def round_of(fields: Fields) -> str | None:
    """Return the round of the run that an event names."""
    run = name_of(fields, "runId")
    return None if run is None else named(name_of(fields, "threadId"), run)


def asked(given: Fields) -> str | None:
    """Return what a user asked last, where the input of a run is sent along."""
    users = [each for each in list_in(given, "messages") if each.get("role") == "user"]
    return title_of(text_of(users[-1])) if users else None


def said_no(given: Fields) -> Iterator[str]:
    """Yield the interrupts that the input of a run answers with no: taken back, or not approved."""
    for each in list_in(given, "resume"):
        interrupt, approved = name_of(each, "interruptId"), object_in(each, "payload").get("approved")
        if interrupt is not None and (each.get("status") == "cancelled" or approved is False):
            yield interrupt


def title_of(text: str | None) -> str | None:
    """Return a text as a title."""
    return " ".join((text or "")[: 4 * TITLE_CHARS].split())[:TITLE_CHARS] or None


def usage_of(fields: Fields) -> Usage | None:
    """Return the sum over models; a count that one of them leaves out is not known of the run."""
    entries = list_in(fields, "usage")
    if not entries:
        return None
    sums: dict[str, int | None] = {}
    for theirs, ours in COUNTS.items():
        counts = [entry.get(theirs) for entry in entries]
        known = [
            count
            for count in counts
            if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= MOST_TOKENS
        ]
        sums[ours] = sum(known) if len(known) == len(counts) else None
    return None if all(count is None for count in sums.values()) else Usage(**sums)


def error_of(fields: Fields) -> CallError:
    """Return what an event of an error says."""
    message = said_in(fields, "message")
    return CallError(kind="run_error", code=name_of(fields, "code"), message=message[:2000] if message else None)


def why_of(outcome: Fields) -> str | None:
    """Return what an interrupted run waits for."""
    said = [said_in(each, "message") or said_in(each, "reason") for each in list_in(outcome, "interrupts")]
    return "; ".join(text for text in said if text) or None


def text_of(message: Fields) -> str | None:
    """Return the content of a message: text, or the texts among its parts."""
    parts = [said_in(part, "text") for part in list_in(message, "content")]
    return said_in(message, "content") or "".join(text for text in parts if text) or None
