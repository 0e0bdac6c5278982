"""What the layers below the loop pass up while a response streams, and what a round's listener sees of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..rounds.base import OutputKind, Usage
from ..rounds.events import CallFinished, CallOutput, CallUsage, Event, ToolRequested
from ..rounds.reasons import reported


class Above(Protocol):
    """Whoever stands above a layer."""

    def take(self, event: Event) -> None:
        """Take in what streamed next."""
        ...

    def forget(self) -> None:
        """Take back what this call passed up: it failed and is made anew."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a message, as a front end of the loop sees it."""

    message: str
    """Id of the message; a call and its continuations are one."""
    text: str = ""
    kind: OutputKind | None = None
    finish_reason: str | None = None
    """Of the last piece; wire value. A cut that was continued is not told."""
    usage: Usage | None = None
    """A running report of the newest call; of the last piece all the message's calls added up."""
    taken_back: bool = False
    """What this message's newest call had said is void: it failed and is made anew."""


Listen = Callable[[Piece], None]
"""Is told every piece of a round's messages; must not raise."""


def finish_of(event: Event) -> str | None:
    """Return the finish reason that ``event`` reports; None = it reports none."""
    return reported(event.finish_reason) if isinstance(event, CallFinished) else None


def is_output(event: Event) -> bool:
    """Return whether ``event`` carries content."""
    if isinstance(event, CallOutput):
        return event.kind is not OutputKind.USAGE and bool(event.text or event.chars)
    return isinstance(event, ToolRequested)


def releases(event: Event) -> bool:
    """Return whether ``event`` ends the holding back: content does, and usage, though it is no first output."""
    return isinstance(event, CallUsage) or is_output(event)


class Listened:
    """Tells a listener, and whoever else stands above, what streams for one message.

    Args:
        message: the id that every piece carries.
        above: sees the same events.
    """

    def __init__(self, message: str, listen: Listen | None, above: Above) -> None:
        self._message = message
        self._listen = listen
        self._above = above

    def take(self, event: Event) -> None:
        """Pass the event on."""
        self._above.take(event)
        if self._listen is None:
            return
        match event:
            case CallOutput():
                self._listen(Piece(self._message, event.text or "", event.kind))
            case CallUsage():
                self._listen(Piece(self._message, usage=event.usage))
            case CallFinished():
                self._listen(Piece(self._message, finish_reason=reported(event.finish_reason), usage=event.usage))
            case _:
                pass

    def forget(self) -> None:
        """Pass it on."""
        self._above.forget()
        if self._listen is not None:
            self._listen(Piece(self._message, taken_back=True))
