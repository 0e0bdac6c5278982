"""The ``[hub]`` table of the settings: how the hub of this account runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

KEYS = (
    "host",
    "port",
    "store",
    "redis_file",
    "allow_volatile",
    "tokens",
    "tls_cert",
    "tls_key",
    "insecure",
    "host_names",
    "origins",
    "redact",
    "log_json",
    "limits",
)
LIMITS = (
    "connections",
    "per_identity",
    "per_address",
    "handshake_s",
    "header_bytes",
    "events_per_s",
    "bytes_per_s",
    "open_rounds",
    "producers",
    "drain_s",
)
"""Of ``core.hub.Limits``; written out again because no hub is loaded for the settings."""
WHOLE = frozenset(("connections", "per_identity", "per_address", "header_bytes", "open_rounds", "producers"))
LIMITS_WATCHER = ("queued_events", "queued_bytes", "heartbeat_s", "stuck_s")
WHOLE_WATCHER = frozenset(("queued_events", "queued_bytes"))


@dataclass(frozen=True, slots=True)
class HubSettings:
    """What the table says; None and empty: see the command line."""

    host: str | None = None
    port: int | None = None
    store: Path | str | None = None
    """A file, or a Redis address."""
    redis_file: Path | None = None
    """A file that holds a Redis address with its password."""
    allow_volatile: bool = False
    tokens: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    insecure: bool = False
    host_names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    redact: Path | None = None
    log_json: bool = False
    limits: Mapping[str, float] = field(default_factory=dict[str, float])
    """By their names in ``core.hub.Limits`` and ``core.hub.WatcherLimits``."""
