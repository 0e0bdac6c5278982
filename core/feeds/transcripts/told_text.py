"""Texts of a transcript on their way into events: bounded, and without keys."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from pydantic_core import SchemaValidator, core_schema, from_json, to_json

from ...wire.shapes import is_list, is_object
from ..body_secrets import NAMES
from ..capture import TITLE_CHARS
from ..key_shapes import GONE, without_keys

OUTPUT_CHARS = 16_000
"""Kept of one piece of an answer or of reasoning; longer ones are rare, and all stand in the transcript."""
STRING_CHARS = 2_000
"""Kept of one string among a tool's arguments: whole files are written through them."""
RESULT_CHARS = 200
ERROR_CHARS = 500
MOST_VALUES = 500
"""Values among a tool's arguments that are looked at; a call with more is told without its arguments."""
DEEPEST = 20

_NAMED = re.compile(
    r"(?:(?<=key=)|(?<=KEY=)|(?<=token=)|(?<=TOKEN=)|(?<=secret=)|(?<=SECRET=)|(?<=password=)|(?<=PASSWORD=))"
    r"[^\s\"'$&;]{8,}|\b(?:glpat-[\w-]{16,}|eyJ[\w-]{10,}(?:\.[\w-]*){0,2})"
)
"""What commands set or send as a key, and keys that the cut of a text may have gone through."""
_SIGNS = (
    "sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "xai-", "hf_", "r8_", "ghp_", "gho_", "ghs_", "ghu_", "ghr_",
    "github_pat_", "glpat-", "xox", "AKIA", "AIza", "eyJ", "earer ", "EARER ", "asic ", "ASIC ",
    "key=", "KEY=", "token=", "TOKEN=", "secret=", "SECRET=", "word=", "WORD=",
)  # fmt: skip
"""One of these stands in every text that holds a key."""
_may_hold_key = SchemaValidator(
    core_schema.str_schema(pattern="|".join(_SIGNS), regex_engine="rust-regex", strict=True)
).isinstance_python
"""This engine looks for all of them at once: measured on transcripts, 15 times as fast as Python's patterns."""
KEY_CHARS = 200
"""How far behind its cut a text is searched: a key that the cut goes through is still known as one."""


def keyless(text: str) -> str:
    """Return ``text`` with a mark in place of every key in it."""
    return without_keys(_NAMED.sub(GONE, text)) if _may_hold_key(text) else text


def bounded(text: str, most: int) -> str:
    """Return the beginning of ``text``, without keys."""
    return keyless(text[: most + KEY_CHARS])[:most]


def title_of(text: str) -> str | None:
    """Return the first line of a prompt that says anything, as a round's title."""
    line = next((line for line in text[:OUTPUT_CHARS].splitlines() if line.strip()), "")
    return " ".join(bounded(line, 4 * TITLE_CHARS).split())[:TITLE_CHARS] or None


def arguments_text(arguments: object) -> str | None:
    """Return a tool's arguments as JSON text: long strings cut, what is secret by its name or looks taken out.

    Text that holds no JSON stays the text it is. None where there are too many to look at.
    """
    if isinstance(arguments, str):
        try:
            value = from_json(arguments)
        except ValueError:
            return bounded(arguments, STRING_CHARS)
        if isinstance(value, str):
            return bounded(arguments, STRING_CHARS)
    else:
        value = arguments
    room = [MOST_VALUES]
    told = _told(value, False, room, DEEPEST)
    return to_json(told).decode() if room[0] > 0 else None


@lru_cache(maxsize=1024)
def _is_secret(name: str) -> bool:
    """Say whether values of that name are credentials; the names of arguments come again and again."""
    return NAMES.search(name) is not None


def _told(value: Any, is_secret: bool, room: list[int], deepest: int) -> Any:
    room[0] -= 1
    if room[0] <= 0 or deepest <= 0:
        return GONE
    if isinstance(value, str):
        if is_secret and value:
            return GONE
        return keyless(value) if len(value) <= STRING_CHARS else bounded(value, STRING_CHARS) + GONE
    if is_object(value):
        return {
            name[:RESULT_CHARS]: _told(one, is_secret or _is_secret(name), room, deepest - 1)
            for name, one in value.items()
        }
    if is_list(value):
        return [_told(one, is_secret, room, deepest - 1) for one in value]
    return value
