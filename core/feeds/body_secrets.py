"""The credentials that a request's body holds: those of tool servers, and keys that gateways take there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..wire.shapes import is_list, is_object

NAMES = re.compile(
    r"auth(?!or(?!iz))|cookie|secret|passw|credential|bearer|(?<!cache)(?:^|[-_])(?:key|token|sig|signature)$"
    r"|(?:api|access|private)[-_]?key|(?:access|auth|api|id|refresh|security|session)[-_]?token",
    re.IGNORECASE,
)
"""Names of fields, headers and parameters whose values are credentials."""
SPOKEN = frozenset(
    ("messages", "input", "contents", "system", "systemInstruction", "instructions", "prompt", "documents")
)
"""Fields of a request that hold a conversation; what somebody wrote there is no credential of the request."""
SCHEMAS = frozenset(
    ("parameters", "parametersJsonSchema", "input_schema", "inputSchema", "schema", "json_schema", "responseSchema")
)
"""Fields that describe values and hold none."""
MOST = 20_000
"""Values of one body that are looked at."""


def body_secrets(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the credentials in a request's body, outside of what is said in it."""
    open_: list[tuple[bool, Any]] = [(_names(name), value) for name, value in body.items() if name not in SPOKEN]
    found: list[str] = []
    for _ in range(MOST):
        if not open_:
            break
        is_secret, value = open_.pop()
        if isinstance(value, str):
            found += _values(value) if is_secret else ()
        elif is_object(value):
            open_ += [(is_secret or _names(name), one) for name, one in value.items() if name not in SCHEMAS]
        elif is_list(value):
            open_ += [(is_secret, one) for one in value]
    return tuple(found)


def _names(name: object) -> bool:
    return isinstance(name, str) and NAMES.search(name) is not None


def _values(text: str) -> Iterator[str]:
    """Yield a credential with and without the word for its kind in front (``Bearer …``)."""
    yield text.strip()
    yield text.strip().rpartition(" ")[2]
