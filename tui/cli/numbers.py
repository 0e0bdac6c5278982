"""Numbers on the command line: what they may be, said where they are not."""

from __future__ import annotations

import argparse
import math


def count(text: str) -> int:
    """Return a whole number above 0."""
    return _whole(text, 1, None)


def port(text: str) -> int:
    """Return a port; 0 lets the system choose a free one."""
    return _whole(text, 0, 65535)


def speed(text: str) -> float:
    """Return how many times as fast as it happened; above 0."""
    return _positive(text)


def quantity(text: str) -> float:
    """Return how much of something; above 0."""
    return _positive(text)


def seconds(text: str) -> float:
    """Return a time; above 0."""
    return _positive(text)


def _whole(text: str, least: int, most: int | None) -> int:
    allowed = f"{least}…" if most is None else f"{least}…{most}"
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise argparse.ArgumentTypeError(f"{text[:20]!r}: {allowed}")
    value = int(text)
    if value < least or (most is not None and value > most):
        raise argparse.ArgumentTypeError(f"{text[:20]!r}: {allowed}")
    return value


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text[:20]!r}: > 0")
    return value
