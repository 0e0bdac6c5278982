"""A hub's side of the feed, sent at a steady rate over a real websocket: cheap enough to leave a core to the screen."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from roundwatch.core.hub.limits import SUBPROTOCOL
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

FRAME_S = 0.01
STREAM = "bench"


class OpenRounds:
    """Events of rounds that never stop coming: ``open_`` of them at any time, each with streaming calls and tools."""

    def __init__(self, open_: int, turns: int = 12, pieces: int = 60) -> None:
        """Let each round make ``turns`` calls of ``pieces`` pieces of output, then end and make room for another."""
        self._lives = [self._life(turns, pieces, start) for start in range(open_)]
        self._started = 0
        self.ended = 0
        self._next = 0

    def _life(self, turns: int, pieces: int, skip: int) -> Iterator[str]:
        """Yield a round's events for ever, one round after the other; the first ones are of different lengths."""
        left = turns * (skip % 10 + 1) // 10 + 1
        while True:
            self._started += 1
            name = f'"round":"w{self._started}"'
            yield f'"type":"round.started",{name},"agent":"worker","title":"Task {self._started}","model":"model-a"'
            for call in range(left):
                yield f'"type":"call.started",{name},"call":"c{call}","model":"model-a","max_output_tokens":4096'
                for piece in range(pieces):
                    said = f"piece {piece} of what it writes "
                    yield f'"type":"call.output",{name},"call":"c{call}","kind":"text","text":"{said}"'
                yield (
                    f'"type":"call.finished",{name},"call":"c{call}","outcome":"completed","finish_reason":"stop",'
                    f'"usage":{{"input_tokens":900,"output_tokens":{pieces * 6}}},"first_output_ms":310,"total_ms":6200'
                )
            yield f'"type":"round.finished",{name}'
            self.ended += 1
            left = turns

    def next(self) -> str:
        """Return the next event's fields, one round after the other."""
        self._next = (self._next + 1) % len(self._lives)
        return next(self._lives[self._next])


class PacedFeed:
    """One watcher, one stream; ``async with PacedFeed() as feed: feed.url``."""

    def __init__(self) -> None:
        """Send nothing before somebody watches."""
        self.seq = 0
        self.watched = asyncio.Event()
        self._link: ServerConnection | None = None

    async def __aenter__(self) -> PacedFeed:
        """Listen."""
        self._server = await serve(
            self._greet, "127.0.0.1", 0, compression=None, subprotocols=[Subprotocol(SUBPROTOCOL)]
        )
        self.url = f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop listening."""
        self._server.close()
        await self._server.wait_closed()

    async def _greet(self, link: ServerConnection) -> None:
        self._link = link
        hello = {"type": "feed.hello", "v": 1, "stream": STREAM, "first": 1, "last": 0, "server": "bench"}
        await link.send(json.dumps(hello))
        await link.send('{"type":"feed.live","v":1}')
        self.watched.set()
        await link.wait_closed()

    async def send(self, *events: str) -> None:
        """Send events, given by their fields, in one frame."""
        assert self._link is not None
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        frame: list[str] = []
        for fields in events:
            self.seq += 1
            frame.append(f'{{"seq":{self.seq},"v":1,{fields},"at":"{at}","id":"p:{self.seq}"}}')
        await self._link.send("[" + ",".join(frame) + "]")

    async def run(self, rounds: OpenRounds, per_s: int, seconds: float) -> float:
        """Send at that rate for so long; returns how far it fell behind at most, in seconds."""
        begin, sent, behind = time.perf_counter(), 0, 0.0
        while (passed := time.perf_counter() - begin) < seconds:
            due = int(passed * per_s) - sent
            while due > 0:
                part = min(due, 500)
                await self.send(*(rounds.next() for _ in range(part)))
                sent, due = sent + part, due - part
            behind = max(behind, time.perf_counter() - begin - sent / per_s)
            await asyncio.sleep(FRAME_S)
        return behind
