"""What a hub answers to plain requests: refusals, its health, its metrics."""

from __future__ import annotations

import json

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Response

from .gate import Refusal
from .metrics import HubMetrics
from .store import Store

RETRY_AFTER_S = 5
REALM = 'Bearer realm="roundwatch"'


def refused(connection: ServerConnection, refusal: Refusal) -> Response:
    """Return the answer to a request that may do nothing."""
    response = connection.respond(refusal.status, refusal.why + "\n")
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = REALM
    elif refusal.status in (429, 503):
        response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response


def health(connection: ServerConnection, store: Store, about: dict[str, str | int]) -> Response:
    """Return how the store is, and ``about`` of the hub itself; 503 where something is wrong."""
    found = store.health
    state: dict[str, str | int] = {
        "status": "ok" if found.is_well else "failing",
        "stream": store.stream,
        "first": store.first,
        "last": store.last,
        "writing": found.writing,
        "checking": found.checking,
        "promise": store.promise,
        **about,
    }
    if found.why is not None:
        state["why"] = found.why
    response = connection.respond(200 if found.is_well else 503, json.dumps(state) + "\n")
    return _of_type(response, "application/json")


def metrics(connection: ServerConnection, told: HubMetrics, accept: str) -> Response:
    """Return the metrics in the form that the ``Accept`` header asks for."""
    content_type, text = told.exposition(accept)
    return _of_type(connection.respond(200, text.decode("utf-8")), content_type)


def _of_type(response: Response, content_type: str) -> Response:
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = content_type
    return response
