"""One HTTP request and its streamed response. The only module that knows httpx2."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

CONNECT_S = 10.0  # nobody listens, or the network is gone; silence after that is the stall guard's business
WHY_CHARS = 200  # what an error says is shown on one line


class Unreachable(Exception):
    """No response began; ``str()`` says why."""


class TransferBroken(Exception):
    """The response broke off; ``str()`` says how."""


@dataclass(frozen=True)
class Head:
    """Status and headers of a response."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""


class Transport:
    """A connection pool for the calls of many rounds."""

    def __init__(self) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
        timeout = httpx2.Timeout(None, connect=CONNECT_S)
        self._client = httpx2.AsyncClient(limits=limits, timeout=timeout)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    async def exchange(
        self, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> AsyncGenerator[Head | bytes, None]:
        """Yield the response's head, then its body as it arrives.

        Raises:
            Unreachable: before the head.
            TransferBroken: after it; everything that arrived was yielded.
        """
        begun = False
        try:
            async with self._client.stream("POST", url, headers=dict(headers), json=body) as response:
                begun = True
                yield Head(response.status_code, dict(response.headers))
                async for chunk in response.aiter_bytes():
                    yield chunk
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise (TransferBroken if begun else Unreachable)(_words(error)) from error


def _words(error: BaseException) -> str:
    """Say what happened: the error's own words, else those of what caused it (a reset has only those)."""
    name, cause = type(error).__name__, error
    while not str(cause) and (below := cause.__cause__ or cause.__context__) is not None:
        cause = below
    text = str(cause)
    return (f"{name}: {text}" if text else name)[:WHY_CHARS]
