"""Sending recorded lines to a hub, so that sending the same content twice stores it once."""

from __future__ import annotations

import asyncio
import codecs
import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ..rounds.parse import EventError
from .errors import HubError
from .limits import DEFAULT_URL, FRAME_BYTES
from .outbox import Outbox
from .sender import Sender
from .stamping import TooLarge, outgoing
from .tls import client_context

WINDOW_EVENTS = 1000
WINDOW_BYTES = 4 * 1024 * 1024  # in memory, whatever the length of the lines
BLOCK_BYTES = 1024 * 1024
LINE_BYTES = FRAME_BYTES
"""A longer line is no event that could be cut until it fits, and may be a file without any line end."""


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A line that is not in the store."""

    line: int
    """Number in the source, from 1 on."""
    why: str
    error: EventError | None = field(default=None, compare=False)
    """What a front end can say in its reader's language; None where the hub said it."""


@dataclass(slots=True)
class LinesReport:
    """What became of the lines of one source."""

    producer: str
    sent: int = 0
    """Events that were given to the hub."""
    acknowledged: int = 0
    """Of these, settled by the hub: stored now or before, or rejected."""
    rejected: list[RejectedLine] = field(default_factory=list[RejectedLine])
    """By us before sending, or by the hub."""
    refused: int = 0
    """Of those given to the hub, not stored."""
    shortened: int = 0
    """Of those given to the hub, with a text cut so that the event fits."""
    fault: HubError | None = None
    """Why it ended early."""

    @property
    def stored(self) -> int:
        """How many events the hub has, now or from before."""
        return self.acknowledged - self.refused

    @property
    def complete(self) -> bool:
        """Whether every line that could be sent was acknowledged."""
        return self.fault is None and self.acknowledged == self.sent


class LinesOutbox(Outbox):
    """The lines of a source that were read and are not settled; it is read on as they are."""

    def __init__(self, producer: str, lines: Iterator[bytes], report: LinesReport) -> None:
        """Number the good lines of the source from 1 on: the same content always gets the same numbers."""
        self.producer = producer
        self._lines = enumerate(_without_mark(lines), start=1)
        self._report = report
        self._window: deque[tuple[int, bytes]] = deque()
        self._window_bytes = 0
        self.exhausted = False

    @property
    def done(self) -> bool:
        """Whether everything was read and settled."""
        return self.exhausted and not self._window

    def lines_from(self, n: int, limit_bytes: int) -> list[bytes]:
        """See ``Outbox.lines_from``."""
        self.fill()
        lines: list[bytes] = []
        size = 0
        for _, line in islice(self._window, n - self.first, None):
            size += len(line)
            if lines and size > limit_bytes:
                break
            lines.append(line)
        return lines

    def settle(self, n: int) -> None:
        """See ``Outbox.settle``."""
        while self._window and self.first <= n:
            self._window_bytes -= len(self._window.popleft()[1])
            self.first += 1

    def refused(self, n: int, why: str) -> None:
        """See ``Outbox.refused``."""
        if 0 <= n - self.first < len(self._window):
            self._report.rejected.append(RejectedLine(self._window[n - self.first][0], why))
            self._report.refused += 1

    def too_big(self, n: int) -> None:
        """See ``Outbox.too_big``."""
        number, line = self._window[n - self.first]
        self._report.rejected.append(RejectedLine(number, f"{len(line)} bytes are too large for the hub"))
        self._report.refused += 1
        small = b'{"type":"publisher.event_dropped"}'
        self._window[n - self.first] = (number, small)
        self._window_bytes += len(small) - len(line)

    def start_over(self) -> None:
        """See ``Outbox.start_over``: the numbers stay true to the content, so this cannot be mended here."""
        raise HubError("the hub's store changed while the lines were sent: send them again", code="hub_store_changed")

    def fill(self) -> None:
        """Read on until the window is full or the source ends."""
        while len(self._window) < WINDOW_EVENTS and self._window_bytes < WINDOW_BYTES and not self.exhausted:
            number, raw = next(self._lines, (0, b""))
            if number == 0:
                self.exhausted = True
            elif raw.strip():
                self._take(number, raw)

    def _take(self, number: int, raw: bytes) -> None:
        if len(raw) > LINE_BYTES:
            self._report.rejected.append(RejectedLine(number, f"a line of more than {LINE_BYTES} bytes"))
            return
        try:
            text, shortened = outgoing(raw, None)
        except (EventError, TooLarge) as error:
            coded = error if isinstance(error, EventError) else None
            self._report.rejected.append(RejectedLine(number, str(error), coded))
            return
        self._window.append((number, line := text.encode()))
        self._window_bytes += len(line)
        self._report.sent += 1
        self._report.shortened += shortened


async def publish_lines(
    source: Path | bytes,
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    producer: str | None = None,
    ca_file: Path | None = None,
    progress: Callable[[LinesReport], None] | None = None,
) -> LinesReport:
    """Send the event lines of a file, or of bytes already read, and return what became of them.

    Ids in the lines are replaced: the producer is a hash of the whole content, the number the place among its good
    lines, so the same content is stored once however often it is sent. Bad lines are reported, the rest is sent.
    Keeps trying while the hub is away; bound it with ``asyncio.timeout``.

    Args:
        source: a file's path, or its content.
        url: the hub's own URL.
        token: the hub's token; by default this account's own, for a hub on this machine.
        producer: another name than the hash.
        ca_file: authorities to trust instead of the system's, in PEM form.
        progress: called after every acknowledgement.

    Raises:
        OSError: the file cannot be read.
        ValueError: ``url`` is no hub URL.
        CertificateError: ``ca_file`` cannot be used.
    """
    tls = client_context(ca_file)
    name = producer or f"file.{await asyncio.to_thread(_digest, source)}"
    report = LinesReport(name)
    outbox = LinesOutbox(name, _lines(source), report)
    outbox.fill()
    sender = Sender(url, token, outbox, tls=tls)
    task = asyncio.create_task(sender.run(), name="publish lines")
    try:
        while not outbox.done and sender.state.fault is None:
            sender.state.changed.clear()
            changed = asyncio.create_task(sender.state.changed.wait())
            await asyncio.wait([changed, task], return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
            outbox.fill()  # the sender need not have looked yet whether anything is left
            report.acknowledged = sender.state.acknowledged
            if progress is not None:
                progress(report)
            if task.done() and (error := task.exception()) is not None:
                raise error
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    report.fault = sender.state.fault
    return report


def _without_mark(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Some programs put a byte order mark in front of their first line."""
    yield from (line.removeprefix(codecs.BOM_UTF8) for line in islice(lines, 1))
    yield from lines


def _lines(source: Path | bytes) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield from source.splitlines()
        return
    with source.open("rb") as file:
        while line := file.readline(LINE_BYTES + 1):
            yield line
            while len(line) > LINE_BYTES and not line.endswith(b"\n"):  # its rest is no line of its own
                line = file.readline(LINE_BYTES + 1)


def _digest(source: Path | bytes) -> str:
    digest = hashlib.sha256()
    if isinstance(source, bytes):
        digest.update(source)
    else:
        with source.open("rb") as file:
            while block := file.read(BLOCK_BYTES):
                digest.update(block)
    return digest.hexdigest()[:32]
