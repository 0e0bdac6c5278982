"""Arguments of a tool call, read from the fragments that streamed; a failure never quotes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn, cast


@dataclass(frozen=True, slots=True)
class ParsedArguments:
    """The arguments of one tool call, or what is wrong with them, told without their text."""

    args: dict[str, object] = field(repr=False)
    """Empty when they did not parse, and when none arrived."""
    ok: bool
    length: int
    """Characters received; 0 = none: whole after a normal end, *not received* on a cut one."""
    error: str | None = None
    """The kind of failure: the parser's exception type, or what arrived in an object's place."""
    offset: int | None = None
    """Where the parser gave up, in characters; None = it did not say."""

    @property
    def log_line(self) -> str | None:
        """What may be logged; None when nothing is wrong. Type, offset and length, never the text."""
        if self.ok:
            return None
        return f"tool arguments are no JSON object: {self.error}{self._where}, {self.length} characters received"

    @property
    def model_text(self) -> str | None:
        """What the model is told when the call is answered with an error instead of run; None when it may run."""
        if self.ok:
            return None
        return (
            f"The arguments of this call are not a valid JSON object ({self.length} characters{self._where}); "
            "it was not run. Send the call again with complete arguments."
        )

    @property
    def _where(self) -> str:
        return "" if self.offset is None else f", offset {self.offset}"


def parse_args(fragments: Iterable[str]) -> ParsedArguments:
    """Return the arguments that ``fragments`` join to; bad ones give an empty map and ``ok`` False.

    Nothing but white space is a call without arguments. NaN and infinities are no JSON. A parser's message, and the
    exception's own copy of the document, can quote a secret: neither leaves this function.
    """
    text = "".join(fragments)
    if not text.strip():
        return ParsedArguments({}, ok=True, length=len(text))
    try:
        value: object = json.loads(text, parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        return _failed(text, type(error).__name__, error.pos)
    except (ValueError, RecursionError) as error:
        return _failed(text, type(error).__name__)
    if not isinstance(value, dict):
        return _failed(text, f"{type(value).__name__} in an object's place")
    return ParsedArguments(cast("dict[str, object]", value), ok=True, length=len(text))


def _failed(text: str, error: str, offset: int | None = None) -> ParsedArguments:
    return ParsedArguments({}, ok=False, length=len(text), error=error, offset=offset)


def _reject_constant(_: str) -> NoReturn:
    raise ValueError
