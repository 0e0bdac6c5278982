"""The server of the browser's screen: textual-serve's app behind our door, on a loopback address only."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from aiohttp import web
from textual_serve.server import Server

from ...core.texts import Texts
from .door import MOST_SCREENS, Door
from .sessions import Sessions

HOST = "127.0.0.1"
DEFAULT_PORT = 7435
CLOSING_S = 5.0
"""How long open screens may take to end; then their processes lose their input and end by that."""


class _QuietServer(Server):
    """textual-serve without its greeting on stdout."""

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the command says where it listens."""


@asynccontextmanager
async def serving(
    command: Sequence[str],
    *,
    port: int,
    token: str,
    token_place: str,
    texts: Texts,
    most_screens: int = MOST_SCREENS,
) -> AsyncGenerator[str]:
    """Serve the program ``command`` to browsers on this machine that show ``token``; yields the address.

    Args:
        command: program and arguments; each browser tab runs one.
        port: 0 lets the system choose a free one.
        token_place: where the operator finds the token.

    Raises:
        OSError: the port cannot be had.
    """
    listening = socket.create_server((HOST, port))
    origin = f"http://{HOST}:{listening.getsockname()[1]}"
    door = Door(Sessions(token), origin, texts, token_place, most_screens)
    server = _QuietServer(shlex.join(command), host=HOST, title="roundwatch", public_url=origin)
    app = await server._make_app()  # pyright: ignore[reportPrivateUsage]  # its only way to an app that is not yet run
    app.middlewares.append(door.middleware())
    app.on_response_prepare.append(door.protect)
    runner = web.AppRunner(app, handle_signals=False, access_log=None, shutdown_timeout=CLOSING_S / 2)
    try:
        await runner.setup()
        await web.SockSite(runner, listening).start()
        yield origin + "/"
    finally:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_S):
                await runner.cleanup()
        listening.close()
