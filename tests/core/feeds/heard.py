"""What a hub makes of the frames of a foreign stream, without one and with one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from roundwatch.core.feeds.hub_doors import doors
from roundwatch.core.hub import Access, Hub, Identity, stored_events
from roundwatch.core.hub.foreign import ForeignStream, Listener
from roundwatch.core.rounds import Ledger, Round, parse_event
from websockets.typing import Subprotocol

from tests.core.hub.peers import dial

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def folded(stream: ForeignStream, frames: Iterable[Any], listener: Listener | None = None) -> Ledger:
    """The rounds that frames tell of; a frame is an object or its text."""
    listener, ledger = listener or stream("link"), Ledger()
    for frame in frames:
        for heard in listener.feed(frame if isinstance(frame, str) else json.dumps(frame), AT):
            ledger.apply(heard.event)
    return ledger


def one(stream: ForeignStream, frames: Iterable[Any]) -> Round:
    """The only round of these frames."""
    (round_,) = folded(stream, frames).rounds.values()
    return round_


async def sent(subprotocol: str, path: Path, *connections: Sequence[str | bytes]) -> Ledger:
    """The rounds that a real hub has stored after these connections, one after another."""
    async with Hub(path, port=0, access=Access({"t": Identity("me")}), **doors()) as hub:
        for frames in connections:
            headers = {"Authorization": "Bearer t"}
            spoken = [Subprotocol(subprotocol)]
            async with dial(hub, "/v1/publish", subprotocols=spoken, additional_headers=headers) as link:
                assert link.subprotocol == subprotocol
                for frame in frames:
                    await link.send(frame, text=True)
    ledger = Ledger()
    for stored in stored_events(path):
        ledger.apply(parse_event(stored.line))
    return ledger
