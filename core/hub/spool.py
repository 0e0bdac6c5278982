"""The publisher's unacknowledged events: all of them in a file, the oldest in memory too."""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .errors import SpoolError
from .outbox import Outbox
from .paths import private_file, private_folder
from .spool_file import HEADER_BYTES, Header, SpoolFile

log = logging.getLogger(__name__)

WINDOW_EVENTS = 1000  # in memory, and unacknowledged on the wire, at most
WINDOW_BYTES = 4 * 1024 * 1024
TIDY_BYTES = 1024 * 1024  # settled lines below this are not worth a rewrite
DEAD_LETTERS = "dead-letters.jsonl"
SUFFIX = ".spool"


class Spool(Outbox):
    """Every event is in the file before ``append`` returns, so killing the process loses none."""

    def __init__(self, folder: Path, base: str, url: str) -> None:
        """Go on with a spool of this name for this hub that no live process holds, or begin a new one.

        Raises:
            SpoolError: the folder or file cannot be used.
        """
        self._folder = folder
        self._base = base
        self._window: deque[bytes] = deque()
        self._disk_sizes: deque[int] = deque()
        self._window_bytes = 0
        try:
            private_folder(folder)
            self._file = self._adopted(url) or self._created(url)
        except OSError as error:
            said = f"cannot keep unsent events in {folder}: {error.strerror}"
            raise SpoolError(said, code="spool_unusable", path=str(folder), said=error.strerror) from None
        self.producer, self.first = self._file.header.producer, self._file.header.first
        self._front = self._read_at = self._file.header.front
        self._end = self.first + sum(1 for _ in self._file.lines(self._front))
        self._refill()
        if self.unsettled:
            log.info("going on with %d unsent events of %s", self.unsettled, self.producer)

    @property
    def unsettled(self) -> int:
        """How many events the hub has not acknowledged."""
        return self._end - self.first

    @property
    def file_bytes(self) -> int:
        """What the file takes on disk."""
        return self._file.size

    def append(self, line: bytes) -> int:
        """Keep an event and return its number.

        Raises:
            SpoolError: it cannot be written; it was not accepted.
        """
        in_memory = self._read_at == self._file.size
        try:
            self._file.append(line)
        except OSError as error:
            said = f"cannot keep an unsent event in {self._file.path}: {error.strerror}"
            raise SpoolError(said, code="spool_unusable", path=str(self._file.path), said=error.strerror) from None
        self._end += 1
        if in_memory and self._has_room():
            self._take(line, len(line))
        return self._end - 1

    def lines_from(self, n: int, limit_bytes: int) -> list[bytes]:
        """See ``Outbox.lines_from``."""
        lines: list[bytes] = []
        size = 0
        for index in range(n - self.first, len(self._window)):
            size += len(self._window[index])
            if lines and size > limit_bytes:
                break
            lines.append(self._window[index])
        return lines

    def settle(self, n: int) -> None:
        """See ``Outbox.settle``."""
        while self._window and self.first <= n:
            self._window_bytes -= len(self._window.popleft())
            self._front += self._disk_sizes.popleft()
            self.first += 1
        if len(self._window) <= WINDOW_EVENTS // 2:
            self._refill()
        if self._front - HEADER_BYTES > TIDY_BYTES and self._file.size - self._front <= WINDOW_BYTES:
            self._tidy()

    def refused(self, n: int, why: str) -> None:
        """See ``Outbox.refused``: the event goes to the dead letters."""
        if 0 <= n - self.first < len(self._window):
            log.warning("the hub rejected event %s:%d: %s", self.producer, n, why)
            self.bury(self._window[n - self.first], why)

    def too_big(self, n: int) -> None:
        """See ``Outbox.too_big``."""
        index = n - self.first
        line = self._window[index]
        log.warning("event %s:%d (%d bytes) is too large for the hub", self.producer, n, len(line))
        self.bury(line, "too large for the hub")
        self._window[index] = substitute(line)
        self._window_bytes += len(self._window[index]) - len(line)

    def bury(self, line: bytes, why: str) -> None:
        """Keep a line that is never sent again in the dead-letter file, with the reason."""
        path = self._folder / DEAD_LETTERS
        try:
            with os.fdopen(private_file(path), "r+b") as file:
                file.seek(0, os.SEEK_END)
                kept = line if _is_object(line) else json.dumps(line.decode("utf-8", "replace")).encode()
                file.write(b'{"why":%b,"event":%b}\n' % (json.dumps(why).encode(), kept))
        except OSError as error:
            log.error("cannot write %s: %s; a rejected event is lost", path, error.strerror)

    def start_over(self) -> None:
        """See ``Outbox.start_over``."""
        log.warning("the hub does not know %s any more: its store is another one", self.producer)
        self.producer = new_name(self._base)
        self._end -= self.first - 1
        self.first = 1
        self._write_header()

    def close(self) -> None:
        """Leave the unsettled events in the file for the next publisher of this name; without any, remove it."""
        if self.unsettled:
            self._write_header()
            log.warning("%d events wait in %s for the next publisher", self.unsettled, self._file.path)
        self._file.close(remove=not self.unsettled)

    def _adopted(self, url: str) -> SpoolFile | None:
        for path in sorted(self._folder.glob(f"{quote(self._base, safe='')}.*{SUFFIX}")):
            file = SpoolFile.adopt(path, url)
            if file is not None:
                return file
        return None

    def _created(self, url: str) -> SpoolFile:
        producer = new_name(self._base)
        return SpoolFile.create(self._folder / f"{quote(producer, safe='')}{SUFFIX}", Header(producer, url, 1))

    def _write_header(self) -> None:
        header = replace(self._file.header, producer=self.producer, first=self.first, front=self._front)
        try:
            self._file.write_header(header)
        except OSError as error:
            log.error("cannot write %s: %s", self._file.path, error.strerror)

    def _tidy(self) -> None:
        """Drop the settled lines from the file; what is left is small, so this does not hold up anybody."""
        moved = self._front - HEADER_BYTES
        try:
            if self.unsettled:
                self._file.drop_before(self._front, self.first)
            else:
                self._file.empty(self.first)
        except OSError as error:
            log.error("cannot tidy %s: %s", self._file.path, error.strerror)
            return
        self._front = HEADER_BYTES
        self._read_at -= moved

    def _refill(self) -> None:
        if self._read_at < self._file.size:
            for line in self._file.lines(self._read_at):
                if not self._has_room():
                    break
                self._take(self._sound(line), len(line))

    def _sound(self, line: bytes) -> bytes:
        """Return a line of the file as it is sent: one that a disk spoilt would hold up all that come after it."""
        if _is_object(line):
            return line
        log.warning("an unsent event of %s is damaged: it goes to the dead letters", self.producer)
        self.bury(line, "damaged in its file")
        return substitute(line)

    def _has_room(self) -> bool:
        return len(self._window) < WINDOW_EVENTS and self._window_bytes < WINDOW_BYTES

    def _take(self, line: bytes, size: int) -> None:
        """Have the next line of the file, which takes ``size`` there, in memory too."""
        self._window.append(line)
        self._window_bytes += len(line)
        self._disk_sizes.append(size + 1)
        self._read_at += size + 1


def new_name(base: str) -> str:
    """Return a producer name that nobody used before: numbers start at 1 with it."""
    return f"{base}.{secrets.token_hex(6)}"


def _is_object(line: bytes) -> bool:
    """Return whether a line is an object in JSON, as ids can be put into it."""
    try:
        return line.startswith(b"{") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def substitute(line: bytes) -> bytes:
    """Return a small event that says to the watchers that a large or damaged one could not be sent."""
    fields: dict[str, Any] = json.loads(line) if _is_object(line) else {}
    facts = {"type": fields.get("type"), "bytes": len(line)}
    kept = {name: fields[name] for name in ("v", "at", "round") if name in fields}
    kind = "round.warning" if "round" in kept else "publisher.event_dropped"
    return json.dumps({**kept, "type": kind, "code": "event_dropped", "facts": facts}, separators=(",", ":")).encode()
