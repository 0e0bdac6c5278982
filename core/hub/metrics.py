"""What one hub counts, and how Prometheus reads it. No label: a name from outside never becomes one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

PREFIX = "roundwatch_"
ACK_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass(slots=True)
class Counters:
    """What happened since the hub started."""

    stored: int = 0
    duplicates: int = 0
    rejected: int = 0
    frames_rejected: int = 0
    gaps: int = 0
    redacted: int = 0
    received_bytes: int = 0
    delivered: int = 0
    refused: int = 0
    refused_full: int = 0
    turned_away: int = 0
    heads_too_large: int = 0
    slowed: int = 0
    rounds_refused: int = 0
    revoked: int = 0
    too_slow: int = 0
    taken_over: int = 0
    store_failures: int = 0
    watchers: int = 0
    publishers: int = 0


HELP = {
    "stored": ("counter", "events committed to the store, by whichever hub uses it"),
    "duplicates": ("counter", "events that came again and were only acknowledged"),
    "rejected": ("counter", "events answered feed.reject because they are bad"),
    "frames_rejected": ("counter", "frames or events without a usable id that were answered feed.reject"),
    "gaps": ("counter", "events answered feed.reject because an earlier number was missing"),
    "redacted": ("counter", "events that the redaction file changed before they were stored"),
    "received_bytes": ("counter", "bytes of frames that publishers sent"),
    "delivered": ("counter", "events handed over to watchers, once for each of them"),
    "refused": ("counter", "requests answered with an HTTP error"),
    "refused_full": ("counter", "of these, because of a limit of connections"),
    "turned_away": ("counter", "sockets ended unheard because too many were open"),
    "heads_too_large": ("counter", "requests whose head was above the limit"),
    "slowed": ("counter", "frames that were read later because of a limit of rate"),
    "rounds_refused": ("counter", "events rejected because their producer has too many open rounds"),
    "revoked": ("counter", "connections ended because their token was withdrawn"),
    "too_slow": ("counter", "watchers closed because they did not keep up"),
    "taken_over": ("counter", "publishers ended by a newer connection with their name"),
    "store_failures": ("counter", "batches that the store could not write"),
    "watchers": ("gauge", "watchers connected now"),
    "publishers": ("gauge", "publishers connected now"),
}

Gauges = Callable[[], Iterable[tuple[str, str, float]]]
"""Returns further (name, help, value), looked at when somebody asks."""


class HubMetrics:
    """The registry of one hub."""

    def __init__(self, counters: Counters, gauges: Gauges) -> None:
        """Tell ``counters`` and ``gauges``."""
        self._registry = CollectorRegistry()
        self._registry.register(_Told(counters, gauges))
        self.ack_s = Histogram(
            f"{PREFIX}ack_seconds",
            "from a frame of events to its acknowledgement",
            buckets=ACK_BUCKETS,
            registry=self._registry,
        )

    def exposition(self, accept: str) -> tuple[str, bytes]:
        """Return content type and text in the form that an ``Accept`` header asks for."""
        encode, content_type = choose_encoder(accept)
        return content_type, encode(self._registry)


class _Told(Collector):
    def __init__(self, counters: Counters, gauges: Gauges) -> None:
        self._counters = counters
        self._gauges = gauges

    def describe(self) -> Iterable[Metric]:
        """Name nothing in advance: the registry would ask for the values before there is a store."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield every figure as it is now."""
        for name, (kind, text) in HELP.items():
            family = CounterMetricFamily if kind == "counter" else GaugeMetricFamily
            yield family(PREFIX + name, text, value=getattr(self._counters, name))
        for name, text, value in self._gauges():
            yield GaugeMetricFamily(PREFIX + name, text, value=value)
