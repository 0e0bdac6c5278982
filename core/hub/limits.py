"""Sizes and times that both ends of the feed keep to."""

from __future__ import annotations

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
