"""The log as JSON, one object a line: for whatever collects logs."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TextIO

MOST_CHARS = 300
"""Of one text: names and what others sent are never logged at length."""
MOST_FRAMES = 8
ROOT = "roundwatch"


class JsonLines(logging.Formatter):
    """``{"time", "level", "event", "logger", "message", …}``; further fields come with ``fields(…)``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; of an error its type and where it happened, not its text, which may quote a payload."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        said: dict[str, object] = {
            "time": at,
            "level": record.levelname.lower(),
            "event": getattr(record, "event", None) or record.name.rpartition(".")[2],
            "logger": record.name,
            "message": _clipped(record.getMessage()),
        }
        further: dict[str, object] = getattr(record, "fields", {})
        said |= {name: _clipped(value) for name, value in further.items() if name not in said}
        if record.exc_info and record.exc_info[0] is not None:
            said["error"] = record.exc_info[0].__name__
            said["at"] = _places(record.exc_info[2])
        return json.dumps(said, ensure_ascii=True, separators=(",", ":"))


def fields(event: str, **values: str | int | float | bool) -> dict[str, Any]:
    """Return what ``log.info("…", extra=fields("hub_listens", port=7433))`` takes."""
    return {"event": event, "fields": values}


def log_as_json(stream: TextIO, level: int = logging.INFO) -> logging.Handler:
    """Write what this package logs, from ``level`` on, to ``stream``; return the handler."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    log = logging.getLogger(ROOT)
    log.addHandler(handler)
    log.setLevel(level)
    log.propagate = False
    logging.getLogger("asyncio").addHandler(handler)
    return handler


def _clipped(value: object) -> object:
    if not isinstance(value, str) or len(value) <= MOST_CHARS:
        return value
    return f"{value[:MOST_CHARS]}… ({len(value)} characters)"


def _places(trace: TracebackType | None) -> list[str]:
    frames = traceback.extract_tb(trace)[-MOST_FRAMES:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
