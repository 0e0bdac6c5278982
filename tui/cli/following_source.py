"""A hub's feed beside transcripts that are followed into it: what of them cannot be read counts on the screen too."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable

from ..source import HubSource, SourceItem, Unreadable

LOOK_S = 0.5  # until a line that cannot be read shows
MOST_WAITING = 1000
WHERE = "transcripts"


class FollowingSource(HubSource):
    """What the hub sends, and an item for each line of the transcripts that cannot be read."""

    count_unreadable: Callable[[], int] | None = None
    """Returns how many lines could not be read so far; None: nobody counts."""

    async def items(self) -> AsyncGenerator[SourceItem]:
        """Yield items of both; raises as a hub's source does."""
        waiting: deque[SourceItem] = deque()
        more, room = asyncio.Event(), asyncio.Event()
        tasks = [
            asyncio.create_task(self._hear(waiting, more, room), name="feed beside transcripts"),
            asyncio.create_task(self._look(waiting, more), name="unreadable lines"),
        ]
        try:
            while waiting or not tasks[0].done():
                await more.wait()
                more.clear()
                while waiting:
                    yield waiting.popleft()
                room.set()
            await tasks[0]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _hear(self, waiting: deque[SourceItem], more: asyncio.Event, room: asyncio.Event) -> None:
        try:
            async for item in super().items():
                waiting.append(item)
                more.set()
                if len(waiting) >= MOST_WAITING:
                    room.clear()
                    await room.wait()
        finally:
            more.set()

    async def _look(self, waiting: deque[SourceItem], more: asyncio.Event) -> None:
        told = 0
        while True:
            count = 0 if self.count_unreadable is None else self.count_unreadable()
            room = max(0, MOST_WAITING - len(waiting))
            for _ in range(min(count - told, room)):
                waiting.append(Unreadable(WHERE, "a line of a transcript cannot be read"))
                told += 1
                more.set()
            await asyncio.sleep(LOOK_S)
