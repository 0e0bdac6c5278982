"""What a hub says of itself when somebody asks: for its health, and as gauges of its metrics."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..version import VERSION
from .door import Door
from .limits import Limits
from .metrics import Counters
from .store import Store
from .store_health import Checking, Writing
from .watchers import Watchers


@dataclass(frozen=True, slots=True)
class HubFigures:
    """Looks at the parts of one running hub."""

    store: Store
    limits: Limits
    counters: Counters
    door: Door
    watchers: Watchers
    started_at: float
    """On the monotonic clock."""

    def about(self) -> dict[str, str | int]:
        """Return what ``/healthz`` says besides how the store is."""
        return {
            "server": server_name(),
            "uptime_s": round(time.monotonic() - self.started_at),
            "watchers": self.counters.watchers,
            "publishers": self.counters.publishers,
            "connections": len(self.door.seats),
        }

    def gauges(self) -> Sequence[tuple[str, str, float]]:
        """Return name, help and value of each."""
        store, health = self.store, self.store.health
        events, size = self.watchers.queued()
        lag = self.watchers.largest_lag(store.last)
        return (
            ("store_first_seq", "oldest event kept", store.first),
            ("store_last_seq", "newest event", store.last),
            ("store_failing", "1 while the store cannot be written", int(health.writing is not Writing.OK)),
            ("store_damaged", "1 when the store was found damaged", int(health.checking is Checking.DAMAGED)),
            ("store_checking", "1 while the store is checked", int(health.checking is Checking.RUNNING)),
            ("connections", "websockets open now", len(self.door.seats)),
            ("connections_limit", "websockets that may be open", self.limits.connections),
            ("sockets", "sockets open now, handshakes and plain requests included", len(self.door.open)),
            ("watcher_queue_events", "events waiting for watchers that do not keep up", events),
            ("watcher_queue_bytes", "their bytes", size),
            ("watcher_lag_events", "events that the slowest watcher has not been sent", lag),
            ("uptime_seconds", "since the hub started", time.monotonic() - self.started_at),
        )


def server_name() -> str:
    """Return how the hub calls itself in ``feed.hello``."""
    return f"roundwatch/{VERSION}"
