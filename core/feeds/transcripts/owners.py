"""Which transcript told of a message first: kept on disk, for a session may be copied long after it was read."""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import threading
from pathlib import Path

from ...hub.paths import private_folder, state_folder

log = logging.getLogger(__name__)

BUSY_S = 10.0  # another follower may be writing
CACHE_KIB = 8 * 1024
_SCHEMA = """
CREATE TABLE IF NOT EXISTS owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS owned (key INTEGER PRIMARY KEY, owner INTEGER NOT NULL);
"""


class Owners:
    """Owners of keys, in bounded memory; used from several threads.

    The first one that claims a key owns it for good: a transcript that is read again tells the same again. Of a key
    a hash of 8 bytes is kept. Without a file, or where it cannot be used, all of this lasts as long as the process.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Open the index, or begin one."""
        self._lock = threading.Lock()
        self._ids: dict[str, int] = {}
        self._names: dict[int, str] = {}
        try:
            self._database = _opened(file)
        except (OSError, sqlite3.Error) as error:
            log.warning("cannot use %s: copies of transcripts of earlier runs are not known: %s", file, error)
            self._database = _opened(None)

    @staticmethod
    def default_file() -> Path:
        """Return this account's index."""
        return state_folder() / "follow" / "owners.sqlite3"

    def claim(self, key: str, owner: str) -> str:
        """Return whose ``key`` is: whoever claimed it first."""
        number = _hash(key)
        with self._lock:
            try:
                mine = self._id(owner)
                added = self._database.execute("INSERT OR IGNORE INTO owned VALUES (?, ?)", (number, mine))
                if added.rowcount == 1:
                    return owner
                found = self._database.execute("SELECT owner FROM owned WHERE key = ?", (number,)).fetchone()
                return owner if found is None else self._name(found[0]) or owner
            except sqlite3.Error as error:
                self._give_up(error)
                return owner

    def has(self, key: str) -> bool:
        """Return whether anybody claimed ``key``."""
        with self._lock:
            try:
                found = self._database.execute("SELECT 1 FROM owned WHERE key = ?", (_hash(key),)).fetchone()
            except sqlite3.Error as error:
                self._give_up(error)
                return False
            return found is not None

    def save(self) -> None:
        """Write what was claimed: before anything of it is delivered."""
        with self._lock:
            try:
                self._database.commit()
            except sqlite3.Error as error:
                self._give_up(error)

    def close(self) -> None:
        """Write and let go of the file."""
        self.save()
        with self._lock:
            self._database.close()

    def _id(self, owner: str) -> int:
        known = self._ids.get(owner)
        if known is None:
            self._database.execute("INSERT OR IGNORE INTO owner (name) VALUES (?)", (owner,))
            known = self._database.execute("SELECT id FROM owner WHERE name = ?", (owner,)).fetchone()[0]
            self._ids[owner] = int(known)
        return int(known)

    def _name(self, number: int) -> str | None:
        known = self._names.get(number)
        if known is None:
            found = self._database.execute("SELECT name FROM owner WHERE id = ?", (number,)).fetchone()
            known = self._names[number] = found[0] if found is not None else ""
        return known or None

    def _give_up(self, error: sqlite3.Error) -> None:
        """Go on without the file: what was told counts twice rather than not at all."""
        log.warning("the index of copied transcripts fails: copies may count twice: %s", error)
        self._database.close()
        self._database = _opened(None)
        self._ids.clear()
        self._names.clear()


def _hash(key: str) -> int:
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _opened(file: Path | None) -> sqlite3.Connection:
    if file is not None:
        private_folder(file.parent)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    database = sqlite3.connect("" if file is None else file, timeout=BUSY_S, check_same_thread=False)
    try:
        database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")  # lost with the machine's power: copies may count twice then
        database.executescript(_SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database
