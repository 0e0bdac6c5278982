"""The real stack of the proofs: scripted provider, hub and publisher over real sockets, and a watcher that judges."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from roundwatch.core.hub import Hub, Publisher, Received, watch
from roundwatch.core.rounds import Event, Ledger
from roundwatch.core.rounds.events import RoundEvent
from roundwatch.core.runner.http_server import Exchange
from roundwatch.core.runner.script import Reply
from roundwatch.core.runner.scripted_provider import ScriptedProvider
from roundwatch.core.runner.scripted_wires import Address

SPEED = 20.0
PATIENCE_S = 60.0


class Provider(ScriptedProvider):
    """A scripted provider that remembers what it was sent, by script."""

    def __init__(self) -> None:
        super().__init__({}, speed=SPEED)
        self.bodies: list[dict[str, Any]] = []

    async def _play(self, reply: Reply, body: dict[str, Any], address: Address, exchange: Exchange) -> None:
        self.bodies.append(body)
        await super()._play(reply, body, address, exchange)


class Logged(logging.Handler):
    """Keeps the warnings of the loop."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.getMessage()}")


class Stack:
    """Everything between a runner and the person who watches it."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        """The watcher's own."""
        self.events: dict[str, list[Event]] = {}
        self.logged = Logged()
        self._news = asyncio.Event()
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        logging.getLogger("roundwatch").addHandler(self.logged)
        hub = await self._open.enter_async_context(Hub(port=0))
        self.publisher = await self._open.enter_async_context(Publisher(hub.url))
        self._watching = asyncio.create_task(self._watch(hub.url))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        await self._open.aclose()
        logging.getLogger("roundwatch").removeHandler(self.logged)

    async def seen(self, round_: str) -> None:
        """Return when the watcher has seen the round's end."""
        async with asyncio.timeout(PATIENCE_S):
            while (found := self.ledger.rounds.get(round_)) is None or found.finished is None:
                self._news.clear()
                await self._news.wait()

    async def _watch(self, url: str) -> None:
        async with watch(url, after="begin") as feed:
            async for item in feed:
                if isinstance(item, Received):
                    self.ledger.apply(item.event)
                    if isinstance(item.event, RoundEvent):
                        self.events.setdefault(item.event.round, []).append(item.event)
                    self._news.set()
