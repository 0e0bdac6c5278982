"""Publishing to a hub from any program: at least once on the wire, exactly once in the store."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from .address import endpoint
from .limits import DEFAULT_URL, PUBLISH_PATH
from .paths import spool_folder
from .sender import Sender, SendState
from .spool import Spool
from .stamping import Publishable, TooLarge, outgoing
from .tls import client_context

log = logging.getLogger(__name__)

SPOOL_BYTES = 256 * 1024 * 1024  # a hub that is away for long: above this ``publish`` waits
CLOSE_S = 5.0
YIELD_S = 0.001  # a producer in a tight loop lets the sender work this often


class Publisher:
    """``async with Publisher() as publisher: await publisher.publish(event)``.

    Events are numbered, kept in a file until the hub has stored them, and sent again after every loss. What is
    still undelivered at the end waits there for the next publisher of the same ``producer`` and hub.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        token: str | None = None,
        producer: str | None = None,
        folder: Path | None = None,
        ca_file: Path | None = None,
    ) -> None:
        """Describe a publisher; nothing is opened before the first event.

        Args:
            url: the hub's own URL, ``ws://host:port``; never with a token in it.
            token: the hub's token; by default this account's own, for a hub on this machine.
            producer: begins the producer name. A part made up for this run is added: numbers begin at 1 with it.
            folder: where undelivered events wait; by default in the account's state folder.
            ca_file: authorities to trust instead of the system's, in PEM form.

        Raises:
            ValueError: ``url`` is no hub URL, or ``producer`` cannot be one.
            CertificateError: ``ca_file`` cannot be used.
        """
        endpoint(url, PUBLISH_PATH)
        if producer is not None and not (producer.isprintable() and 0 < len(producer) <= 100):
            raise ValueError("a producer is 1 to 100 printable characters")
        self._tls = client_context(ca_file)
        self._url = url
        self._token = token
        self._base = producer or "publisher"
        self._folder = folder or spool_folder()
        self.state = SendState()
        self._spool: Spool | None = None
        self._sender: Sender | None = None
        self._task: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._yields_at = 0.0
        self._left = 0

    async def __aenter__(self) -> Self:
        """Start."""
        await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close.

        Raises:
            HubRefused: the hub will not have us, for good, and something is undelivered; it waits in the file.
        """
        await self.close()
        if error is None and self._left and self.state.fault is not None:
            raise self.state.fault

    @property
    def undelivered(self) -> int:
        """How many events the hub has not acknowledged yet."""
        return self._spool.unsettled if self._spool is not None else 0

    @property
    def left(self) -> int:
        """How many events were undelivered when it was closed; they wait in their file."""
        return self._left

    async def publish(self, item: Publishable) -> None:
        """Accept an event, an object or a line of JSON, and deliver it; returns once it is safe in the file.

        Waits while ``SPOOL_BYTES`` are undelivered. An event that does not fit into 1 MiB even with its texts cut
        goes to the dead-letter file with a warning.

        Raises:
            EventError: ``item`` is no event.
            HubRefused: the hub will not have us, for good; the event was not accepted.
            SpoolError: the file cannot be written; the event was not accepted.
        """
        spool, sender = self._spool, self._sender
        if spool is None or sender is None:
            spool, sender = await self._start()
        try:
            line, shortened = outgoing(item, datetime.now(UTC))
        except TooLarge as error:
            log.warning("%s: it goes to the dead letters", error)
            spool.bury(error.line.encode(), str(error))
            return
        while spool.file_bytes > SPOOL_BYTES and sender.state.fault is None:
            sender.state.changed.clear()
            await sender.state.changed.wait()
        if sender.state.fault is not None:
            raise sender.state.fault
        spool.append(line.encode())
        self.state.shortened += shortened
        sender.wake()
        if time.monotonic() >= self._yields_at:
            await asyncio.sleep(0)
            self._yields_at = time.monotonic() + YIELD_S

    async def flush(self, within_s: float | None = None) -> bool:
        """Wait until the hub has everything; return False when ``within_s`` seconds pass first.

        Raises:
            HubRefused: the hub will not have us, for good.
        """
        spool, sender = await self._start()
        try:
            async with asyncio.timeout(within_s):
                while spool.unsettled:
                    if sender.state.fault is not None:
                        raise sender.state.fault
                    sender.state.changed.clear()
                    await sender.state.changed.wait()
        except TimeoutError:
            return False
        return True

    async def close(self, within_s: float = CLOSE_S) -> None:
        """Deliver for at most ``within_s`` seconds more, then stop; what is left waits in the file."""
        if self._spool is None or self._sender is None or self._task is None:
            return
        if self._sender.state.fault is None:
            waiting = asyncio.create_task(self._drained(self._spool, self._sender))
            await asyncio.wait([waiting, self._task], timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._left = self._spool.unsettled
        self._spool.close()
        self._spool = self._sender = self._task = None

    async def _drained(self, spool: Spool, sender: Sender) -> None:
        while spool.unsettled:
            sender.state.changed.clear()
            await sender.state.changed.wait()

    async def _start(self) -> tuple[Spool, Sender]:
        async with self._starting:
            if self._spool is None or self._sender is None:
                self._spool = await asyncio.to_thread(Spool, self._folder, self._base, self._url)
                self._sender = Sender(self._url, self._token, self._spool, self.state, tls=self._tls)
                self._task = asyncio.create_task(self._sender.run(), name="publisher")
            return self._spool, self._sender
