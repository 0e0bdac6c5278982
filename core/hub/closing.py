"""Ending a connection for certain, also one whose other end reads nothing any more."""

from __future__ import annotations

import asyncio

from websockets.asyncio.connection import Connection

from .limits import CLOSE_S


async def abort_unless_closed(link: Connection, code: int, reason: str) -> None:
    """Close ``link``; after ``CLOSE_S`` abort its transport.

    A close frame waits behind everything that is still unsent, so to a stuck reader closing alone never ends.
    """
    try:
        async with asyncio.timeout(CLOSE_S):
            await link.close(code, reason)
    except TimeoutError:
        link.transport.abort()
        await link.wait_closed()
