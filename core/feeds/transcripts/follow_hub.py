"""Which store a hub has: positions hold for one store only."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from ...hub import Hello, HubError, watch

PATIENCE_S = 5.0


async def stream_of(url: str, token: str | None, ca_file: Path | None = None) -> str:
    """Return the name of the hub's numbering of events; empty where it does not tell us (we may only publish)."""
    with contextlib.suppress(HubError, TimeoutError):
        async with asyncio.timeout(PATIENCE_S), watch(url, token=token, after=None, ca_file=ca_file) as feed:
            async for item in feed:
                if isinstance(item, Hello):
                    return item.stream
    return ""
