"""What a hub takes besides websockets: bodies that are posted to paths of its own port.

The hub checks who sends, reads the body within bounds, and hands it to whoever serves the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .inlet import Inlet


class UploadHeaders:
    """A request's headers."""

    def __init__(self, headers: Sequence[tuple[bytes, bytes]]) -> None:
        """Take names and values as they came."""
        self._headers = [(name.decode("latin-1").lower(), value.decode("latin-1").strip()) for name, value in headers]

    def get_all(self, key: str, /) -> list[str]:
        """Return all values of a header."""
        return [value for name, value in self._headers if name == key.lower()]

    def get(self, key: str) -> str:
        """Return a header's values as one; empty when it is not there."""
        return ", ".join(self.get_all(key))


@dataclass(frozen=True, slots=True)
class Upload:
    """One body that somebody who may publish has sent."""

    path: str
    owner: str
    """Name of the identity that sends it."""
    headers: UploadHeaders
    body: bytes
    """As it came: the handler undoes a content encoding."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the sender gets."""

    status: int
    content_type: str = "text/plain; charset=utf-8"
    body: bytes = b""
    retry_after_s: int | None = None
    """Where the same may be sent again later."""


class UploadHandler(Protocol):
    """Serves a path."""

    @property
    def most_bytes(self) -> int:
        """How large a body may be."""
        ...

    async def open(self, inlet: Inlet) -> None:
        """Begin; called once, also when it serves several paths of the hub."""

    async def take(self, upload: Upload) -> Answer:
        """Return the answer to a body, once what it holds is stored. Raises nothing."""
        ...

    def refuse(self, status: int, why: str, headers: UploadHeaders) -> Answer:
        """Return how a request is turned away that never gets to ``take``."""
        ...

    async def close(self) -> None:
        """Store what is left, and end."""
