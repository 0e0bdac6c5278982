"""The rules of a redaction file: literals and RE2 patterns, each with the name that stands in its place."""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, cast

from .errors import HubError
from .redaction_escapes import Unescaped

INSTALL = "pip install 'roundwatch[redaction]'"
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


def rules_in(path: Path) -> list[Rule]:
    """Return the rules of a TOML file.

    Raises:
        RedactionError: it cannot be read, or a rule is wrong.
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
    return [_rule(entry, number, path) for number, entry in enumerate(cast("list[object]", rules), 1)]


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
