from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest
from roundwatch.core.hub import SqliteStore, StoreError, StoreListener, back_up, check_store, stored_events
from roundwatch.core.hub.store import Fate

from tests.core.hub.store_kinds import fates, one, wires


async def opened(path: Path) -> SqliteStore:
    store = SqliteStore(path)
    await store.open(StoreListener())
    return store


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


async def test_a_backup_of_a_store_in_use_is_one_sound_file_with_all_that_was_acknowledged(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.append([one(n) for n in range(1, 501)])
    going_on = asyncio.create_task(store.append([one(n) for n in range(501, 2001)]))
    await asyncio.to_thread(back_up, tmp_path / "s.db", tmp_path / "b.db")
    await going_on
    await store.close()

    kept = [event.seq for event in stored_events(tmp_path / "b.db")]
    assert kept[:500] == list(range(1, 501))
    assert len(kept) in (500, 2000)
    assert check_store(tmp_path / "b.db") == []
    assert (tmp_path / "b.db").stat().st_mode & 0o777 == 0o600
    assert not [name for name in names(tmp_path) if ".part" in name]


async def test_a_hub_on_a_backup_goes_on_as_another_stream_and_knows_its_producers(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.append([one(1), one(2)])
    await asyncio.to_thread(back_up, tmp_path / "s.db", tmp_path / "b.db")
    await store.close()

    restored = await opened(tmp_path / "b.db")
    assert restored.stream != store.stream
    assert await fates(restored, one(2), one(3)) == [(Fate.DUPLICATE, 2, None), (Fate.STORED, 3, 3)]
    assert len(await wires(restored)) == 3
    await restored.close()


async def test_nothing_is_replaced_and_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    await (await opened(tmp_path / "s.db")).close()
    (tmp_path / "b.db").write_text("mine")
    with pytest.raises(StoreError, match="exists"):
        await asyncio.to_thread(back_up, tmp_path / "s.db", tmp_path / "b.db")
    assert (tmp_path / "b.db").read_text() == "mine"
    with pytest.raises(StoreError, match="cannot back up"):
        await asyncio.to_thread(back_up, tmp_path / "s.db", tmp_path / "absent" / "b.db")
    with pytest.raises(StoreError, match="cannot read"):
        await asyncio.to_thread(back_up, tmp_path / "absent.db", tmp_path / "c.db")
    assert not (tmp_path / "c.db").exists()


async def test_a_damaged_store_leaves_no_half_backup(tmp_path: Path) -> None:
    await (await opened(tmp_path / "s.db")).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = 1")
        other.execute("UPDATE sqlite_master SET rootpage = 9999 WHERE name = 'events'")
    with pytest.raises(StoreError, match="cannot back up"):
        await asyncio.to_thread(back_up, tmp_path / "s.db", tmp_path / "b.db")
    assert names(tmp_path) <= {"s.db", "s.db-wal", "s.db-shm", "s.db.lock"}
