"""What can stand where the operator is typing: fields, then values of a field, those that fit first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.texts import VERDICT_MARKS, Texts
from .filter_fields import FIELDS, STATES, Kind, as_value, known_field
from .filter_parse import NEGATIONS
from .seen_names import SeenNames

MOST = 12
_LAST = re.compile(r"""(?:^|\s)(?P<term>(?:[^\s"']|"[^"]*"?|'[^']*'?)*)$""")
_PLAIN = re.compile(r"""[^\s"'|]+\Z""")


@dataclass(frozen=True, slots=True)
class Completion:
    """One way to go on."""

    start: int
    """Where it begins in the text; everything from there to the cursor is replaced."""
    insert: str
    shown: str
    is_whole: bool
    """A blank may follow; a field alone waits for its value."""


def completions(text: str, cursor: int, names: SeenNames, words: list[str]) -> list[Completion]:
    """Return what can stand at the cursor, at most a line's worth.

    Args:
        names: names seen so far, by field.
        words: what verdicts are called, in the viewer's language.
    """
    found = _LAST.search(text[:cursor])
    term = found.group("term") if found is not None else ""
    start = cursor - len(term)
    if term[:1] in NEGATIONS and term:
        term, start = term[1:], start + 1
    name, colon, value = term.partition(":")
    if not colon:
        begun = [each for each in FIELDS if each.startswith(name.casefold())]
        return [Completion(start, f"{each}:", f"{each}:", False) for each in begun][:MOST]
    field = known_field(name)
    if field is None:
        return []
    before, alternative, last = value.rpartition("|")
    start += len(name) + 1 + len(before) + len(alternative)
    wanted = last.strip("\"'").casefold()
    fitting = [each for each in _values(field.name, names, words) if wanted in each.casefold()]
    fitting.sort(key=lambda each: not each.casefold().startswith(wanted))
    return [Completion(start, _written(each), each, True) for each in fitting[:MOST]]


def _values(field: str, names: SeenNames, words: list[str]) -> list[str]:
    match FIELDS[field].kind:
        case Kind.VERDICT:
            return words
        case Kind.STATE:
            return list(STATES)
        case Kind.NUMBER:
            return [">1000", ">10k", "<100", "none"]
        case Kind.TIME:
            return [">5s", ">30s", ">1min", "none"]
        case Kind.TEXT:
            return names.of(field)


def _written(value: str) -> str:
    """Return a value as a filter writes it: in quotes where it has blanks or signs of its own."""
    if _PLAIN.match(value) and value[0] not in NEGATIONS:
        return value
    quote = "'" if '"' in value else '"'
    return f"{quote}{value.replace(quote, ' ')}{quote}"


def completed(text: str, cursor: int, chosen: Completion) -> tuple[str, int]:
    """Return the text with ``chosen`` in it, and where the cursor stands then."""
    end = " " if chosen.is_whole and not text[cursor:].startswith(" ") else ""
    before = text[: chosen.start] + chosen.insert + end
    return before + text[cursor:], len(before)


def verdict_words(texts: Texts) -> list[str]:
    """Return what the marks of the screen are called, as a filter writes them, each once."""
    return list(dict.fromkeys(as_value(mark.word(texts)) for mark in VERDICT_MARKS.values()))
