"""Pictures of rounds that a test keeps: banners, timelines and whole screens, the same on every machine.

A pytest plugin offers it as fixtures (``roundwatch_recording``, ``roundwatch_snapshot``, ``roundwatch_pinned``);
docs/snapshots.md shows how. What stands here is for type annotations and for tests that need a part of it alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .live_feed import StillSource, live
    from .recording import Recording, RecordingError
    from .snapshots import Snapshots
    from .stage import press, settle, still_app

__all__ = ["Recording", "RecordingError", "Snapshots", "StillSource", "live", "press", "settle", "still_app"]

_MODULE_OF = {
    "Recording": "recording",
    "RecordingError": "recording",
    "Snapshots": "snapshots",
    "StillSource": "live_feed",
    "live": "live_feed",
    "press": "stage",
    "settle": "stage",
    "still_app": "stage",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is asked for: pytest imports this package in every run, also where nothing is drawn."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
