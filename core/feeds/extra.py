"""The optional library of the extra ``proxy``: one check, one clear error."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = ("httptools",)
"""Parses HTTP heads and frames of the traffic."""
INSTALL = "pip install 'roundwatch[proxy]'"


class MissingExtra(ImportError):
    """A library of the extra ``proxy`` is not installed; ``str()`` names it and says what to do."""


def require(*libraries: str) -> None:
    """Return when all of ``libraries`` can be imported, without importing them.

    Raises:
        MissingExtra: at least one is not installed.
    """
    missing = [name for name in libraries if not _is_there(name)]
    if missing:
        raise MissingExtra(f"not installed: {' and '.join(missing)}. To install what is missing: {INSTALL}")


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # somebody hid it: None in sys.modules
        return False
