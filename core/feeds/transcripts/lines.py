"""Whole lines out of pieces of a file, in bounded memory; a line that is not finished yet waits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

LINE_BYTES = 64 * 1024 * 1024
"""A longer line is given up: it is read into memory as a whole. Pictures in transcripts take some megabytes."""


class Line(NamedTuple):
    """One line without its end."""

    number: int
    """From 1 on."""
    offset: int
    """Of its first byte in the file."""
    data: bytes
    too_long: bool = False
    """It had more than ``LINE_BYTES``; ``data`` is empty."""


class LineSplitter:
    """Lines end with LF or CR LF; a byte order mark before the first is dropped. Empty lines count but do not come."""

    def __init__(self, limit: int = LINE_BYTES) -> None:
        """Begin before the first byte; a line of more than ``limit`` bytes is given up."""
        self._limit = limit
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._number = 0
        self._offset = 0

    @property
    def offset(self) -> int:
        """First byte of the line that is not finished yet."""
        return self._offset

    @property
    def pending_bytes(self) -> int:
        """Bytes of that line so far."""
        return self._pending_bytes

    def feed(self, data: bytes) -> Iterator[Line]:
        """Yield the lines that the next bytes finish; take all of them before feeding again."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            if self._pending_bytes:
                self._hold(piece)
                line = self._finish(1)
            else:
                line = self._line(piece, len(piece), 1)
            if line is not None:
                yield line
        if rest:
            self._hold(rest)

    def close(self) -> Line | None:
        """Return the last line where the file does not end with a line end."""
        return self._finish(0) if self._pending_bytes else None

    def _hold(self, piece: bytes) -> None:
        self._pending_bytes += len(piece)
        if self._pending_bytes <= self._limit:
            self._pending.append(piece)
        else:
            self._pending.clear()

    def _finish(self, end_bytes: int) -> Line | None:
        data, size = b"".join(self._pending), self._pending_bytes
        self._pending.clear()
        self._pending_bytes = 0
        return self._line(data, size, end_bytes)

    def _line(self, data: bytes, size: int, end_bytes: int) -> Line | None:
        """Return the next line, of ``size`` bytes; ``data`` is empty where that is more than the limit."""
        offset = self._offset
        too_long = size > self._limit
        data = b"" if too_long else data.removesuffix(b"\r")
        if self._number == 0:
            data = data.removeprefix(b"\xef\xbb\xbf")
        self._number += 1
        self._offset += size + end_bytes
        return Line(self._number, offset, data, too_long) if too_long or (data and not data.isspace()) else None
