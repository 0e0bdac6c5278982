"""Small recordings that end in each way an exit code tells apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tests.rounds import Lines, call, end, start


def recording(round_: str, *parts: Iterable[Mapping[str, Any]]) -> Lines:
    """Return the events as the lines of one round."""
    return [{"round": round_, **fields} for part in parts for fields in part]


def answer(round_: str = "r1", agent: str = "worker") -> Lines:
    """A confirmed answer."""
    return recording(round_, start(agent=agent), call("c1", "stop", "All is well."), end())


def unconfirmed(round_: str = "r2") -> Lines:
    """Completed, but the provider never reported a finish reason."""
    return recording(round_, start(), call("c1", None, "All is well, perhaps."), end())


def cut(round_: str = "r3") -> Lines:
    """Cut at the output limit, although the record says completed."""
    cap = {"max_output_tokens": 60}
    return recording(round_, start(), call("c1", "length", "Half", sent=cap), end(status="completed"))


def open_round(round_: str = "r4") -> Lines:
    """A round whose end is not recorded."""
    return recording(round_, start(), call("c1", "stop", "Done."))
