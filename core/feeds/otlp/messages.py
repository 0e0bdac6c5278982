"""What a model wrote, where an instrumentation was told to capture it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from ...wire.shapes import is_list, is_object
from ..key_shapes import without_keys
from .names import INDEXED_INPUT, INDEXED_OUTPUT, Fact
from .span import Attributes, value

TEXT_CHARS = 64_000
"""Of one call; what is beyond is counted and left out."""
WORD_CHARS = 500
MOST_CHOICES = 128
_CHOICE = re.compile(
    r"(?:gen_ai\.completion|llm\.output_messages)\.(\d{1,4})\.(?:message\.)?"
    r"(content|finish_reason|reasoning)(?:s\.\d{1,4}\.message_content\.text)?"
)


class Said(NamedTuple):
    """A piece of output."""

    choice: int
    is_reasoning: bool
    text: str


def has_content(attributes: Attributes) -> bool:
    """Return whether texts are captured at all; where they are not, that none is there says nothing."""
    output = value(attributes, Fact.OUTPUT_MESSAGES)
    if isinstance(output, str) and not is_list(_json(output)):
        return False  # it was captured, and cannot be read
    facts = (Fact.INPUT_MESSAGES, Fact.OUTPUT_MESSAGES, Fact.OUTPUT_TEXT)
    return any(value(attributes, fact) is not None for fact in facts) or any(
        name.startswith(INDEXED_OUTPUT + INDEXED_INPUT) and name.endswith(("content", ".text")) for name in attributes
    )


def said(attributes: Attributes) -> list[Said]:
    """Return what was written, in its order, without what looks like a key."""
    found = list(_messages(value(attributes, Fact.OUTPUT_MESSAGES))) or _numbered(attributes)
    if not found and (plain := _plain(value(attributes, Fact.OUTPUT_TEXT))):
        found = [Said(0, False, plain)]
    return [Said(choice, is_reasoning, without_keys(text)) for choice, is_reasoning, text in _joined(found) if text]


def _joined(pieces: list[Said]) -> Iterator[Said]:
    """Yield pieces that follow each other and are of one kind as one."""
    for (choice, is_reasoning), group in groupby(pieces, key=itemgetter(0, 1)):
        yield Said(choice, is_reasoning, "".join(piece.text for piece in group))


def finish_reasons(attributes: Attributes) -> list[str | None]:
    """Return each choice's word, verbatim; empty where none is told."""
    return [None if word is None else word[:WORD_CHARS] for word in _reasons(attributes)[:MOST_CHOICES]]


def _reasons(attributes: Attributes) -> list[str | None]:
    given = value(attributes, Fact.FINISH_REASONS)
    if isinstance(given, str):
        given = _words_of_text(given)
    if is_list(given):
        return [word if isinstance(word, str) else None for word in given]
    found = dict(_numbered_words(attributes))
    if found:
        return [found.get(choice) for choice in range(min(max(found) + 1, MOST_CHOICES))]
    messages = _decoded(value(attributes, Fact.OUTPUT_MESSAGES))
    words = [message.get("finish_reason") if is_object(message) else None for message in messages]
    return [word if isinstance(word, str) else None for word in words] if any(words) else []


def _words_of_text(given: str) -> list[Any]:
    """Some exporters write a list as text: JSON's, or as their language prints it."""
    if not given.startswith("["):
        return [given]
    try:
        read = json.loads(given)
    except (ValueError, RecursionError):
        return [word.strip(" '\"") for word in given.strip("[]").split(",")]
    return read if is_list(read) else [given]


def _numbered_words(attributes: Attributes) -> Iterator[tuple[int, str]]:
    for name, found in attributes.items():
        match = _CHOICE.fullmatch(name) if name.startswith(INDEXED_OUTPUT) else None
        if match is not None and match[2] == "finish_reason" and isinstance(found, str):
            yield int(match[1]), found


def _numbered(attributes: Attributes) -> list[Said]:
    found: list[Said] = []
    for name, text in attributes.items():
        match = _CHOICE.fullmatch(name) if name.startswith(INDEXED_OUTPUT) else None
        if match is not None and match[2] != "finish_reason" and isinstance(text, str):
            found.append(Said(int(match[1]), match[2] == "reasoning", text))
    return sorted(found, key=lambda piece: (piece.choice, not piece.is_reasoning))


def _messages(given: Any) -> Iterator[Said]:
    for choice, message in enumerate(_decoded(given)):
        parts = message.get("parts", message.get("content")) if is_object(message) else None
        if isinstance(parts, str):
            yield Said(choice, False, parts)
        for part in parts if is_list(parts) else []:
            text = part.get("content", part.get("text")) if is_object(part) else None
            if isinstance(text, str) and part.get("type", "text") in ("text", "reasoning"):
                yield Said(choice, part.get("type") == "reasoning", text)


def _decoded(given: Any) -> list[Any]:
    """Return messages, which come as a value of their own or as JSON text."""
    if isinstance(given, str):
        given = _json(given)
    return given if is_list(given) else []


def _json(given: str) -> Any:
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return None


def _plain(given: Any) -> str | None:
    """Return a text that is one, and no object that some framework printed as JSON."""
    return given if isinstance(given, str) and not given.lstrip().startswith(("{", "[")) else None
