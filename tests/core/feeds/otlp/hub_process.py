"""A hub that receives exports, in a process that a test can kill."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.core.feeds.otlp.posting import Place, receiving

PATIENCE_S = 60


@asynccontextmanager
async def killed(store: Path) -> AsyncGenerator[Place]:
    """A hub that is killed at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.core.feeds.otlp.hub_process", str(store), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield Place((await process.stdout.readline()).decode().strip())
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()


async def main(store: Path) -> None:
    async with receiving(store=store) as hub:
        print(hub.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
