"""Reading a file of event lines: whatever is no event is counted and told, the rest goes on."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from .failure import CommandFailed

if TYPE_CHECKING:
    from ...core.rounds import Event, EventError

STDIN = "-"
LINE_BYTES = 8 * 1024 * 1024  # what a hub takes as one frame; a longer line is no event
TOO_LONG = f"> {LINE_BYTES} bytes"
MOST_TOLD = 5  # unreadable lines that are told one by one; a binary file has millions
MOST_NUMBERED = 50  # of the others, how many are told by their numbers


@contextmanager
def opened(name: str) -> Generator[BinaryIO]:
    """Open the file for reading bytes; ``-`` is stdin.

    Raises:
        CommandFailed: it cannot be opened.
    """
    if name == STDIN:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open(name, "rb"))
        except (OSError, ValueError) as error:  # ValueError: a null byte in the name
            raise unreadable(name, error) from None
        yield file


def unreadable(name: str, error: OSError | ValueError) -> CommandFailed:
    """Return the failure that names the file and why it cannot be read."""
    why = getattr(error, "strerror", None) or str(error)
    return CommandFailed("cli.input.unreadable", file=name, why=why)


@dataclass(frozen=True, slots=True)
class BadLine:
    """One line that is no event."""

    number: int
    """From 1."""
    why: str
    error: EventError | None = None
    """The same, for a reader of another language; None where ``why`` is all there is."""

    @property
    def round(self) -> str | None:
        """The round that it names, where that much can be read: it has lost an event."""
        return None if self.error is None else self.error.round


@dataclass(slots=True)
class EventLines:
    """The events of one file, and what in it was none."""

    name: str
    file: BinaryIO
    read: int = 0
    """Lines that are events."""
    bad: int = 0
    """Lines that are none; blank lines count as neither."""
    line: bytes = b""
    """What the event that was yielded last came as."""
    first_bad: list[BadLine] = field(default_factory=list[BadLine])
    """The first ``MOST_TOLD`` of them."""
    more_bad: list[int] = field(default_factory=list[int])
    """The numbers of the next ``MOST_NUMBERED``."""

    def __iter__(self) -> Iterator[Event]:
        """Yield every event of the file, in its order.

        Raises:
            CommandFailed: reading itself failed.
        """
        for item in self.everything():
            if not isinstance(item, BadLine):
                yield item

    def everything(self) -> Iterator[Event | BadLine]:
        """Yield every event and, in its place, every line that is none.

        Raises:
            CommandFailed: reading itself failed.
        """
        from ...core.rounds.parse import EventError, parse_event

        for number, line in self.numbered():
            if line is None:
                yield self.reject(number, TOO_LONG)
                continue
            try:
                event = parse_event(line)
            except EventError as error:
                yield self.reject(number, error)
            else:
                self.read += 1
                self.line = line
                yield event

    def numbered(self) -> Iterator[tuple[int, bytes | None]]:
        """Yield every line that is not blank with its number; None for one that is too long."""
        number = 0
        while True:
            line = self._readline()
            if not line:
                return
            number += 1
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if len(line) > LINE_BYTES:
                self._skip_rest(line)
                yield number, None
            elif line := line.strip():
                yield number, line

    def _readline(self) -> bytes:
        try:
            return self.file.readline(LINE_BYTES + 1)
        except OSError as error:
            raise unreadable(self.name, error) from None

    def _skip_rest(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._readline()

    @property
    def why_no_round(self) -> str:
        """Name the text that says why an input without a round holds none."""
        if self.read:
            return "cli.input.no_rounds"
        return "cli.input.no_events" if self.bad else "cli.input.empty"

    def reject(self, number: int, why: str | EventError) -> BadLine:
        """Count a line that is no event."""
        self.bad += 1
        bad = BadLine(number, str(why), None if isinstance(why, str) else why)
        if len(self.first_bad) < MOST_TOLD:
            self.first_bad.append(bad)
        elif len(self.more_bad) < MOST_NUMBERED:
            self.more_bad.append(number)
        return bad
