"""Sending on and ending a connection for certain, whatever the other end and the transport do."""

from __future__ import annotations

import asyncio

from websockets.asyncio.connection import Connection
from websockets.protocol import State

from .limits import CLOSE_S, STUCK_S


async def send(link: Connection, data: bytes, within_s: float = STUCK_S) -> None:
    """Send a text frame and wait until the transport takes more.

    Raises:
        TimeoutError: the other end has not read for ``within_s`` seconds.
        ConnectionClosed: the connection ended.
    """
    if link.state is not State.OPEN:
        # sending would abort the transport; one that closed with data left to write fails at that in Python 3.11
        await link.wait_closed()
        raise link.protocol.close_exc
    async with asyncio.timeout(within_s):
        await link.send(data, text=True)


async def abort_unless_closed(link: Connection, code: int, reason: str) -> None:
    """Close ``link``; after ``CLOSE_S`` abort its transport.

    A close frame waits behind everything that is still unsent, so to a stuck reader closing alone never ends.
    """
    try:
        async with asyncio.timeout(CLOSE_S):
            if link.state is State.OPEN:
                await link.close(code, reason)
            await link.wait_closed()
    except TimeoutError:
        if link.state is not State.CLOSED:
            link.transport.abort()
        await link.wait_closed()
