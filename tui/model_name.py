"""A model's name in the few cells of a column: what tells it from its siblings is kept longest."""

from __future__ import annotations

import re

from rich.cells import cell_len

from ..core.texts import clean
from .safe_text import CHARS_PER_CELL, cut

_DATE = re.compile(r"[-@:]?(?:20\d{6}|20\d\d-\d\d-\d\d)(?:-v\d+(?::\d+)?)?$")
"""The day of a release stands last in many names, and says less than the family before it."""
_BETWEEN = re.compile(r"[/.:@_-]+")
ELLIPSIS = "…"


def short_model(name: str, cells: int) -> str:
    """Return ``name``, cleaned, in at most ``cells`` cells: first its date goes, then its first parts, then its end.

    What is left out is shown as ``…``; the whole name stands in the inspector.
    """
    name = clean(name, limit=max(64, cells * CHARS_PER_CELL))
    if cell_len(name) <= cells:
        return name
    dateless = _DATE.sub("", name)
    if dateless and dateless != name:
        if cell_len(dateless) < cells:
            return dateless + ELLIPSIS
        return _tail(dateless, cells - 1, ELLIPSIS)
    return _tail(name, cells, "")


def _tail(name: str, cells: int, end: str) -> str:
    """Return the longest run of whole parts at the end of ``name`` that fits, else as much of its end as does.

    A name of one part keeps its beginning.
    """
    for between in _BETWEEN.finditer(name):
        rest = name[between.end() :]
        if cell_len(rest) < cells and len(rest) > 3:
            return ELLIPSIS + rest + end
    if _BETWEEN.search(name) is None or cells < 4:
        return cut(name, cells + len(end))
    while cell_len(name) >= cells:
        name = name[1:]
    return ELLIPSIS + name + end
