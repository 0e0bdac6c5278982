"""A folder that tools may work in, and nothing outside of it: no link is followed, every size is bounded."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

MAX_FILE_BYTES = 256 * 1024
"""Of a file that is read or written: more does not fit into a model's context anyway."""
MAX_DEPTH = 32
MAX_NAMES = 5_000
"""Entries looked at in one walk; a larger tree is told as such."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # a pipe must not hang whoever opens it


class NotAllowed(Exception):
    """A path or a size that the folder does not take; ``str()`` says why and is meant for the model."""


@dataclass(frozen=True)
class Entry:
    """A file or folder below the folder."""

    path: str
    """Relative, with ``/``."""
    size: int | None
    """Bytes of a plain file; None for a folder."""


class Folder:
    """Opens every path step by step from the folder itself, so a link swapped in meanwhile leads nowhere.

    Args:
        root: an existing folder; links in *its own* path are followed, once.

    Raises:
        NotADirectoryError: there is no folder.
        NotImplementedError: this system cannot open files relative to a folder.
    """

    def __init__(self, root: Path) -> None:
        if os.open not in os.supports_dir_fd:
            raise NotImplementedError("file tools need a system that opens files relative to a folder")
        self.root = root.resolve()
        if not self.root.is_dir():
            raise NotADirectoryError(str(root))

    def read(self, path: str) -> bytes:
        """Return a plain file's content, at most ``MAX_FILE_BYTES``.

        Raises:
            NotAllowed: outside, a link, no plain file, or too large.
            OSError: it is not there or cannot be read.
        """
        *above, name = _parts(path)
        with self._directory(above) as folder, _opened(name, os.O_RDONLY, folder) as file:
            found = os.fstat(file)
            if not stat.S_ISREG(found.st_mode):
                raise NotAllowed(f"{path}: not a plain file")
            content = bytearray()
            while chunk := os.read(file, MAX_FILE_BYTES + 1 - len(content)):
                content += chunk
            if len(content) > MAX_FILE_BYTES:
                raise NotAllowed(f"{path}: larger than {MAX_FILE_BYTES} bytes")
            return bytes(content)

    def write(self, path: str, content: bytes) -> None:
        """Write a plain file, whole or not at all; folders on the way are made.

        Raises:
            NotAllowed: outside, through or onto a link, onto anything but a plain file, or too large.
            OSError: it cannot be written.
        """
        if len(content) > MAX_FILE_BYTES:
            raise NotAllowed(f"{path}: {len(content)} bytes are more than {MAX_FILE_BYTES}")
        *above, name = _parts(path)
        with self._directory(above, make=True) as folder:
            with suppress(FileNotFoundError):
                if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                    raise NotAllowed(f"{path}: not a plain file")
            draft = f".{secrets.token_hex(8)}.draft"
            try:
                with _opened(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, folder) as file:
                    left = memoryview(content)
                    while left:
                        left = left[os.write(file, left) :]
                os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(draft, dir_fd=folder)
                raise

    def walk(self, path: str = ".") -> Iterator[Entry]:
        """Yield plain files and folders below ``path``, in order of name; links and all else are left out.

        Raises:
            NotAllowed: outside, a link, or more than ``MAX_NAMES`` entries.
            OSError: it is not there or cannot be read.
        """
        start = _parts(path) if path not in ("", ".") else []
        count = 0
        pending = [start]
        while pending:
            parts = pending.pop()
            below: list[list[str]] = []
            for name, found in self._entries(parts):
                count += 1
                if count > MAX_NAMES:
                    raise NotAllowed(f"{path}: more than {MAX_NAMES} entries; name a smaller folder")
                is_folder = stat.S_ISDIR(found.st_mode)
                if is_folder and len(parts) < MAX_DEPTH:
                    below.append([*parts, name])
                if is_folder or stat.S_ISREG(found.st_mode):
                    yield Entry("/".join((*parts, name)), None if is_folder else found.st_size)
            pending += reversed(below)

    def _entries(self, parts: list[str]) -> list[tuple[str, os.stat_result]]:
        found: list[tuple[str, os.stat_result]] = []
        with self._directory(parts) as folder:
            names = os.listdir(folder)
            if len(names) > MAX_NAMES:
                raise NotAllowed(f"{'/'.join(parts) or '.'}: {len(names)} entries are more than {MAX_NAMES}")
            for name in sorted(names):
                with suppress(FileNotFoundError):  # it went away meanwhile
                    found.append((name, os.stat(name, dir_fd=folder, follow_symlinks=False)))
        return found

    @contextmanager
    def _directory(self, parts: list[str], *, make: bool = False) -> Generator[int]:
        folder = os.open(self.root, _DIRECTORY)
        try:
            for part in parts:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(part, dir_fd=folder)
                below = _open(part, _DIRECTORY, folder)
                os.close(folder)
                folder = below
            yield folder
        finally:
            os.close(folder)


def _parts(path: str) -> list[str]:
    """Split a relative path into its steps; ``..`` is not resolved but refused: no path needs it."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts or path.startswith(("/", "\\")) or ".." in parts or any("\0" in part for part in parts):
        raise NotAllowed(f"{path[:200]!r}: a path inside the folder is wanted, relative and without '..'")
    if len(parts) > MAX_DEPTH:
        raise NotAllowed(f"{path[:200]!r}: more than {MAX_DEPTH} folders deep")
    return parts


def _open(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags, 0o600, dir_fd=folder)
    except OSError:
        with suppress(FileNotFoundError):
            if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                raise NotAllowed(f"{name}: a link; links are not followed") from None
        raise


@contextmanager
def _opened(name: str, flags: int, folder: int) -> Generator[int]:
    file = _open(name, flags | _FILE, folder)
    try:
        yield file
    finally:
        os.close(file)
