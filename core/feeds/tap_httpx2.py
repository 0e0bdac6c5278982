"""The client tap for httpx2, which the OpenAI, Anthropic and Google SDKs use: transports to give to a client."""

from __future__ import annotations

import httpx2

from .tap import Tap
from .tap_stream import Watched, WatchedAsync, begin, failures_told


class TapTransport(httpx2.BaseTransport):
    """Sends requests through ``inner`` and has model calls observed.

    Args:
        tap: observes, once it is started.
        inner: does the work; by default what the library itself uses.
    """

    def __init__(self, tap: Tap, inner: httpx2.BaseTransport | None = None) -> None:
        self._tap = tap
        self._inner = inner if inner is not None else httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; what comes back is what ``inner`` returned, its body watched."""
        traffic = begin(self._tap, request)
        with failures_told(traffic):
            response = self._inner.handle_request(request)
        if traffic is not None and isinstance(response.stream, httpx2.SyncByteStream):
            traffic.response(response.status_code, response.headers.raw)
            response.stream = _Watched(response.stream, traffic)
        return response

    def close(self) -> None:
        """Close ``inner``."""
        self._inner.close()


class AsyncTapTransport(httpx2.AsyncBaseTransport):
    """As ``TapTransport``, for asynchronous clients."""

    def __init__(self, tap: Tap, inner: httpx2.AsyncBaseTransport | None = None) -> None:
        self._tap = tap
        self._inner = inner if inner is not None else httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; what comes back is what ``inner`` returned, its body watched."""
        traffic = begin(self._tap, request)
        with failures_told(traffic):
            response = await self._inner.handle_async_request(request)
        if traffic is not None and isinstance(response.stream, httpx2.AsyncByteStream):
            traffic.response(response.status_code, response.headers.raw)
            response.stream = _WatchedAsync(response.stream, traffic)
        return response

    async def aclose(self) -> None:
        """Close ``inner``."""
        await self._inner.aclose()


class _Watched(Watched, httpx2.SyncByteStream):
    """A body that the library takes for one of its own."""


class _WatchedAsync(WatchedAsync, httpx2.AsyncByteStream):
    """A body that the library takes for one of its own."""
