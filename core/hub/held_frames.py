"""Frames that are read and wait for their turn, so that a publisher's pings are heard while it is slowed down."""

from __future__ import annotations

import asyncio
from collections import deque

HELD_BYTES = 4 * 1024 * 1024
"""As much as our own publishers have under way at most: these are never kept from being read."""


class HeldFrames:
    """A queue that is bounded by bytes."""

    def __init__(self, most_bytes: int = HELD_BYTES) -> None:
        """Start empty."""
        self._most = most_bytes
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done after ``close``."""
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def put(self, frame: bytes) -> None:
        """Add a frame; waits while more than the bound are held."""
        await self._room.wait()
        if self.closed.done():
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        if self._bytes >= self._most:
            self._room.clear()
        self._news.set()

    async def get(self) -> bytes | None:
        """Return the next frame, or None after ``close``."""
        await self._news.wait()
        if self.closed.done():
            return None
        return self._pop()

    def _pop(self) -> bytes:
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        if not self._frames:
            self._news.clear()
        if self._bytes < self._most:
            self._room.set()
        return frame

    def more(self, most: int) -> list[bytes]:
        """Return frames that are there already, at most so many, without waiting."""
        if self.closed.done():
            return []
        return [self._pop() for _ in range(min(most, len(self._frames)))]

    def close(self) -> None:
        """Drop what is held: it was not acknowledged and comes again."""
        if not self.closed.done():
            self.closed.set_result(None)
        self._frames.clear()
        self._news.set()
        self._room.set()
