"""Building blocks that several sentences share."""

from __future__ import annotations

from ..rounds.notes import Facts
from .reading import MOST_LISTED, flag_of, text_of
from .texts import Texts

Said = tuple[str, ...]
"""Sentences in the order they are read."""


def with_message(clause: str, message: str | None, texts: Texts) -> str:
    """Return a sentence that quotes ``message`` after ``clause``, or ends without it when there is none."""
    return (
        texts("banner.clause_quoting", clause=clause, message=message)
        if message
        else texts("banner.clause", clause=clause)
    )


def text_kept(facts: Facts, texts: Texts) -> Said:
    """Return the sentence that text written before the end is kept; none when there is no text or no record."""
    return (texts("banner.text_kept"),) if flag_of(facts, "text_kept") else ()


def reported_as(facts: Facts, texts: Texts) -> Said:
    """Return the sentence that quotes the provider's wire value; none when it reported none."""
    wire = text_of(facts, "wire")
    return (texts("banner.reported", wire=wire),) if wire else ()


def listed(names: tuple[str, ...], texts: Texts) -> str:
    """Return names in one line, the first dozen of them and how many more there are."""
    shown = ", ".join(names[:MOST_LISTED])
    more = len(names) - MOST_LISTED
    return texts("banner.and_more", names=shown, n=more) if more > 0 else shown
