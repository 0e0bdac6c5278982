"""What a scripted provider plays: replies made of steps, the same for every wire; no socket, no clock in here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

PIECES_PER_S = 45.0  # words a second; what a mid-sized hosted model streams
ARGUMENT_PIECE_CHARS = 14  # providers send tool arguments in pieces of about this size


@dataclass(frozen=True)
class Wait:
    """Nothing is sent for a while; seconds at speed 1."""

    seconds: float


@dataclass(frozen=True)
class KeepAlives:
    """Only signs of life are sent (comments or pings), no output; seconds at speed 1."""

    seconds: float
    every: float = 1.0


@dataclass(frozen=True)
class Text:
    """Visible text, streamed word by word."""

    text: str
    rate: float = PIECES_PER_S
    """Words a second at speed 1."""


@dataclass(frozen=True)
class Reasoning:
    """Reasoning text, streamed word by word."""

    text: str
    rate: float = PIECES_PER_S


@dataclass(frozen=True)
class RefusalText:
    """A refusal on its own channel where the wire has one (OpenAI); plain text where it has none."""

    text: str
    rate: float = PIECES_PER_S


@dataclass(frozen=True)
class ToolUse:
    """A tool call; ``arguments`` go out as they stand, so half JSON stays half."""

    name: str
    arguments: str
    id: str | None = None
    whole: bool = True
    """False: the cut came inside this call, so its end is never marked."""
    rate: float = PIECES_PER_S


@dataclass(frozen=True)
class Finish:
    """The finish word, verbatim."""

    reason: str
    native: str | None = None
    """The upstream's own word behind a router (OpenAI chat wire only)."""
    detail: str | None = None
    """What closer stands beside it: the reason of an incomplete response (Responses), the finish message (Gemini)."""
    blocked: bool = False
    """The prompt was blocked: ``reason`` says why, and nothing is answered (Gemini wire only)."""


@dataclass(frozen=True)
class BodyError:
    """An error object inside a body that began with HTTP 200."""

    kind: str
    message: str
    code: str | None = None


Step = Wait | KeepAlives | Text | Reasoning | RefusalText | ToolUse | Finish | BodyError


@dataclass(frozen=True)
class Counts:
    """Token counts as this provider reports them; ``reasoning`` None leaves the field out."""

    input: int
    output: int
    reasoning: int | None = None
    cache_read: int | None = None


class Ending(StrEnum):
    """What happens after the last step."""

    DONE = "done"
    """The wire's own end marker, then the end of the body."""
    EOF = "eof"
    """The body ends as a body may, without any end marker."""
    RESET = "reset"
    """The connection is torn down in the middle of a chunk."""


@dataclass(frozen=True)
class HttpError:
    """An error answered instead of a body."""

    status: int
    kind: str
    message: str
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Reply:
    """The answer to one request."""

    steps: tuple[Step, ...] = ()
    counts: Counts | None = None
    ending: Ending = Ending.DONE
    error: HttpError | None = None
    """Set: this is answered after the waits of ``steps``, and nothing else."""


@dataclass(frozen=True)
class Script:
    """The replies to the 1st, 2nd, … request of one conversation."""

    replies: tuple[Reply, ...]
    repeat_last: bool = False
    """True: every further request gets the last reply; False: it is an error."""

    def reply(self, number: int) -> Reply | None:
        """Return the reply to request ``number`` (from 0), or None when the script is over."""
        if number < len(self.replies):
            return self.replies[number]
        return self.replies[-1] if self.repeat_last and self.replies else None


def words(text: str) -> Iterator[str]:
    """Yield ``text`` in the pieces it streams in; joined again they are the text."""
    yield from re.findall(r"\s*\S+|\s+$", text)


def argument_pieces(arguments: str) -> Iterator[str]:
    """Yield tool arguments in the pieces they stream in."""
    for start in range(0, len(arguments), ARGUMENT_PIECE_CHARS):
        yield arguments[start : start + ARGUMENT_PIECE_CHARS]
