"""The optional libraries of the extra ``demo``: one check, one clear error."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = ("httpx2", "h11")
"""The HTTP client of the runner, the HTTP server of the scripted provider."""
INSTALL = "pip install 'roundwatch[demo]'"


class MissingExtra(ImportError):
    """A library of the extra ``demo`` is not installed; ``str()`` names it and says what to do."""


def require(*libraries: str) -> None:
    """Return when all of ``libraries`` can be imported, without importing them.

    Raises:
        MissingExtra: at least one is not installed.
    """
    missing = [name for name in libraries if find_spec(name) is None]
    if missing:
        raise MissingExtra(f"not installed: {' and '.join(missing)}. To install what is missing: {INSTALL}")
