"""JSON as it stands on the wire: read without ever raising, whole or cut, and written compactly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

_DECODER = json.JSONDecoder(strict=False)
_SCAN: Callable[[str, int], tuple[Any, int]] = cast("Any", _DECODER).scan_once  # without its wrapper: half the cost
_SPACE = re.compile(r"[ \t\r\n]*")
_OPEN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$")
_HALF_ESCAPE = re.compile(r"\\?u?[0-9a-fA-F]{0,3}")
_MAX_DEPTH = 40
"""Levels that a cut text is followed down; provider bodies have fewer than ten."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a text is no JSON."""

    why: str
    at: int
    """Characters from its start."""
    ended: bool = False
    """It is JSON as far as it goes, and stops in the middle."""


def load(text: str) -> Any | Unread:
    """Return the value that ``text`` holds, or why it holds none."""
    try:
        value, end = _SCAN(text, 0)
        if end == len(text):
            return value
    except (StopIteration, ValueError, RecursionError):
        pass  # looked at again, to say why; blanks in front end here too
    found = load_next(text, 0)
    if isinstance(found, Unread):
        return found
    value, end = found
    rest = _skip(text, end)
    return value if rest == len(text) else Unread("more after the JSON value", rest)


def load_next(text: str, start: int) -> tuple[Any, int] | Unread:
    """Return the value that begins at ``start``, blanks skipped, and where it ends."""
    at = _skip(text, start)
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        return Unread(f"not JSON: {error.msg}", error.pos, _stops(error.msg, text[error.pos : error.pos + 8].strip()))
    except RecursionError:
        return Unread("nested too deeply", at)
    except ValueError:  # a number of more digits than Python converts
        return Unread("a number is too long", at)


def _stops(message: str, tail: str) -> bool:
    """Say whether a fault is only that the text is over, not that something wrong stands there."""
    if message.startswith("Unterminated") or not tail:
        return True
    is_half_word = any(word.startswith(tail) for word in ("true", "false", "null", "-"))
    return is_half_word or ("escape" in message and _HALF_ESCAPE.fullmatch(tail) is not None)


def salvage(text: str, start: int) -> Any | None:
    """Return what a cut or broken value held before its fault; None when nothing can be told.

    Strings keep what arrived. A number or word that touches the end may have lost its rest: left out, and so is a
    string that is one word of a fixed set, as ``stop`` may have been ``stop_sequence``.
    """
    found = _salvage(text, _skip(text, start), 0)
    return None if found is _NOTHING else found


_NOTHING = object()
_WORDS = re.compile(r"(?:reason|status|type)$", re.IGNORECASE)
"""Names of members whose value is a word of a fixed set."""


def _salvage(text: str, at: int, depth: int) -> Any:
    if depth > _MAX_DEPTH or at >= len(text):
        return _NOTHING
    match text[at]:
        case "{":
            return dict(_members(text, at + 1, depth))
        case "[":
            return list(_elements(text, at + 1, depth))
        case '"':
            return _open_string(text[at + 1 :])
        case _:
            return _NOTHING


def _value(text: str, at: int, depth: int) -> tuple[Any, int | None]:
    """Return the value at ``at`` and where it ends; None for the end when it is not whole."""
    found = load_next(text, at)
    if isinstance(found, Unread):
        return _salvage(text, at, depth), None
    value, end = found
    self_delimiting = text[end - 1] in '"}]'
    return (value, end) if self_delimiting or end < len(text) else (_NOTHING, None)


def _members(text: str, at: int, depth: int) -> Iterator[tuple[str, Any]]:
    while True:
        key = load_next(text, at)
        if isinstance(key, Unread) or not isinstance(key[0], str):
            return
        colon = _skip(text, key[1])
        if text[colon : colon + 1] != ":":
            return
        value, end = _value(text, _skip(text, colon + 1), depth + 1)
        is_half_word = end is None and isinstance(value, str) and _WORDS.search(key[0])
        if value is not _NOTHING and not is_half_word:
            yield key[0], value
        if end is None or text[(comma := _skip(text, end)) : comma + 1] != ",":
            return
        at = comma + 1


def _elements(text: str, at: int, depth: int) -> Iterator[Any]:
    while True:
        value, end = _value(text, _skip(text, at), depth + 1)
        if value is not _NOTHING:
            yield value
        if end is None or text[(comma := _skip(text, end)) : comma + 1] != ",":
            return
        at = comma + 1


def _open_string(raw: str) -> Any:
    half = _OPEN_ESCAPE.search(raw)
    found = load('"' + (raw[: half.start(1)] if half else raw) + '"')
    if not isinstance(found, str):
        return _NOTHING
    return found[:-1] if "\ud800" <= found[-1:] <= "\udbff" else found  # half of a character beyond 16 bits is none


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def is_blank(text: str, at: int) -> bool:
    """Say whether nothing but blanks stands from ``at`` on."""
    return _skip(text, at) == len(text)


def compact(value: object) -> str:
    """Return ``value``, which came out of ``load``, as JSON without blanks."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return ""


def well_formed(text: str) -> str:
    """Return ``text`` with lone surrogates replaced: JSON can spell them, UTF-8 cannot carry them."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
