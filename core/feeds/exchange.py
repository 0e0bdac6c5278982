"""What the forwarding path, or a client's transport, tells of one exchange; telling costs next to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol


class Ending(StrEnum):
    """How an exchange ended."""

    COMPLETE = "complete"
    """The answer came whole."""
    CLIENT_LEFT = "client_left"
    """The client went away before."""
    DROPPED = "dropped"
    """The upstream ended the connection before."""
    UNREACHABLE = "unreachable"
    """No connection to the upstream came about."""
    STOPPED = "stopped"
    """The observing program was ended."""


class Traffic(Protocol):
    """Takes note of one exchange. Nothing in here waits, and nothing raises."""

    def request_body(self, data: bytes) -> None:
        """Note a piece of the request's body."""

    def request_end(self) -> None:
        """Note that the request is whole."""

    def response(self, status: int, headers: Sequence[tuple[bytes, bytes]]) -> None:
        """Note the head of the response."""

    def response_body(self, data: bytes) -> None:
        """Note a piece of the response's body as it came: still compressed, without transfer framing."""

    def end(self, ending: Ending, reason: str | None = None) -> None:
        """Note the end; ``reason`` in words, where there is something to say."""
