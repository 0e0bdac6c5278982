"""An operator's own wording: a TOML file whose ``[en]`` and ``[de]`` tables replace single texts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from .clean import clean
from .tables import Entry, Table, TextTableError, built_in, entry, flat, placeholders
from .viewer_locale import LANGUAGES

MOST_BYTES = 1_000_000  # the built-in tables are under 100 kB; a larger file is some other file


@dataclass(frozen=True, slots=True)
class OverrideProblem:
    """One thing that is wrong with an override file; ``code`` names a text of the group ``override``."""

    code: str
    file: str
    key: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Override:
    """What of an override file can be used, and what cannot and why."""

    tables: Mapping[str, Table]
    """Replaced texts by language."""
    problems: tuple[OverrideProblem, ...] = ()


def read_override(file: Path) -> Override:
    """Return the usable texts of ``file`` and everything that is wrong with it; never raises for content."""
    try:
        if file.stat().st_size > MOST_BYTES:
            return _unusable(file, f"> {MOST_BYTES} bytes")
        tree = tomllib.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        return _unusable(file, getattr(error, "strerror", None) or str(error))
    tables: dict[str, Table] = {}
    problems: list[OverrideProblem] = []
    for language, texts in tree.items():
        if language not in LANGUAGES or not isinstance(texts, dict):
            problems.append(OverrideProblem("unknown_language", str(file), language, ", ".join(LANGUAGES)))
            continue
        tables[language] = _checked(str(file), language, cast("dict[str, object]", texts), problems)
    return Override(tables, tuple(problems))


def _unusable(file: Path, why: str) -> Override:
    return Override({}, (OverrideProblem("unreadable", str(file), detail=clean(why, limit=300)),))


def _checked(file: str, language: str, texts: Mapping[str, object], problems: list[OverrideProblem]) -> Table:
    """Return the entries that can replace built-in ones; note each of the others in ``problems``."""
    known = built_in(language)
    good: dict[str, Entry] = {}
    for key, value in flat(texts):
        named = f"{language}.{key}"
        if key not in known:
            problems.append(OverrideProblem("unknown_key", file, named))
            continue
        try:
            new = entry(key, value)
        except TextTableError as error:
            problems.append(OverrideProblem(error.problem, file, named))
            continue
        problem = _misfit(file, named, new, known[key])
        if problem is None:
            good[key] = new
        else:
            problems.append(problem)
    return good


def _misfit(file: str, key: str, new: Entry, old: Entry) -> OverrideProblem | None:
    """Return why ``new`` cannot stand for ``old``: a placeholder nobody fills, or a control character."""
    filled = frozenset[str]().union(*map(placeholders, old.values()))
    for text in new.values():
        if unknown := sorted(placeholders(text) - filled):
            return OverrideProblem("unknown_placeholder", file, key, "{" + unknown[0] + "}")
        if clean(text, multi_line=True) != text:
            return OverrideProblem("control_character", file, key, clean(text, limit=60))
    return None
