"""Counters of one hub, and their Prometheus text. No label: a name from outside never becomes one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(slots=True)
class Counters:
    """What happened since the hub started."""

    stored: int = 0
    duplicates: int = 0
    rejected: int = 0
    frames_rejected: int = 0
    gaps: int = 0
    refused: int = 0
    too_slow: int = 0
    taken_over: int = 0
    store_failures: int = 0
    watchers: int = 0
    publishers: int = 0


HELP = {
    "stored": ("counter", "events committed to the store"),
    "duplicates": ("counter", "events that came again and were only acknowledged"),
    "rejected": ("counter", "events answered feed.reject because they are bad"),
    "frames_rejected": ("counter", "frames or events without a usable id that were answered feed.reject"),
    "gaps": ("counter", "events answered feed.reject because an earlier number was missing"),
    "refused": ("counter", "requests answered with an HTTP error"),
    "too_slow": ("counter", "watchers closed because they did not keep up"),
    "taken_over": ("counter", "publishers ended by a newer connection with their name"),
    "store_failures": ("counter", "batches that the store could not write"),
    "watchers": ("gauge", "watchers connected now"),
    "publishers": ("gauge", "publishers connected now"),
}


def exposition(counters: Counters, gauges: Iterable[tuple[str, str, int]]) -> str:
    """Return the metrics as Prometheus text; ``gauges`` are further (name, help, value)."""
    rows = [
        (f"{name}_total" if kind == "counter" else name, kind, text, getattr(counters, name))
        for name, (kind, text) in HELP.items()
    ]
    rows += [(name, "gauge", text, value) for name, text, value in gauges]
    return "".join(
        f"# HELP roundwatch_{name} {text}\n# TYPE roundwatch_{name} {kind}\nroundwatch_{name} {value}\n"
        for name, kind, text, value in rows
    )
