"""What delivery is measured on, each a process of its own: the hub on a store, and two servers that store nothing."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from roundwatch.core.hub import Access, Hub, RedisStore, SqliteStore
from roundwatch.core.hub.frames import frames_of
from roundwatch.core.hub.intake import judge_frame
from roundwatch.core.hub.lines import split_frame, with_seq
from roundwatch.core.hub.store import Submission
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.typing import Subprotocol

PUBLISHED = Subprotocol("roundwatch.v1")


class Bare:
    """Takes what the hub takes and gives it to all watchers; answers each frame, keeps nothing."""

    def __init__(self, *, single: bool) -> None:
        """Send each event as a frame of its own as it came, or framed, checked and numbered as the hub does."""
        self._single = single
        self._watchers: set[ServerConnection] = set()
        self._seq = 0

    async def serve(self, link: ServerConnection) -> None:
        """Serve one connection until it ends."""
        if link.request is not None and link.request.path.startswith("/v1/rounds"):
            self._watchers.add(link)
            await link.send("{}")
            await link.wait_closed()
            self._watchers.discard(link)
            return
        async for frame in link:
            data = frame if isinstance(frame, bytes) else frame.encode()
            if self._single:
                for piece in split_frame(data.decode()):
                    self._seq += 1
                    broadcast(self._watchers, piece.text)
            else:
                self._give(data)
            await link.send(f'{{"v":1,"type":"feed.ack","id":"p:{self._seq}"}}')

    def _give(self, data: bytes) -> None:
        wires: list[bytes] = []
        for item in judge_frame(data, "me"):
            if isinstance(item, Submission):
                self._seq += 1
                wires.append(with_seq(item.line.encode(), self._seq))
        for frame in frames_of(wires):
            broadcast(self._watchers, frame, text=True)


async def run(kind: str, place: str) -> None:
    """Serve until SIGTERM; the first line of output says where, the last how much processor time it took."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    if kind in ("hub", "redis"):
        store = RedisStore(place) if kind == "redis" else SqliteStore(Path(place) / "s.db")
        async with Hub(store, port=0, access=Access.anyone()) as hub:
            await _until(stop, hub.url)
        return
    bare = Bare(single=kind == "single")
    async with serve(bare.serve, "127.0.0.1", 0, subprotocols=[PUBLISHED], compression=None) as server:
        await _until(stop, f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}")


async def _until(stop: asyncio.Event, url: str) -> None:
    print(json.dumps({"url": url}), flush=True)
    before = time.process_time()
    await stop.wait()
    print(json.dumps({"cpu_s": time.process_time() - before}), flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        asyncio.run(run(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else folder))
