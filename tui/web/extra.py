"""The optional libraries of the extra ``web``: one check, one clear error."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = ("aiohttp", "textual_serve")
INSTALL = "pip install 'roundwatch[web]'"


def missing() -> str | None:
    """Return what is not installed and how to install it; None when everything is there. Imports nothing."""
    absent = [name for name in LIBRARIES if find_spec(name) is None]
    return f"not installed: {' and '.join(absent)}. To install what is missing: {INSTALL}" if absent else None
