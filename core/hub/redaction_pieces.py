"""The ends of what was streamed last: a secret that begins in one piece of output is found again in the next one."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

TYPES = frozenset(("call.output", "round.output"))
TOLD_APART = ("round", "call", "kind", "tool_call", "choice")
TAIL_CHARS = 256
"""Of a secret so much may stand in earlier pieces."""
MOST_STREAMS = 2000
"""Remembered at once; the one that has been silent longest is forgotten first."""
MOST_KEY_CHARS = 1000

Key = tuple[str, ...]


class Tails:
    """Holds text as it was sent, in memory only. May be used from several threads."""

    def __init__(self) -> None:
        """Begin with none."""
        self._ends: OrderedDict[Key, str] = OrderedDict()
        self._lock = Lock()

    def before(self, producer: str, fields: dict[str, Any]) -> str:
        """Return the end of what an event's text goes on from, and take note of that text; "" for events without."""
        text = fields.get("text")
        if fields.get("type") not in TYPES or not isinstance(text, str):
            return ""
        key = producer, *(str(fields.get(name))[:MOST_KEY_CHARS] for name in TOLD_APART)
        with self._lock:
            tail = self._ends.pop(key, "")
            self._ends[key] = (tail + text[-TAIL_CHARS:])[-TAIL_CHARS:]
            if len(self._ends) > MOST_STREAMS:
                self._ends.popitem(last=False)
        return tail
