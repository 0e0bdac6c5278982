"""The file behind a spool: a header of fixed size, then one line per event, locked by the process that uses it."""

from __future__ import annotations

import errno
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .paths import private_file
from .store_lock import try_lock

log = logging.getLogger(__name__)

HEADER_BYTES = 1024
BLOCK_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Header:
    """Whose lines follow. ``first`` is the number of the line that begins at offset ``front``."""

    producer: str
    url: str
    first: int
    front: int = HEADER_BYTES


class SpoolFile:
    """An open, locked spool file. Writes reach the page cache: they survive the process, not a power cut."""

    def __init__(self, path: Path, descriptor: int, header: Header, size: int) -> None:
        """Use ``create`` or ``adopt``."""
        self.path = path
        self.header = header
        self.size = size
        self._descriptor = descriptor

    @classmethod
    def create(cls, path: Path, header: Header) -> SpoolFile:
        """Make and lock a new file.

        Raises:
            OSError: it cannot be written, or another process holds it.
        """
        descriptor = private_file(path)
        if not try_lock(descriptor):
            os.close(descriptor)
            raise OSError(errno.EBUSY, "another process uses it")
        os.ftruncate(descriptor, 0)
        file = cls(path, descriptor, header, HEADER_BYTES)
        file.write_header(header)
        return file

    @classmethod
    def adopt(cls, path: Path, url: str) -> SpoolFile | None:
        """Open the file of a process that is gone, or return None: held, for another hub, or nothing left in it."""
        try:
            descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return None
        is_ours = try_lock(descriptor) and _is_still(descriptor, path)
        header = _read_header(descriptor) if is_ours else None
        size = os.fstat(descriptor).st_size
        if is_ours and header is None and size > HEADER_BYTES:
            log.warning("unsent events in %s are not sent: the beginning of the file is damaged. Move it away", path)
        if header is None or header.url != url or header.front > size:
            # a front behind the end: the process died while it emptied a file whose lines were all settled
            os.close(descriptor)
            return None
        file = cls(path, descriptor, header, size)
        file.size = header.front + sum(len(line) + 1 for line in file.lines(header.front))
        if b"\0" in os.pread(descriptor, BLOCK_BYTES, file.size):  # of a half-written line there would be text
            log.warning("the end of %s is damaged: unsent events were lost, as in a power cut", path)
        os.ftruncate(descriptor, file.size)  # a half-written last line was never accepted
        return file

    def append(self, line: bytes) -> None:
        """Write one line behind the others, or nothing at all.

        Raises:
            OSError: it does not fit on the disk.
        """
        data = line + b"\n"
        try:
            _write_all(self._descriptor, data, self.size)
        except OSError:
            os.ftruncate(self._descriptor, self.size)
            raise
        self.size += len(data)

    def lines(self, start: int) -> Iterator[bytes]:
        """Yield the complete lines from an offset on."""
        rest = b""
        while start < self.size:
            block = os.pread(self._descriptor, min(BLOCK_BYTES, self.size - start), start)
            if not block:
                return
            start += len(block)
            *complete, rest = (rest + block).split(b"\n")
            yield from complete

    def write_header(self, header: Header) -> None:
        """Replace the header."""
        data = json.dumps(asdict(header)).encode()
        if len(data) >= HEADER_BYTES:
            raise OSError(errno.ENAMETOOLONG, "the hub's URL or the producer's name is too long")
        _write_all(self._descriptor, data.ljust(HEADER_BYTES - 1) + b"\n", 0)
        self.header = header

    def empty(self, first: int) -> None:
        """Drop all lines, which are settled; ``first`` is the number of the next one."""
        os.ftruncate(self._descriptor, HEADER_BYTES)
        self.size = HEADER_BYTES
        self.write_header(Header(self.header.producer, self.header.url, first))

    def drop_before(self, front: int, first: int) -> None:
        """Keep only what begins at offset ``front``, in a new file that takes the old one's place at once.

        Raises:
            OSError: it cannot be written; this file stays as it is.
        """
        rest = os.pread(self._descriptor, self.size - front, front)
        draft = self.path.with_suffix(".new")
        new = SpoolFile.create(draft, Header(self.header.producer, self.header.url, first))
        try:
            _write_all(new._descriptor, rest, HEADER_BYTES)
            os.replace(draft, self.path)
        except OSError:
            new.close(remove=True)
            raise
        os.close(self._descriptor)
        self._descriptor, self.header, self.size = new._descriptor, new.header, HEADER_BYTES + len(rest)

    def close(self, *, remove: bool) -> None:
        """Release the file, and remove it when nothing in it is needed."""
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._descriptor)


def _write_all(descriptor: int, data: bytes, offset: int) -> None:
    """Write ``data`` or raise: a disk that fills up takes a part and calls that no error."""
    if os.pwrite(descriptor, data, offset) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _is_still(descriptor: int, path: Path) -> bool:
    """Return whether the name still means the open file: its process may have replaced or removed it."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _read_header(descriptor: int) -> Header | None:
    try:
        fields: dict[str, Any] = json.loads(os.pread(descriptor, HEADER_BYTES, 0))
        header = Header(str(fields["producer"]), str(fields["url"]), int(fields["first"]), int(fields["front"]))
    except (ValueError, TypeError, KeyError):
        return None
    return header if header.first >= 1 and header.front >= HEADER_BYTES else None
