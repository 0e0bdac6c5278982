"""Reading a history in Redis for reports, whether or not hubs use it. Blocks: not for an event loop."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, cast

from redis import Redis
from redis.exceptions import RedisError

from .errors import StoreError
from .redis_address import place_of
from .redis_link import ANSWER_S, CONNECT_S, refusal
from .redis_store import NAME
from .store import EVERYTHING, Selection, StoredEvent

READ_EVENTS = 64
"""At once, of up to 1 MiB each: a report has no hurry, and the server has others to serve."""


def redis_events(url: str, selection: Selection = EVERYTHING, *, name: str = NAME) -> Iterator[StoredEvent]:
    """Yield what a server keeps, oldest first.

    Raises:
        StoreError: it cannot be reached, or keeps no history of ours.
    """
    place = place_of(url)
    client = cast("Any", Redis).from_url(url, socket_connect_timeout=CONNECT_S, socket_timeout=ANSWER_S)
    with contextlib.closing(client):
        try:
            if not client.exists(f"{{{name}}}:meta"):
                raise StoreError(f"{place} keeps no history of a hub", code="redis_empty", place=place)
            yield from (event for event in _all(client, f"{{{name}}}:events") if selection.matches(event))
        except (RedisError, OSError) as error:
            raise refusal(place, error) from None


def _all(client: Any, key: str) -> Iterator[StoredEvent]:
    start = "-"
    while entries := client.xrange(key, min=start, max="+", count=READ_EVENTS):
        for entry, fields in entries:
            round_, thread = fields[b"r"].decode(), fields[b"t"].decode()
            yield StoredEvent(int(entry.partition(b"-")[0]), round_ or None, thread or None, fields[b"l"])
        start = f"({entries[-1][0].decode()}"
