"""What there is to follow, without following it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from .follow_identity import HEAD_BYTES
from .follow_places import Place
from .follow_scan import Found, Scan
from .sources import sniff, source_of


@dataclass(frozen=True, slots=True)
class Listed:
    """A transcript that was found."""

    source: str
    name: str
    changed_ns: int
    size: int
    """Bytes; 0 for a session of a database."""


def listed(places: Sequence[Place], source: str | None, since_ns: int) -> list[Listed]:
    """Return the transcripts in these places, the newest first; files in no known format are left out."""
    found = sorted(Scan(list(places)).run(time.time_ns()), key=lambda each: each.stamp.mtime_ns, reverse=True)
    all_ = (_named(each) for each in found if each.place.is_given or each.stamp.mtime_ns >= since_ns)
    return [each for each in all_ if each is not None and source in (None, each.source)]


def _named(found: Found) -> Listed | None:
    if found.session is not None:
        return Listed("opencode", found.key, found.stamp.mtime_ns, found.stamp.size)
    try:
        with found.path.open("rb") as file:
            format_ = sniff(file.read(HEAD_BYTES))
    except OSError:
        return None
    return None if format_ is None else Listed(source_of(format_), found.key, found.stamp.mtime_ns, found.stamp.size)
