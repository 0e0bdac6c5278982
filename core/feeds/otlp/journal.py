"""A file of lines that survive the process: what was confirmed to a sender and is not in the store yet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...hub.paths import private_file
from ...hub.store_lock import make_folder, try_lock

BLOCK_BYTES = 256 * 1024


class Journal:
    """An open, locked file. Its methods take time and belong into a thread, one at a time."""

    def __init__(self, path: Path) -> None:
        """Open the file, made where it is missing.

        Raises:
            OSError: it cannot be written, or another process holds it.
        """
        make_folder(path)
        self._path = path
        self._descriptor = private_file(path)
        if not try_lock(self._descriptor):
            os.close(self._descriptor)
            raise BlockingIOError("another process uses it")
        self.size = os.fstat(self._descriptor).st_size

    def lines(self) -> Iterator[bytes]:
        """Yield what was written; a half-written last line was never confirmed."""
        rest, at = b"", 0
        while block := os.pread(self._descriptor, BLOCK_BYTES, at):
            at += len(block)
            *complete, rest = (rest + block).split(b"\n")
            yield from complete
        self.size = at - len(rest)

    def append(self, lines: Sequence[bytes]) -> None:
        """Write lines behind the others, or nothing at all.

        Raises:
            OSError: they do not fit on the disk.
        """
        data = b"".join(line + b"\n" for line in lines)
        try:
            _write_all(self._descriptor, data, self.size)
        except OSError:
            os.ftruncate(self._descriptor, self.size)
            raise
        self.size += len(data)

    def replace(self, lines: Sequence[bytes]) -> None:
        """Write these lines in place of all others; a process that dies meanwhile leaves the old ones.

        Raises:
            OSError: they do not fit on the disk; the old ones are still there.
        """
        if not lines:
            os.ftruncate(self._descriptor, 0)
            self.size = 0
            return
        draft = self._path.with_name(self._path.name + ".new")
        descriptor = private_file(draft)
        try:
            os.ftruncate(descriptor, 0)
            data = b"".join(line + b"\n" for line in lines)
            _write_all(descriptor, data, 0)
            try_lock(descriptor)
            os.replace(draft, self._path)
        except OSError:
            os.close(descriptor)
            raise
        os.close(self._descriptor)
        self._descriptor, self.size = descriptor, len(data)

    def close(self) -> None:
        """Let another process use it."""
        os.close(self._descriptor)


def _write_all(descriptor: int, data: bytes, at: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, at)
        view, at = view[written:], at + written
