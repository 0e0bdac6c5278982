"""Spans and log records as both encodings of OTLP give them, and reading facts off their attributes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any

from .names import NAMES, Fact

Attributes = Mapping[str, Any]
"""Values are text, numbers, booleans, lists and objects; bytes are left out."""
LATEST_NS = 253_402_300_799 * 1_000_000_000  # the last second of the year 9999
MOST_TOKENS = 2**53  # a larger count is no count


class Status(IntEnum):
    """OTLP's own numbers."""

    UNSET = 0
    OK = 1
    ERROR = 2


@dataclass(frozen=True, slots=True)
class Span:
    """One finished span."""

    trace: str
    """32 hex digits."""
    id: str
    """16 hex digits."""
    parent: str | None
    name: str
    start_ns: int
    """Since 1970; 0: not told."""
    end_ns: int
    attributes: Attributes = field(default_factory=dict[str, Any])
    status: int = Status.UNSET
    message: str = ""
    """Of the status."""
    service: str | None = None
    is_entry: bool = False
    """Its parent belongs to another process."""

    @property
    def duration_ms(self) -> float | None:
        """How long it took; None where a time is missing or they contradict each other."""
        if not self.start_ns or self.end_ns < self.start_ns:
            return None
        return (self.end_ns - self.start_ns) / 1e6


@dataclass(frozen=True, slots=True)
class Log:
    """One log record that is an event."""

    event: str
    time_ns: int
    attributes: Attributes
    trace: str | None = None
    span: str | None = None
    service: str | None = None


def moment(ns: int) -> datetime | None:
    """Return nanoseconds since 1970 as a moment; None for 0 and what no calendar holds."""
    if not 0 < ns <= LATEST_NS:
        return None
    return datetime.fromtimestamp(ns // 1_000_000 / 1000, UTC)


def value(attributes: Attributes, fact: Fact) -> Any:
    """Return the first value that is there under one of a fact's names; None where none is."""
    for name in NAMES[fact]:
        found = attributes.get(name)
        if found is not None and found != "":
            return found
    return None


def text(attributes: Attributes, fact: Fact, limit: int = 200) -> str | None:
    """Return a fact that is a name: printable, on one line, at most ``limit`` characters."""
    found = value(attributes, fact)
    if isinstance(found, bool) or not isinstance(found, str | int):
        return None
    return as_name(str(found), limit)


def as_name(given: str, limit: int = 200) -> str | None:
    """Return a text as a name; None when nothing printable is left."""
    if len(given) <= limit and given.isprintable():  # nearly always
        return given.strip() or None
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in given[:limit])
    return shown.strip() or None


def number(attributes: Attributes, fact: Fact) -> float | None:
    """Return a fact that is a number, also one written as text; None where it is none, negative or not finite."""
    found = value(attributes, fact)
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return None
    try:
        read = float(found)
    except (ValueError, OverflowError):
        return None
    return read if math.isfinite(read) and read >= 0 else None


def count(attributes: Attributes, fact: Fact) -> int | None:
    """Return a fact that is a whole number from 0 on."""
    read = number(attributes, fact)
    return int(read) if read is not None and read < MOST_TOKENS and read == int(read) else None


def flag(attributes: Attributes, fact: Fact) -> bool | None:
    """Return a fact that is true or false, also one written as text."""
    found = value(attributes, fact)
    if isinstance(found, bool):
        return found
    return {"true": True, "false": False}.get(found.lower()) if isinstance(found, str) else None
