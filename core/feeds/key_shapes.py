"""Credentials known by their shape alone, taken out of texts that other programs said or recorded."""

from __future__ import annotations

import re

from pydantic_core import SchemaValidator, core_schema

GONE = "[…]"
HELD_CHARS = 2048
"""A longer run of key characters at the end of a text is not taken for the beginning of a key."""

_SHAPES = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|hf|r8)[-_][A-Za-z0-9_-]{16,}"  # model providers
    r"|\bAIza[0-9A-Za-z_-]{30,}"
    r"|\bAKIA[0-9A-Z]{16}\b"
    r"|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}"
    r"|\bxox[abeprs]-[A-Za-z0-9-]{10,}"
    r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}"  # JSON web tokens
    r"|(?i:\b(?:bearer|basic)\s+)[A-Za-z0-9+/_.~=-]{16,}"
)
"""No alternative can match in two ways, so no text makes this slow."""
_may_match = SchemaValidator(
    core_schema.str_schema(pattern=_SHAPES.pattern, regex_engine="rust-regex", strict=True)
).isinstance_python
"""This engine needs a fortieth of the time for a text without keys, and nearly every text is one."""

_RUN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_.~=-"
"""Characters that keys are made of."""
_WORDS = ("bearer", "basic")
_WORD_CHARS = max(map(len, _WORDS))
_SCHEME = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS)})\Z")


def _beginnings(*words: str) -> str:
    """Return a pattern for every beginning of some words, the words themselves left out."""
    return "|".join(sorted({word[:n] for word in words for n in range(1, len(word))}, key=len, reverse=True))


_BEGUN = re.compile(
    r"\b(?:(?:sk|pk|rk|xai|gsk|hf|r8)(?:[-_][A-Za-z0-9_-]*)?|AIza[0-9A-Za-z_-]*|AKIA[0-9A-Z]*"
    r"|gh[pousr](?:_[A-Za-z0-9]*)?|github_pat_[A-Za-z0-9_]*|xox[abeprs](?:-[A-Za-z0-9-]*)?"
    r"|eyJ[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*){0,2}"
    rf"|{_beginnings('sk', 'pk', 'rk', 'xai', 'gsk', 'hf', 'r8', 'AIza', 'AKIA', 'ghp', 'github_pat_', 'xoxa', 'eyJ')}"
    rf"|(?i:{_beginnings(*_WORDS)}|bearer|basic))\Z"
)
"""A key, or the beginning of one, that more may follow."""


def without_keys(text: str) -> str:
    """Return ``text`` with everything that looks like a key, token or authorisation blotted out."""
    return _SHAPES.sub(GONE, text) if _may_hold_key(text) else text


def begun_key(text: str) -> int:
    """Return where a key begins that the end of ``text`` may have gone through; its length where none does."""
    bare = text.rstrip(_RUN)
    before = bare.rstrip()
    if len(text) - len(bare) > HELD_CHARS:
        return len(text)
    found = None
    if bare != before and len(text) - len(before) <= HELD_CHARS:
        found = _scheme_at_end(before)
    if found is not None:
        bare = before.rstrip(_RUN)
    else:
        found = _BEGUN.search(text, len(bare))
    if found is None:
        return len(text)
    begin = found.start()
    earlier = _scheme_at_end(bare.rstrip())
    since = len(bare) if earlier is None else earlier.start()
    return min([begin, *(whole.start() for whole in _SHAPES.finditer(text, since) if whole.end() > begin)])


def _scheme_at_end(text: str) -> re.Match[str] | None:
    return _SCHEME.search(text, max(0, len(text) - _WORD_CHARS))


def _may_hold_key(text: str) -> bool:
    if _may_match(text):
        return True
    try:  # the engine refuses what is no Unicode: halves of characters, which some providers send
        return not (text.isascii() or text.encode())
    except UnicodeEncodeError:
        return True
