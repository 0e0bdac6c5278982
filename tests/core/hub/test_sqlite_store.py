"""What is SQLite's own; what every store does is in test_store.py."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from roundwatch.core.hub import SqliteStore, StoreError, StoreListener, StoreUnavailable, stored_events

from tests.core.hub.store_kinds import one


async def opened(path: Path) -> SqliteStore:
    store = SqliteStore(path)
    await store.open(StoreListener())
    return store


async def test_the_file_its_log_and_its_new_folder_are_for_the_account_only(tmp_path: Path) -> None:
    store = await opened(tmp_path / "new" / "s.db")
    await store.append([one(1)])
    modes = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()}
    await store.close()
    assert set(modes) == {"s.db", "s.db-wal", "s.db-shm", "s.db.lock"}
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


async def test_a_file_that_is_no_store_of_ours_is_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    text = tmp_path / "text.db"
    text.write_text("this is no database " * 100)
    for path, why in ((foreign, "another program"), (text, "not a database")):
        with pytest.raises(StoreError, match=why):
            await opened(path)
    assert text.read_text().startswith("this is no database")
    with pytest.raises(StoreError, match="no roundwatch store"):
        list(stored_events(foreign))
    with pytest.raises(StoreError, match="cannot read"):
        list(stored_events(tmp_path / "absent.db"))


async def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="lock"):
        await opened(tmp_path / "file" / "s.db")


@pytest.mark.parametrize("table", ["events", "meta"])
async def test_a_damaged_store_is_a_clear_error_for_hub_and_reader(tmp_path: Path, table: str) -> None:
    path = tmp_path / "s.db"
    await (await opened(path)).close()
    with sqlite3.connect(path) as other:
        other.execute(f"DROP TABLE {table}")
    other.close()
    with pytest.raises(StoreError, match="move it away"):
        await opened(path)
    if table == "events":
        with pytest.raises(StoreError, match="cannot read the store"):
            list(stored_events(path))


async def test_a_store_that_does_not_say_its_stream_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    await (await opened(path)).close()
    with sqlite3.connect(path) as other:
        other.execute("DELETE FROM meta")
    other.close()
    with pytest.raises(StoreError, match="which stream"):
        await opened(path)


async def test_a_number_that_another_program_took_is_not_given_a_second_time(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.append([one(1)])
    with contextlib.closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("INSERT INTO events VALUES (2, NULL, NULL, '{}')")
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="UNIQUE"):
            await store.append([one(2)])
        with pytest.raises(StoreUnavailable, match="changed by another program"):
            await store.try_again()
    await store.close()
