"""What a hub blots out of events before it stores them: literals and RE2 patterns, named in a file.

RE2 cannot backtrack: no pattern and no text makes it slow. What an event is known by (``IDENTITY``) stays, else rounds
would run into each other. Of a secret that a producer cuts into pieces of output what is in the first piece stays: that
piece is stored before anybody knows. Everything else of a changed event stays as it was written, numbers too.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from .redaction_escapes import LEVELS, readings
from .redaction_pieces import Tails
from .redaction_rules import Rule, rules_in
from .store import Submission

IDENTITY = frozenset(("type", "id", "at", "round", "thread", "call", "tool_call", "of"))
"""An event's own members whose texts tell events apart or link them."""
INNER_IDENTITY = {
    "parent": frozenset(("round", "tool_call")),
    "continuation": frozenset(("of",)),
    "summary": frozenset(("round", "at")),
    "cuts": frozenset(("at",)),
}
"""The same of the objects in these members; members of such names anywhere else are texts like others."""
NOTHING = frozenset[str]()
MOST_CHARS_ON = 4096
"""Of a piece of output are looked at for the rest of what began before it."""


class Redaction:
    """The rules of one file."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        """Apply ``rules`` in this order."""
        self._rules = tuple(rules)
        self._tails = Tails()

    @classmethod
    def from_file(cls, path: Path) -> Redaction:
        """Return the rules of a TOML file: ``[[rule]]`` tables with ``name`` and either ``literal`` or ``pattern``.

        Raises:
            RedactionError: it cannot be read, or a rule is wrong. A hub does not start without its redaction.
        """
        return cls(rules_in(path))

    def blotted(self, submissions: Iterable[Submission]) -> list[Submission]:
        """Return the submissions without what the rules name. Costs time by their length: not for an event loop."""
        return [item if item.fault is not None else self._blotted(item) for item in submissions]

    def line(self, line: str, producer: str | None = None) -> str:
        """Return an event's text; its very own where nothing in it is named by a rule.

        With a producer, its pieces of output are seen as going on from each other, in the order of the calls.

        Raises:
            RecursionError: it is nested too deeply to be looked through.
        """
        repeated: list[str] = []
        numbers = _Numbers()
        fields = json.loads(line, object_pairs_hook=lambda pairs: _members(pairs, repeated), parse_float=numbers.keep)
        clean = self._event(fields)
        if producer is not None and (tail := self._tails.before(producer, fields)):
            clean["text"] = self._going_on(tail, fields["text"], clean["text"])
        if clean == fields and not repeated:
            return line
        return numbers.put_back(json.dumps(clean, separators=(",", ":")))

    def _blotted(self, submission: Submission) -> Submission:
        try:
            return replace(submission, line=self.line(submission.line, submission.producer))
        except RecursionError:
            return replace(submission, line="", fault="not readable: nested too deeply")

    def _event(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {
            name: value
            if name in IDENTITY and isinstance(value, str)
            else self._value(value, INNER_IDENTITY.get(name, NOTHING))
            for name, value in fields.items()
        }

    def _value(self, value: Any, identity: frozenset[str] = NOTHING) -> Any:
        if isinstance(value, _Number):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value).items()
            return {
                self._text(name): inner if name in identity and isinstance(inner, str) else self._value(inner)
                for name, inner in members
            }
        if isinstance(value, list):
            return [self._value(inner, identity) for inner in value]  # pyright: ignore[reportUnknownVariableType]
        return value

    def _going_on(self, tail: str, text: str, clean: str) -> str:
        """Return ``clean``, the text of a piece of output, also without the rest of what began in the piece before."""
        begun = [
            (end - len(tail), rule.name)
            for rule in self._rules
            for start, end in rule.spans(tail + text[:MOST_CHARS_ON])
            if start < len(tail) < end
        ]
        if not begun:
            return clean
        through, name = max(begun)
        return f"[redacted: {name}]{self._text(text[through:])}"

    def _text(self, text: str) -> str:
        for rule in self._rules:
            text = rule.blot(text)
        return self._without_escaped(text) if "\\" in text else text

    def _without_escaped(self, text: str) -> str:
        """Return a text without what its escapes hide; a mark is escaped as what it stands for was."""
        levels = list(readings(text))
        for depth in range(LEVELS):
            for rule in self._rules:
                if depth >= len(levels):
                    return text
                if found := rule.escaped(levels[depth], depth + 1):
                    text = _with(found, text)
                    levels = list(readings(text))
        return text


def _with(marks: Sequence[tuple[int, int, str]], text: str) -> str:
    parts: list[str] = []
    at = 0
    for start, end, mark in marks:
        parts += (text[at:start], mark)
        at = end
    return "".join((*parts, text[at:]))


class _Number(str):
    """Stands for a number that keeps its digits."""

    __slots__ = ()


class _Numbers:
    """The numbers of one event as they were written: ``0.10`` would come out changed, and ``1e400`` as no JSON."""

    def __init__(self) -> None:
        self._sign = f"number {secrets.token_hex(8)} "  # nobody can put it into a text before
        self._written: list[str] = []

    def keep(self, digits: str) -> _Number:
        self._written.append(digits)
        return _Number(f"{self._sign}{len(self._written) - 1}")

    def put_back(self, line: str) -> str:
        return re.sub(rf'"{self._sign}(\d+)"', lambda found: self._written[int(found[1])], line)


def _members(pairs: list[tuple[str, Any]], repeated: list[str]) -> dict[str, Any]:
    """Return an object's members, the last of those with one name; a secret must not hide in an earlier one."""
    members = dict(pairs)
    if len(members) < len(pairs):
        repeated.append("")
    return members
