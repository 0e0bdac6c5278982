"""Finding transcripts: folders are listed again only when they changed, files are only looked at from outside."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from .follow_places import Place
from .opencode_store import StoreError, change_ns, database_sessions, stored_change_ns

DEEPEST = 12
"""Folders below a place; no agent nests its transcripts further."""
FRESH_NS = 2_000_000_000
"""A folder that changed so lately may change again without its time of change moving: it is listed again."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a file looks like from outside; another one of the same looks was not changed."""

    device: int
    inode: int
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Found:
    """A file that may be a transcript, or a session in a store of several."""

    path: Path
    place: Place
    stamp: Stamp
    session: str | None = None
    """Id of the session, where ``path`` holds several, or is only one of its files."""

    @property
    def key(self) -> str:
        """What it goes by."""
        return str(self.path) if self.session is None else f"{self.path}#{self.session}"


@dataclass(slots=True)
class _Folder:
    mtime_ns: int
    listed_ns: int
    files: list[str]
    folders: list[str]


class Scan:
    """Looks through places again and again."""

    def __init__(self, places: list[Place]) -> None:
        """Name the places; nothing is looked at yet."""
        self._places = places
        self._folders: dict[str, _Folder] = {}
        self._databases: dict[Path, tuple[tuple[Stamp, int], list[tuple[str, int]]]] = {}
        """What each looked like, and its sessions with the moments of their newest changes."""
        self.troubles: dict[Path, Exception] = {}
        """What could not be looked at in the newest run, and why."""

    def run(self, now_ns: int) -> Iterator[Found]:
        """Yield every file that is there; one that is reached in two ways comes once."""
        self.troubles = {}
        seen: set[tuple[int, int]] = set()
        for place in self._places:
            try:
                status = place.path.stat()
            except OSError as error:
                if place.is_given or not isinstance(error, FileNotFoundError | NotADirectoryError):
                    self.troubles[place.path] = error
                continue
            if stat.S_ISDIR(status.st_mode):
                yield from self._below(place, str(place.path), status, 0, seen, now_ns)
            elif stat.S_ISREG(status.st_mode):
                yield from self._file(place, place.path, status, seen)

    def _below(
        self, place: Place, path: str, status: os.stat_result, depth: int, seen: set[tuple[int, int]], now_ns: int
    ) -> Iterator[Found]:
        key = status.st_dev, status.st_ino
        if key in seen or depth > DEEPEST:  # a link that leads back up
            return
        seen.add(key)
        folder = self._listed(path, status, now_ns)
        if folder is None:
            return
        inside = not place.part or f"/{place.part}" in path.removeprefix(str(place.path))
        for name in folder.files if inside else ():
            if name.endswith(place.suffixes):
                yield from self._known(place, os.path.join(path, name), seen)
        for name in folder.folders:
            below = os.path.join(path, name)
            try:
                of_it = os.stat(below)
            except OSError as error:
                self._trouble(below, error)
                continue
            if stat.S_ISDIR(of_it.st_mode):
                yield from self._below(place, below, of_it, depth + 1, seen, now_ns)

    def _known(self, place: Place, path: str, seen: set[tuple[int, int]]) -> Iterator[Found]:
        try:
            status = os.stat(path)
        except OSError as error:
            self._trouble(path, error)
            return
        if stat.S_ISREG(status.st_mode):
            yield from self._file(place, Path(path), status, seen)

    def _file(self, place: Place, path: Path, status: os.stat_result, seen: set[tuple[int, int]]) -> Iterator[Found]:
        key = status.st_dev, status.st_ino
        if key in seen:
            return
        seen.add(key)
        stamp = Stamp(*key, status.st_size, status.st_mtime_ns)
        if path.suffix == ".db":
            yield from self._database(place, path, stamp)
        elif path.suffix == ".json" and path.parent.parent.name == "session":
            yield Found(path, place, replace(stamp, mtime_ns=stored_change_ns(path, stamp.mtime_ns)), path.stem)
        else:
            yield Found(path, place, stamp)

    def _database(self, place: Place, path: Path, stamp: Stamp) -> Iterator[Found]:
        looks = stamp, change_ns(path.with_name(f"{path.name}-wal"))
        known = self._databases.get(path)
        if known is None or known[0] != looks:
            try:
                known = self._databases[path] = looks, database_sessions(path)
            except StoreError as error:
                self.troubles[path] = error
                return
        for session, changed_ns in known[1]:
            yield Found(path, place, Stamp(stamp.device, stamp.inode, 0, changed_ns), session)

    def _listed(self, path: str, status: os.stat_result, now_ns: int) -> _Folder | None:
        known = self._folders.get(path)
        if known is not None and known.mtime_ns == status.st_mtime_ns and known.listed_ns - FRESH_NS > known.mtime_ns:
            return known
        folder = _Folder(status.st_mtime_ns, now_ns, [], [])
        try:
            with os.scandir(path) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    (folder.folders if entry.is_dir() else folder.files).append(entry.name)
        except OSError as error:
            self._trouble(path, error)
            return None
        self._folders[path] = folder
        return folder

    def _trouble(self, path: str, error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # gone since it was listed, or a link that leads nowhere
            self.troubles[Path(path)] = error
