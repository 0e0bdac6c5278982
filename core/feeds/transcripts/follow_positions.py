"""How far each transcript was delivered to one hub: a small file, so that a restart need not read everything again."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from ...hub.paths import private_folder, state_folder
from .fields import count_of, list_of, object_of, word_of
from .surrogates import from_any_json

log = logging.getLogger(__name__)

VERSION = 1


@dataclass(frozen=True, slots=True)
class Position:
    """What the hub has of one transcript."""

    producer: str
    events: int
    """The hub has settled so many."""
    stamp: tuple[int, int, int, int] | None = None
    """What the file looked like when all of it was delivered; None: something is missing."""
    concluded: bool = False
    """What its end concludes was delivered too."""
    read: int = 0
    """Bytes that these events were made from; 0 where a file is rewritten as a whole."""
    digest: str = ""
    """Of these bytes."""


class Positions:
    """The positions at one hub, by path. What it does not know is read again and told once all the same."""

    def __init__(self, file: Path) -> None:
        """Read the file; one that cannot be read counts as empty."""
        self._file = file
        self._lock = threading.Lock()
        self._known: dict[str, Position] = {}
        self._is_changed = False
        try:
            self._read(file.read_bytes())
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            log.warning("cannot read %s: every transcript is read again: %s", file, error)

    @staticmethod
    def file_for(hub: str) -> Path:
        """Return the file for a hub, which is named by its address and store."""
        return state_folder() / "follow" / f"{hashlib.sha256(hub.encode()).hexdigest()[:16]}.json"

    def get(self, path: str) -> Position | None:
        """Return how far a transcript was delivered."""
        return self._known.get(path)

    def put(self, path: str, position: Position) -> None:
        """Take note; ``save`` writes it."""
        with self._lock:
            if self._known.get(path) != position:
                self._known[path] = position
                self._is_changed = True

    def forget(self, path: str) -> None:
        """Begin again with a transcript."""
        with self._lock:
            self._is_changed = self._known.pop(path, None) is not None or self._is_changed

    def save(self) -> None:
        """Write what changed, all or nothing; a failure costs only time at the next start."""
        with self._lock:  # another thread may go on taking notes
            if not self._is_changed:
                return
            self._is_changed = False
            known = dict(self._known)
        data = {"version": VERSION, "files": {path: asdict(position) for path, position in known.items()}}
        new = self._file.with_suffix(f".{os.getpid()}.new")
        try:
            private_folder(self._file.parent)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(json.dumps(data, separators=(",", ":")).encode("utf-8", "surrogatepass"))
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._file)
        except OSError as error:
            log.warning("cannot write %s: the next start reads more again: %s", self._file, error.strerror)

    def _read(self, data: bytes) -> None:
        whole = object_of(from_any_json(data))
        if whole.get("version") != VERSION:
            raise ValueError("another version wrote it")
        for path, value in object_of(whole.get("files")).items():
            fields = object_of(value)
            producer, events = word_of(fields.get("producer")), count_of(fields.get("events"))
            numbers = [number for item in list_of(fields.get("stamp")) if (number := _number(item)) is not None]
            stamp = (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else None
            if producer is not None and events is not None:
                self._known[path] = Position(
                    producer,
                    events,
                    stamp,
                    concluded=fields.get("concluded") is True,
                    read=count_of(fields.get("read")) or 0,
                    digest=word_of(fields.get("digest")) or "",
                )


def _number(value: object) -> int | None:
    """Return a whole number; times in nanoseconds are larger than JavaScript's."""
    return value if type(value) is int else None
