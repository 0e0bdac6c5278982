"""The client tap: watches the model calls of this program's own HTTP client, whatever library it is of."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from ..hub import DEFAULT_URL, Publisher
from .capture import Capture
from .endpoints import Endpoint, endpoint
from .exchange import Ending, Traffic
from .heads import Headers
from .observer import IDLE_S, Observer

log = logging.getLogger(__name__)

PRODUCER = "tap"


class Tap:
    """``with Tap() as tap: OpenAI(http_client=httpx2.Client(transport=TapTransport(tap)))``.

    It observes and publishes in a thread of its own; the client never waits for it. What the hub has not taken at
    the end waits in a file, as with every publisher. A program that does not close it has it closed at its exit.

    Args:
        url: the hub's own URL.
        token: the hub's token; by default this account's own.
        capture: what of the content is published.
        idle_s: how long a round waits for its next request; seconds.
        folder: where undelivered events wait; by default in the account's state folder.

    Raises:
        ValueError: ``url`` is no hub URL.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        token: str | None = None,
        capture: Capture = Capture.PREVIEW,
        idle_s: float = IDLE_S,
        folder: Path | None = None,
    ) -> None:
        self._publisher = Publisher(url, token=token, producer=PRODUCER, folder=folder)
        self._capture, self._idle_s = capture, idle_s
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._fault: Exception | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._observer: Observer | None = None
        self._ended: asyncio.Event | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Begin to observe; a tap is started once.

        Raises:
            HubError: the hub's token or the file for waiting events cannot be used.
        """
        if self._thread is not None:
            return
        self._thread = threading.Thread(target=self._run, name="roundwatch-tap", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            raise self._fault
        atexit.register(self.close)

    def close(self) -> None:
        """Publish what was seen, for some seconds at most, and stop."""
        atexit.unregister(self.close)
        if self._thread is None or self._loop is None or self._ended is None:
            return
        with contextlib.suppress(RuntimeError):  # it has stopped already
            self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    def begin(self, method: str, url: str, headers: Headers) -> Traffic | None:
        """Return who takes note of a request; None when it is no model call, or nobody observes."""
        parts = urlsplit(url)
        asked = endpoint(method, parts.path)
        if asked is None or self._loop is None or self._observer is None:
            return None
        return _Handed(self._loop, self._observer, parts.hostname or "", asked, headers, parts.query)

    def _run(self) -> None:
        try:
            asyncio.run(self._observe())
        except Exception as error:  # the thread's rim: the client's own calls must never feel it
            if self._ready.is_set():
                log.exception("the tap has stopped; the client goes on unobserved")
            self._fault = error  # raised in the thread that starts us
        finally:
            self._ready.set()

    async def _observe(self) -> None:
        async with (
            self._publisher as publisher,
            Observer(publisher.publish, capture=self._capture, idle_s=self._idle_s) as observer,
        ):
            self._observer, self._ended = observer, asyncio.Event()
            self._loop = asyncio.get_running_loop()
            self._ready.set()
            await self._ended.wait()


class _Handed:
    """Hands what one exchange tells to the observer's thread, in its order."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        observer: Observer,
        upstream: str,
        asked: Endpoint,
        headers: Headers,
        query: str,
    ) -> None:
        self._loop = loop
        self._traffic: Traffic | None = None

        def begin() -> None:
            self._traffic = observer.begin(upstream, asked, headers, query)

        self._hand(begin)

    def request_body(self, data: bytes) -> None:
        self._hand(lambda: self._there.request_body(data))

    def request_end(self) -> None:
        self._hand(lambda: self._there.request_end())

    def response(self, status: int, headers: Sequence[tuple[bytes, bytes]]) -> None:
        self._hand(lambda: self._there.response(status, headers))

    def response_body(self, data: bytes) -> None:
        self._hand(lambda: self._there.response_body(data))

    def end(self, ending: Ending, reason: str | None = None) -> None:
        self._hand(lambda: self._there.end(ending, reason))

    @property
    def _there(self) -> Traffic:
        assert self._traffic is not None  # begun first
        return self._traffic

    def _hand(self, work: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the tap was closed: nobody listens, and the client goes on
            self._loop.call_soon_threadsafe(work)
