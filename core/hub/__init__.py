"""The round-event websocket: a hub that stores and feeds, a client that watches, a publisher that loses nothing.

docs/protocol.md describes what goes over the wire.
"""

from .auth import Access, Identity, Role, ensure_token, read_token
from .coalesce import Coalescer
from .errors import (
    FrameError,
    HubError,
    HubRefused,
    SpoolError,
    StoreError,
    StoreUnavailable,
    TokenError,
)
from .frames import At, Gap, GapWhy, Hello, Live
from .limits import DEFAULT_PORT, DEFAULT_URL
from .paths import spool_folder, state_folder, store_file, token_file
from .publish_lines import LinesReport, RejectedLine, publish_lines
from .publisher import Publisher
from .server import Hub
from .sqlite_store import SqliteStore, stored_events
from .store import Selection, Store, StoredEvent
from .watch_client import Watch, watch
from .watch_items import Link, LinkState, Received, Unreadable, WatchItem
from .watchers import WatcherLimits

__all__ = [
    "DEFAULT_PORT",
    "DEFAULT_URL",
    "Access",
    "At",
    "Coalescer",
    "FrameError",
    "Gap",
    "GapWhy",
    "Hello",
    "Hub",
    "HubError",
    "HubRefused",
    "Identity",
    "LinesReport",
    "Link",
    "LinkState",
    "Live",
    "Publisher",
    "Received",
    "RejectedLine",
    "Role",
    "Selection",
    "SpoolError",
    "SqliteStore",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "StoredEvent",
    "TokenError",
    "Unreadable",
    "Watch",
    "WatchItem",
    "WatcherLimits",
    "ensure_token",
    "publish_lines",
    "read_token",
    "spool_folder",
    "state_folder",
    "store_file",
    "stored_events",
    "token_file",
    "watch",
]
