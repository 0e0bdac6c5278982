"""The round-event websocket: a hub that stores and feeds, a client that watches, a publisher that loses nothing.

docs/protocol.md describes what goes over the wire.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from .frames import At, Gap, GapWhy, Hello, Live, State
    from .history import fetch_history
    from .limits import DEFAULT_PORT, DEFAULT_URL, Limits, WatcherLimits
    from .paths import spool_folder, state_folder, store_file, token_file
    from .published_lines import LinesReport, RejectedLine, publish_lines
    from .publisher import Publisher
    from .received import Received
    from .redaction import Redaction
    from .redaction_rules import RedactionError
    from .redis_address import is_redis
    from .redis_store import RedisStore
    from .retention import Retention
    from .server import Hub
    from .sqlite_backup import back_up
    from .sqlite_check import check_store
    from .sqlite_read import stored_events
    from .sqlite_schema import Synchronous
    from .sqlite_store import SqliteStore
    from .store import Selection, Store, StoredEvent, StoreListener
    from .store_health import Checking, Health, Promise, Writing
    from .supervision import WATCHFUL, SupervisionLimits
    from .sync_publisher import PublisherClosed, SyncPublisher
    from .token_list import tokens_in, tokens_of_environment
    from .watch_client import Watch, watch
    from .watch_items import Link, LinkState, Unreadable, WatchItem

__all__ = [
    "DEFAULT_PORT",
    "DEFAULT_URL",
    "WATCHFUL",
    "Access",
    "At",
    "Checking",
    "Coalescer",
    "FrameError",
    "Gap",
    "GapWhy",
    "Health",
    "Hello",
    "Hub",
    "HubError",
    "HubRefused",
    "Identity",
    "Limits",
    "LinesReport",
    "Link",
    "LinkState",
    "Live",
    "Promise",
    "Publisher",
    "PublisherClosed",
    "Received",
    "Redaction",
    "RedactionError",
    "RedisStore",
    "RejectedLine",
    "Retention",
    "Role",
    "Selection",
    "SpoolError",
    "SqliteStore",
    "State",
    "Store",
    "StoreError",
    "StoreListener",
    "StoreUnavailable",
    "StoredEvent",
    "SupervisionLimits",
    "SyncPublisher",
    "Synchronous",
    "TokenError",
    "Unreadable",
    "Watch",
    "WatchItem",
    "WatcherLimits",
    "Writing",
    "back_up",
    "check_store",
    "ensure_token",
    "fetch_history",
    "is_redis",
    "publish_lines",
    "read_token",
    "spool_folder",
    "state_folder",
    "store_file",
    "stored_events",
    "token_file",
    "tokens_in",
    "tokens_of_environment",
    "watch",
]

_HOMES = {
    "auth": "Access Identity Role ensure_token read_token",
    "coalesce": "Coalescer",
    "errors": "FrameError HubError HubRefused SpoolError StoreError StoreUnavailable TokenError",
    "frames": "At Gap GapWhy Hello Live State",
    "history": "fetch_history",
    "limits": "DEFAULT_PORT DEFAULT_URL Limits WatcherLimits",
    "paths": "spool_folder state_folder store_file token_file",
    "published_lines": "LinesReport RejectedLine publish_lines",
    "publisher": "Publisher",
    "received": "Received",
    "redaction": "Redaction",
    "redaction_rules": "RedactionError",
    "redis_address": "is_redis",
    "redis_store": "RedisStore",
    "retention": "Retention",
    "server": "Hub",
    "sqlite_backup": "back_up",
    "sqlite_check": "check_store",
    "sqlite_read": "stored_events",
    "sqlite_schema": "Synchronous",
    "sqlite_store": "SqliteStore",
    "store": "Selection Store StoredEvent StoreListener",
    "store_health": "Checking Health Promise Writing",
    "supervision": "WATCHFUL SupervisionLimits",
    "sync_publisher": "PublisherClosed SyncPublisher",
    "token_list": "tokens_in tokens_of_environment",
    "watch_client": "Watch watch",
    "watch_items": "Link LinkState Unreadable WatchItem",
}
"""Which names come from which module: a screen that only watches loads neither the server nor the stores.

No module is called what one of these names is: the module would hide it.
"""


def __getattr__(name: str) -> object:
    """Load what has been asked for, once."""
    home = next((home for home, names in _HOMES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{home}", __name__), name)
    return found
