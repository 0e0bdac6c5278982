"""The text tables: one TOML file a language, flattened to dotted keys and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pkgutil import get_data
from typing import cast

PLURAL_FORMS = frozenset(("zero", "one", "two", "few", "many", "other"))
"""The CLDR's plural categories; a table of these, ``other`` among them, is one text."""
Entry = Mapping[str, str]
"""One text by plural form; a text without forms has only ``other``."""
Table = Mapping[str, Entry]
"""Texts by dotted key."""

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class TextTableError(ValueError):
    """A text table is not usable at ``key``; ``problem`` is a key of the ``override`` texts."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem


@cache
def placeholders(template: str) -> frozenset[str]:
    """Return the names that stand in braces in ``template``."""
    return frozenset(_PLACEHOLDER.findall(template))


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return ``template`` with its placeholders replaced; values are not looked into again."""
    return _PLACEHOLDER.sub(lambda found: values[found.group(1)], template)


@cache
def built_in(language: str) -> Table:
    """Return the table of one of our languages, read once from the package's data; a test holds it well formed."""
    source = get_data("roundwatch.locales", f"{language}.toml")
    if source is None:
        raise FileNotFoundError(f"the texts of {language!r} were not installed with the program")
    return {
        key: {"other": value} if isinstance(value, str) else cast("Entry", value)
        for key, value in flat(tomllib.loads(source.decode("utf-8")))
    }


class BuiltIn(Mapping[str, Entry]):
    """The table of one of our languages, read when it is first looked into: a fallback hardly ever is."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __getitem__(self, key: str) -> Entry:
        """Return the text at ``key``."""
        return built_in(self.language)[key]

    def __iter__(self) -> Iterator[str]:
        """Yield every key."""
        return iter(built_in(self.language))

    def __len__(self) -> int:
        """Return how many texts there are."""
        return len(built_in(self.language))


def flat(tree: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    """Yield every text of a parsed file with its dotted key; plural tables count as one text."""
    for name, value in tree.items():
        key = f"{above}.{name}" if above else name
        below = _as_table(value)
        if below is None or PLURAL_FORMS.issuperset(below):
            yield key, value
        else:
            yield from flat(below, key)


def _as_table(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def entry(key: str, value: object) -> Entry:
    """Return the text that stands at ``key`` by plural form.

    Raises:
        TextTableError: it is neither text nor a table of plural forms with ``other``, or a brace is loose.
    """
    given = {"other": value} if isinstance(value, str) else _as_table(value) or {}
    forms = {form: text for form, text in given.items() if isinstance(text, str)}
    if len(forms) != len(given) or "other" not in forms:
        raise TextTableError(key, "not_text")
    for text in forms.values():
        if set("{}") & set(_PLACEHOLDER.sub("", text)):
            raise TextTableError(key, "loose_brace")
    return forms
