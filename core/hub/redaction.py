"""What a hub blots out of events before it stores them: literals and RE2 patterns, named in a file.

RE2 cannot backtrack: no pattern and no text makes it slow. What an event is known by (``IDENTITY``) stays, else rounds
would run into each other; a secret that a producer cuts into two pieces of output is not found. Everything else of a
changed event stays as it was written, numbers too.
"""

from __future__ import annotations

import json
import re
import secrets
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, cast

from .errors import HubError
from .redaction_escapes import LEVELS, Unescaped, readings
from .store import Submission

INSTALL = "pip install 'roundwatch[redaction]'"
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
NAME_CHARS = 40
KEYS = frozenset(("name", "literal", "pattern"))


class RedactionError(HubError):
    """A redaction file cannot be used; ``str()`` says which rule and why, and quotes no literal."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing to blot out."""

    name: str
    """Stands in its place: ``[redacted: name]``."""
    blot: Callable[[str], str]
    """Returns a text without it."""
    spans: Callable[[str], list[tuple[int, int]]]
    """Returns where in a text it stands."""

    def escaped(self, reading: Unescaped, depth: int) -> list[tuple[int, int, str]]:
        """Return where escapes hide it, and what is put there instead, for a text that is read for the nth time."""
        mark = said = f"[redacted: {self.name}]"
        begins = [begin for begin, _ in _places(said, reading.text)]  # a name may say what its own rule looks for
        for _ in range(depth):
            mark = json.dumps(mark)[1:-1]
        return [
            (reading.place(start), reading.place(end), mark)
            for start, end in self.spans(reading.text)
            if not (before := bisect_left(begins, end)) or begins[before - 1] + len(said) <= start
        ]


class Redaction:
    """The rules of one file."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        """Apply ``rules`` in this order."""
        self._rules = tuple(rules)

    @classmethod
    def from_file(cls, path: Path) -> Redaction:
        """Return the rules of a TOML file: ``[[rule]]`` tables with ``name`` and either ``literal`` or ``pattern``.

        Raises:
            RedactionError: it cannot be read, or a rule is wrong. A hub does not start without its redaction.
        """
        try:
            document = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise RedactionError(
                f"cannot read the redaction file {path}: {error.strerror}",
                code="redaction_unreadable",
                path=str(path),
                said=error.strerror,
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
            raise RedactionError(
                f"the redaction file {path} is no TOML", code="redaction_no_toml", path=str(path)
            ) from None
        rules = document.get("rule")
        if not isinstance(rules, list) or not rules or set(document) != {"rule"}:
            raise RedactionError(
                f"the redaction file {path} holds no [[rule]], or something else too",
                code="redaction_no_rule",
                path=str(path),
            )
        return cls([_rule(entry, number, path) for number, entry in enumerate(cast("list[object]", rules), 1)])

    def blotted(self, submissions: Iterable[Submission]) -> list[Submission]:
        """Return the submissions without what the rules name. Costs time by their length: not for an event loop."""
        return [item if item.fault is not None else self._blotted(item) for item in submissions]

    def line(self, line: str) -> str:
        """Return an event's text; its very own where nothing in it is named by a rule.

        Raises:
            RecursionError: it is nested too deeply to be looked through.
        """
        repeated: list[str] = []
        numbers = _Numbers()
        fields = json.loads(line, object_pairs_hook=lambda pairs: _members(pairs, repeated), parse_float=numbers.keep)
        clean = self._event(fields)
        if clean == fields and not repeated:
            return line
        return numbers.put_back(json.dumps(clean, separators=(",", ":")))

    def _blotted(self, submission: Submission) -> Submission:
        try:
            return replace(submission, line=self.line(submission.line))
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
            return [self._value(inner, identity) for inner in cast("list[Any]", value)]
        return value

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


class _Where(NamedTuple):
    """Which rule of which file an error is about."""

    number: int
    path: Path

    def wrong(self, sentence: str, code: str, **facts: str | int) -> RedactionError:
        """Return the error that says it of this rule."""
        said = f"rule {self.number} of the redaction file {self.path} {sentence}"
        return RedactionError(said, code=code, rule=self.number, path=str(self.path), **facts)


def _rule(entry: object, number: int, path: Path) -> Rule:
    where = _Where(number, path)
    fields = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    name, literal, pattern = (fields.get(key) for key in ("name", "literal", "pattern"))
    if not set(fields) <= KEYS or not isinstance(name, str) or not name.isprintable() or len(name) > NAME_CHARS:
        most = f"needs a name of at most {NAME_CHARS} characters, and a literal or a pattern"
        raise where.wrong(most, "redaction_name", most=NAME_CHARS)
    mark = f"[redacted: {name}]"
    if isinstance(literal, str) and literal and pattern is None:
        return Rule(name, lambda text: text.replace(literal, mark), lambda text: _places(literal, text))
    if isinstance(pattern, str) and pattern and literal is None:
        return Rule(name, *_pattern(pattern, mark, where))
    raise where.wrong("needs either a literal or a pattern, and no empty one", "redaction_either")


def _places(literal: str, text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(re.escape(literal), text)]


def _pattern(
    pattern: str, mark: str, where: _Where
) -> tuple[Callable[[str], str], Callable[[str], list[tuple[int, int]]]]:
    if find_spec("re2") is None:
        missing = f"is a pattern, and google-re2 is not installed: {INSTALL}"
        raise where.wrong(missing, "redaction_re2_missing", install=INSTALL)
    from .redaction_pattern import blot, compiled, spans  # here, since literals need no such library

    try:
        found = compiled(pattern)
    except ValueError as error:
        raise where.wrong(f"is no RE2 pattern: {error}", "redaction_pattern", said=str(error)) from None
    literal = mark.replace("\\", "\\\\")  # a backslash in a replacement would name a group
    return lambda text: blot(found, literal, text), lambda text: spans(found, text)
