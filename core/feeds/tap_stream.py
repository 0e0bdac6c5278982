"""What the taps of both client libraries have in common; it imports neither."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterable, AsyncIterator, Generator, Iterable, Iterator
from typing import Protocol

from .exchange import Ending, Traffic
from .tap import Tap

_GIVEN_UP = frozenset(("ReadTimeout", "WriteTimeout"))
"""Errors of both libraries by which the client itself ends the wait."""


class HeadersLike(Protocol):
    """Headers of either library."""

    @property
    def raw(self) -> list[tuple[bytes, bytes]]:
        """Names and values as they are sent."""
        ...


class RequestLike(Protocol):
    """A request of either library."""

    @property
    def method(self) -> str:
        """In capitals."""
        ...

    @property
    def headers(self) -> HeadersLike:
        """Its headers."""
        ...

    @property
    def url(self) -> object:
        """Its address; ``str()`` writes it out."""
        ...

    @property
    def content(self) -> bytes:
        """Its body; a RuntimeError where the program streams it."""
        ...


class SyncBody(Protocol):
    """A body of a response of either library."""

    def __iter__(self) -> Iterator[bytes]: ...
    def close(self) -> None: ...


class AsyncBody(Protocol):
    """A body of an asynchronous response of either library."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...
    async def aclose(self) -> None: ...


def begin(tap: Tap, request: RequestLike) -> Traffic | None:
    """Return who takes note of a request that now goes out; None when it is no model call."""
    traffic = tap.begin(request.method, str(request.url), request.headers.raw)
    if traffic is None:
        return None
    with contextlib.suppress(RuntimeError):  # no client of a model streams its request
        traffic.request_body(request.content)
    traffic.request_end()
    return traffic


def ending_of(error: BaseException) -> Ending:
    """Return what an error of an HTTP client library says about how an exchange ended."""
    name = type(error).__name__
    if not isinstance(error, Exception) or name in _GIVEN_UP:
        return Ending.CLIENT_LEFT
    return Ending.UNREACHABLE if name.startswith("Connect") else Ending.DROPPED


@contextlib.contextmanager
def failures_told(traffic: Traffic | None) -> Generator[None]:
    """Note an exchange that ends with an error; only its kind is told, its words may hold anything."""
    try:
        yield
    except BaseException as error:
        if traffic is not None:
            traffic.end(ending_of(error), type(error).__name__)
        raise


class Watched:
    """A response's body; each piece is noted as its reader takes it, and how it ended."""

    def __init__(self, body: SyncBody, traffic: Traffic) -> None:
        """Read ``body``."""
        self._body, self._traffic = body, traffic

    def __iter__(self) -> Iterator[bytes]:
        return _watched(self._body, self._traffic)

    def close(self) -> None:
        """Close it; one that was read to its end has ended before."""
        self._traffic.end(Ending.CLIENT_LEFT)
        self._body.close()


class WatchedAsync:
    """As ``Watched``, for asynchronous clients."""

    def __init__(self, body: AsyncBody, traffic: Traffic) -> None:
        """Read ``body``."""
        self._body, self._traffic = body, traffic

    def __aiter__(self) -> AsyncIterator[bytes]:
        return _watched_async(self._body, self._traffic)

    async def aclose(self) -> None:
        """Close it; one that was read to its end has ended before."""
        self._traffic.end(Ending.CLIENT_LEFT)
        await self._body.aclose()


def _watched(pieces: Iterable[bytes], traffic: Traffic) -> Iterator[bytes]:
    with failures_told(traffic):
        for piece in pieces:
            traffic.response_body(piece)
            yield piece
    traffic.end(Ending.COMPLETE)


async def _watched_async(pieces: AsyncIterable[bytes], traffic: Traffic) -> AsyncIterator[bytes]:
    with failures_told(traffic):
        async for piece in pieces:
            traffic.response_body(piece)
            yield piece
    traffic.end(Ending.COMPLETE)
