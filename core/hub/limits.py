"""Sizes and times that both ends of the feed keep to."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

SUBPROTOCOL = "roundwatch.v1"
DEFAULT_PORT = 7433
DEFAULT_URL = f"ws://127.0.0.1:{DEFAULT_PORT}"
WATCH_PATH = "/v1/rounds"
PUBLISH_PATH = "/v1/publish"

EVENT_BYTES = 1024 * 1024
"""One event's own text in UTF-8, without the ``seq`` that the hub adds."""
FRAME_BYTES = 8 * 1024 * 1024
"""One frame that a hub reads events from; a larger one is answered ``feed.reject``."""
MAX_FRAME_BYTES = 2 * FRAME_BYTES
"""Above this the websocket closes with 1009: it is read into memory before anybody can answer it."""
SEND_BYTES = 256 * 1024
"""What we put into one frame ourselves, unless a single event is larger."""

PING_S = 15.0  # proxies cut sockets that are idle for 25 to 60 s
CLOSE_S = 1.0  # a reader that is stuck never answers a close: then the transport is aborted
STUCK_S = 30.0  # one frame that cannot leave for this long means nobody reads any more
HEARTBEAT_S = 10.0  # feed.at at least this often without an event

CLOSE_TOO_SLOW = 1013
CLOSE_TOO_BIG = 1009
CLOSE_TAKEN_OVER = 4409
"""Another live connection publishes under the same producer name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatcherLimits:
    """What one watcher may cost."""

    queued_events: int = 10_000
    """Waiting for it to read; above this or ``queued_bytes`` it is closed with 1013."""
    queued_bytes: int = 8 * 1024 * 1024
    heartbeat_s: float = HEARTBEAT_S
    stuck_s: float = STUCK_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What clients may cost a hub; sizes of events and frames belong to the protocol and are fixed."""

    connections: int = 1000
    """Watchers and publishers together; one more is answered 503."""
    per_identity: int = 500
    """Those of one token's name; one more is answered 429."""
    per_address: int = 500
    """Those from one address, behind a proxy all of them; one more is answered 429."""
    handshake_s: float = 10.0
    """From the connection (of TLS: from its handshake) to the whole request; then it is cut."""
    header_bytes: int = 16 * 1024
    """A request with its headers."""
    events_per_s: float = 50_000.0
    """Of one identity, all its publishers together: what comes faster is read later."""
    bytes_per_s: float = 64.0 * 1024 * 1024
    """The same for bytes of frames."""
    open_rounds: int = 50_000
    """Rounds that a producer began on a connection and has not ended; one more is rejected."""
    producers: int = 1000
    """Producer names on one connection; with one more it is closed."""
    drain_s: float = 5.0
    """How long a hub that stops lets publishers hear their acknowledgements and watchers read what is left."""
    watcher: WatcherLimits = field(default_factory=WatcherLimits)

    def __post_init__(self) -> None:
        """Refuse what would let nobody in.

        Raises:
            ValueError: a limit is not above 0.
        """
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, int | float) and not value > 0:
                raise ValueError(f"the limit {each.name} has to be above 0")
