"""Short hand for tests of filters: the scenes' rounds, and which of them a filter lets through."""

from __future__ import annotations

from roundwatch.core.texts import Texts
from roundwatch.tui.filter_fields import VerdictWords
from roundwatch.tui.filter_match import Filter
from roundwatch.tui.filter_parse import parse_filter
from roundwatch.tui.watched import Watched

from tests.scenes import NOW, Lines, everything, live

WORDS = VerdictWords.of((Texts.load("en"), Texts.load("de")))


def watching(lines: Lines, kept: int = 1000) -> Watched:
    watched = Watched(kept=kept)
    for item in live(lines):
        watched.take(item, 0.0)
    return watched


def a_filter(text: str) -> Filter:
    found = parse_filter(text, WORDS)
    assert found is not None
    return found


def let_through(text: str, lines: Lines | None = None, kept: int = 1000) -> set[str]:
    """The agents, or else the ids, of the rounds that the filter shows."""
    watched = watching(everything() if lines is None else lines, kept)
    found: set[str] = set()
    for row in range(len(watched.tree)):
        subject = watched.subject(watched.tree.at(row).id, NOW)
        assert subject is not None
        if a_filter(text).passes(subject):
            found.add(subject.listed.agent or subject.listed.id)
    return found
