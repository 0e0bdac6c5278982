from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
import roundwatch.core
from roundwatch.core.texts.tables import built_in

KEYS = frozenset(built_in("en"))
LOOKUPS = frozenset(("t", "texts", "_texts"))
"""What a lookup is called, as a name or as an attribute."""
GROUPS = frozenset(key.partition(".")[0] for key in KEYS)
LIKE_A_KEY = re.compile(rf"(?:{'|'.join(sorted(GROUPS))})\.[a-z][a-z0-9_.]*\Z")
FRONT_END = frozenset(("cli", "command", "event", "help", "key", "link", "setting", "tui", "ui"))
"""The groups that the screen and the command line take their words from."""


def sources() -> list[Path]:
    """Return the product's own modules."""
    core = Path(roundwatch.core.__path__[0])
    return sorted(file for part in (core, core.parent / "tui") for file in part.rglob("*.py"))


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    """Yield every node of every source, the fixed parts of f-strings left out."""
    for file in sources():
        tree = ast.parse(file.read_text("utf-8"))
        within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        yield from (
            (file, node) for node in ast.walk(tree) if id(node) not in within or not isinstance(node, ast.Constant)
        )


def pattern(node: ast.JoinedStr) -> re.Pattern[str]:
    """Return what an f-string can become; neighbouring placeholders count as one."""
    parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else "(.*?)" for part in node.values]
    return re.compile(re.sub(r"(?:\(\.\*\?\)){2,}", "(.*?)", "".join(parts)) + r"\Z")


FOREIGN = frozenset(("event.name", "event.sequence", "event.timestamp"))
"""Names of OpenTelemetry attributes, which begin like keys of ours."""


def looked_up(node: ast.AST) -> ast.expr | None:
    """Return the key of a lookup: what a lookup is called with, or any text that begins like a key."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and LIKE_A_KEY.match(node.value):
        return None if node.value in FOREIGN else node
    if not isinstance(node, ast.Call) or not node.args:
        return None
    called = node.func
    name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
    return node.args[0] if name in LOOKUPS else None


def made_of(part: str, words: set[str], patterns: Collection[re.Pattern[str]] = ()) -> bool:
    """Say whether what an f-string was filled with can come from the sources.

    It is a word of theirs, or two words in a row, joined by an underscore or not, or another f-string.
    """
    if part in words:
        return True
    halves = ((part[:cut], part[cut:].removeprefix("_")) for cut in range(1, len(part)))
    if any(left in words and right in words for left, right in halves):
        return True
    matches = (found for each in patterns if (found := each.match(part)) is not None)
    return any(all(made_of(piece, words) for piece in found.groups()) for found in matches)


def unused() -> set[str]:
    """Return the keys that no source names, neither whole nor by an f-string and a word to put into it."""
    words, patterns = {""}, set[re.Pattern[str]]()
    for _, node in nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words |= {node.value, node.value.lower()}  # a key may be made of a name in lower case
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            patterns.add(pattern(node))
    left = set(KEYS - words)
    for each in patterns:
        for key in list(left):
            found = each.match(key)
            if found is not None and all(made_of(part, words, patterns) for part in found.groups()):
                left.discard(key)
    return left


def missing() -> list[str]:
    """Return the lookups whose key no table has."""
    found: list[str] = []
    for file, node in nodes():
        key = looked_up(node)
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value not in KEYS:
            found.append(f"{file.name}:{key.lineno}: {key.value}")
        elif isinstance(key, ast.JoinedStr) and not any(pattern(key).match(known) for known in KEYS):
            found.append(f"{file.name}:{key.lineno}: {ast.unparse(key)}")
    return found


def test_every_text_that_is_asked_for_exists() -> None:
    assert missing() == []


def test_every_text_of_the_core_is_used() -> None:
    assert sorted(key for key in unused() if key.partition(".")[0] not in FRONT_END) == []


def test_every_text_of_the_front_end_is_used() -> None:
    assert sorted(key for key in unused() if key.partition(".")[0] in FRONT_END) == []


@pytest.mark.parametrize(
    ("source", "key", "matches"),
    [
        ('f"mark.{prefix}{state}"', "mark.tool_ok", True),
        ('f"ui.count_{what}"', "ui.count_answers", True),
        ('f"ui.count_{what}"', "ui.calls", False),
    ],
)
def test_an_f_string_stands_for_the_keys_it_can_become(source: str, key: str, matches: bool) -> None:
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.JoinedStr)
    assert (pattern(node).match(key) is not None) is matches


def test_a_part_of_a_key_has_to_come_from_somewhere() -> None:
    assert made_of("tool_ok", {"tool_", "ok"})
    assert made_of("tool_ok", {"tool", "ok"})
    assert made_of("about.show", {"show"}, [re.compile(r"about\.(.*?)\Z")])
    assert not made_of("tool_ok", {"tool_", "failed"})
