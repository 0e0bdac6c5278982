"""What a client connection asks of the proxy that it belongs to."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol

from .exchange import Ending, Traffic
from .heads import Headers
from .upstreams import Route, Upstream

if TYPE_CHECKING:
    from .client_side import ClientSide
    from .upstream_side import UpstreamSide


class Proxying(Protocol):
    """The proxy, as its connections see it."""

    def opened(self, side: ClientSide) -> None:
        """A client came."""

    def closed(self, side: ClientSide) -> None:
        """It is gone."""

    def route(self, host: str, target: str) -> Route | None:
        """Return where a request goes."""

    def begin(self, method: str, route: Route, headers: Headers) -> Traffic | None:
        """Return who takes note of an exchange; None when it is no model call."""

    def upgraded(self) -> None:
        """Count a connection that stopped being HTTP."""

    def refused(self, status: HTTPStatus) -> None:
        """Count a request that the proxy answered itself."""

    def lost(self, ending: Ending) -> None:
        """Count an exchange that ended otherwise than by its whole answer."""

    def nowhere(self) -> str:
        """Return what to say to a request for no upstream."""
        ...

    async def connect(self, upstream: Upstream, side: ClientSide) -> UpstreamSide:
        """Return a new connection to an upstream.

        Raises:
            OSError: there is none.
        """
        ...
