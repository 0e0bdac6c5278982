"""A plain websocket client and small events, for tests that look at the wire itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from roundwatch.core.hub import Hub, read_token
from roundwatch.core.hub.closing import abort_unless_closed
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

PATIENCE_S = 20  # for a loaded machine; nothing waits this long


@asynccontextmanager
async def dial(hub: Hub, path: str, **changes: Any) -> AsyncGenerator[ClientConnection]:
    token = read_token()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    options: dict[str, Any] = {
        "subprotocols": [Subprotocol("roundwatch.v1")], "additional_headers": headers, "proxy": None,
        "max_size": None, "compression": None,
    }  # fmt: skip
    link = await connect(hub.url + path, **(options | changes))
    try:
        yield link
    finally:
        await abort_unless_closed(link, 1000, "")


def event(n: int, producer: str = "p", **fields: object) -> dict[str, object]:
    return {"type": "round.output", "round": "r1", "kind": "text", "text": f"t{n}", "id": f"{producer}:{n}"} | fields


async def heard(link: ClientConnection) -> list[dict[str, Any]]:
    """Return the elements of the next frame."""
    async with asyncio.timeout(PATIENCE_S):
        text = await link.recv()
    elements: list[dict[str, Any]] = json.loads(text if text[:1] in ("[", b"[") else f"[{text!s}]")
    return elements


async def heard_until(link: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """Return all elements up to the first of this type."""
    found: list[dict[str, Any]] = []
    while not any(element["type"] == kind for element in found):
        found += await heard(link)
    return found


async def publish(hub: Hub, *events: dict[str, object]) -> list[dict[str, Any]]:
    """Send events in one frame and return the answers."""
    async with dial(hub, "/v1/publish") as link:
        await link.send(json.dumps(events))
        return await heard(link)
