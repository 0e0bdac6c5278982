"""The optional library of the second store: one check, one clear error."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARY = "redis"
INSTALL = "pip install 'roundwatch[redis]'"


def missing_redis() -> str | None:
    """Return what is not installed and how to install it; None when it is there. Imports nothing."""
    return None if find_spec(LIBRARY) is not None else f"not installed: {LIBRARY}. To install it: {INSTALL}"
