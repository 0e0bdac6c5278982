"""Lines from stdin as they come: read in a thread, so that a quiet pipe blocks nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator
from typing import BinaryIO

from .event_lines import EventLines

QUEUED_LINES = 100
Item = tuple[int, bytes | None]


def own_reader(file: BinaryIO) -> BinaryIO:
    """Return a reader of its own: whoever closes ``file``, or the interpreter with stdin, would wait for the thread."""
    return os.fdopen(os.dup(file.fileno()), "rb")


async def arriving(lines: EventLines) -> AsyncIterator[Item]:
    """Yield every line with its number as it arrives; None for one that is too long.

    The thread is left behind when nobody listens any more: nothing can wake it from a read.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Item | BaseException | None] = asyncio.Queue(QUEUED_LINES)

    def read() -> None:
        last: BaseException | None = None
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens
            try:
                for item in lines.numbered():
                    asyncio.run_coroutine_threadsafe(queue.put(item), loop).result()
            except Exception as error:  # noqa: BLE001 - told on the other side
                last = error
            asyncio.run_coroutine_threadsafe(queue.put(last), loop).result()

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while (item := await queue.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        yield item
