"""What all connections that post bodies share: who serves them, and how much and how long they may hold."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .gate import Gate
from .metrics import Counters
from .pace import Pace
from .uploads import Upload, UploadHandler


class Side(Protocol):
    """One such connection."""

    def stop(self) -> None:
        """End as soon as no request is being answered."""
        ...


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client may take; seconds."""

    head: float = 10.0
    """From the first byte of a request to the end of its head."""
    pause: float = 10.0
    """Without a byte of a body that has begun."""
    body: float = 120.0
    """For a whole body."""
    idle: float = 120.0
    """Between two requests."""
    goodbye: float = 2.0
    """To read an answer that refuses a body which is still on its way."""
    look: float = 1.0
    """Between two looks at all this."""


@dataclass(slots=True)
class UploadDesk:
    """What all such connections of a hub share."""

    handlers: Mapping[str, UploadHandler]
    gate: Callable[[], Gate]
    counters: Counters
    pace: Pace
    patience: Patience = field(default_factory=Patience)
    held_bytes: int = 0
    sides: set[Side] = field(default_factory=set["Side"])
    tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    """Bodies that are being stored; their senders may be gone."""

    async def wait_turn(self, upload: Upload) -> None:
        """Hold back a sender that is faster than it may be."""
        pause_s = self.pace.spend(upload.owner, 1, len(upload.body))
        if pause_s > 0:
            self.counters.slowed += 1
            await asyncio.sleep(pause_s)

    async def stop(self) -> None:
        """Let each connection finish the request that it is at, and end."""
        for side in list(self.sides):
            side.stop()
        if self.tasks:
            await asyncio.wait(self.tasks)
