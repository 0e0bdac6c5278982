from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from roundwatch.core.hub import Retention, SqliteStore, StoreError, StoreListener, check_store, stored_events
from roundwatch.core.hub import sqlite_migrate as migrations
from roundwatch.core.hub.sqlite_schema import APPLICATION_ID
from roundwatch.core.hub.store import Fate

from tests.core.hub.peers import event
from tests.core.hub.store_kinds import fates, one, wires

FIRST_VERSION = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (seq INTEGER PRIMARY KEY, round TEXT, thread TEXT, line TEXT NOT NULL);
CREATE INDEX events_of_round ON events (round, seq) WHERE round IS NOT NULL;
CREATE INDEX events_of_thread ON events (thread, seq) WHERE thread IS NOT NULL;
CREATE TABLE producers (name TEXT PRIMARY KEY, owner TEXT NOT NULL, settled INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE rounds (round TEXT PRIMARY KEY, thread TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('stream', 'old');
INSERT INTO producers VALUES ('p', 'me', 100);
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "s.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.executescript(FIRST_VERSION)
        made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        made.executemany(
            "INSERT INTO events VALUES (?, 'r1', NULL, ?)", ((n, json.dumps(event(n))) for n in range(1, 101))
        )
    return path


def content(path: Path) -> bytes:
    return path.read_bytes()


def set_version(path: Path, version: int) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"PRAGMA user_version = {version}")


async def test_an_older_store_is_lifted_with_a_backup_made_first(old: Path) -> None:
    store = SqliteStore(old, retention=Retention(events=10))
    await store.open(StoreListener())
    assert (store.stream, store.first, store.last) == ("old", 1, 100)
    assert await fates(store, one(100), one(101)) == [(Fate.DUPLICATE, 100, None), (Fate.STORED, 101, 101)]
    while await store.trim():
        pass
    assert len(await wires(store)) == 10
    await store.close()
    assert check_store(old) == []
    backup = old.with_name("s.db.version-1")
    assert [event.seq for event in stored_events(backup)] == list(range(1, 101))


def test_reports_read_an_older_store_as_it_is(old: Path) -> None:
    assert len(list(stored_events(old))) == 100
    assert check_store(old) == []
    assert not old.with_name("s.db.version-1").exists()


async def test_a_migration_that_fails_changes_nothing_and_can_be_tried_again(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(migrations.STEPS, 1, (*migrations.STEPS[1], "INSERT INTO nowhere VALUES (1)"))
        with pytest.raises(StoreError, match="nowhere"):
            await SqliteStore(old).open(StoreListener())
    assert len(list(stored_events(old))) == 100

    store = SqliteStore(old)
    await store.open(StoreListener())
    await store.close()
    assert {file.name for file in old.parent.glob("s.db.version-*")} == {"s.db.version-1", "s.db.version-1.2"}


async def test_without_room_for_the_backup_nothing_is_migrated(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(path: Path, found: int) -> Path:
        return path.parent / "absent" / str(found)

    monkeypatch.setattr(migrations, "_free_name", nowhere)
    with pytest.raises(StoreError, match="cannot back up"):
        await SqliteStore(old).open(StoreListener())
    assert len(list(stored_events(old))) == 100


@pytest.mark.parametrize(("version", "why"), [(99, "or a newer one"), (0, "does not know")])
async def test_a_version_that_is_not_known_is_refused_and_left_alone(old: Path, version: int, why: str) -> None:
    set_version(old, version)
    before = content(old)
    with pytest.raises(StoreError, match=why):
        await SqliteStore(old).open(StoreListener())
    assert content(old) == before
    with pytest.raises(StoreError, match=f"has version {version}"):
        list(stored_events(old))
