"""Publishing from programs without an event loop, and from any of their threads."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from .errors import HubError
from .limits import DEFAULT_URL
from .publisher import CLOSE_S, Publisher
from .stamping import Publishable

T = TypeVar("T")
JOIN_S = 5.0
"""For a loop to end whose work is done; then the thread is left to the end of the process."""


class PublisherClosed(HubError):
    """The publisher was closed, or belongs to the process that this one was forked from."""


class SyncPublisher:
    """``with SyncPublisher() as publisher: publisher.publish(event)``: a ``Publisher`` on a thread of its own.

    Every method may be called from any thread; none may be called from a running event loop, which it would hold up.
    At the end of the program what is left is delivered for a few seconds, then it waits in its file.
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
        """Begin; the arguments are those of ``Publisher``.

        Raises:
            ValueError: ``url`` is no hub URL, or ``producer`` cannot be one.
            CertificateError: ``ca_file`` cannot be used.
        """
        self._publisher = Publisher(url, token=token, producer=producer, folder=folder, ca_file=ca_file)
        self._process = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._closing = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="roundwatch publisher", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def __enter__(self) -> Self:
        """Begin; nothing is opened before the first event."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close.

        Raises:
            HubRefused: the hub will not have us, for good, and something is undelivered; it waits in the file.
        """
        self.close()
        if error is None and self._publisher.left and self._publisher.state.fault is not None:
            raise self._publisher.state.fault

    @property
    def undelivered(self) -> int:
        """How many events the hub has not acknowledged yet."""
        return self._publisher.undelivered or self._publisher.left

    def publish(self, item: Publishable) -> None:
        """Accept an event, an object or a line of JSON; returns once it is safe in the file. See ``Publisher.publish``.

        Raises:
            EventError: ``item`` is no event.
            HubRefused: the hub will not have us, for good; the event was not accepted.
            SpoolError: the file cannot be written; the event was not accepted.
            PublisherClosed: this publisher was closed, or another process made it.
            RuntimeError: called from a running event loop; use ``Publisher`` there.
        """
        self._done(self._publisher.publish(item))

    def flush(self, within_s: float | None = None) -> bool:
        """Wait until the hub has everything; return False when ``within_s`` seconds pass first.

        Raises:
            HubRefused: the hub will not have us, for good.
            PublisherClosed: see ``publish``.
            RuntimeError: see ``publish``.
        """
        return self._done(self._publisher.flush(within_s))

    def close(self, within_s: float = CLOSE_S) -> None:
        """Deliver for at most ``within_s`` seconds more, then stop; what is left waits in the file.

        May be called again, and at the end of the program; a forked process leaves all of it to its parent.
        """
        if os.getpid() != self._process:
            return
        with self._closing:
            if self._is_closed:
                return
            self._is_closed = True
            atexit.unregister(self.close)
            try:
                asyncio.run_coroutine_threadsafe(self._publisher.close(within_s), self._loop).result()
            finally:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(JOIN_S)
                if not self._thread.is_alive():
                    self._loop.close()

    def _done(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            self._check()
            return asyncio.run_coroutine_threadsafe(work, self._loop).result()
        finally:
            work.close()  # where it was never begun

    def _check(self) -> None:
        if os.getpid() != self._process:
            raise PublisherClosed(
                "this publisher belongs to the process that was forked: make one of its own after the fork"
            )
        if self._is_closed:
            raise PublisherClosed("this publisher was closed: nothing was accepted")
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return
        raise RuntimeError("SyncPublisher would hold up the running event loop: use Publisher there")
