from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from roundwatch.core.hub import SqliteStore, StoreError, StoreListener, check_store
from roundwatch.core.hub.sqlite_check import MOST_FINDINGS, QuickCheck
from roundwatch.core.hub.store import Submission

from tests.core.hub.peers import event
from tests.core.hub.store_kinds import damage


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path / "s.db")
    await store.open(StoreListener())
    await store.append([Submission("me", "p", n, json.dumps(event(n, text="y" * 500)), "r1") for n in range(1, 201)])
    await store.append(
        [Submission("me", "q", 1, fault="bad"), Submission("me", "q", 2, json.dumps(event(2, "q")), "r1")]
    )
    await store.close()
    return tmp_path / "s.db"


def change(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        for statement in statements:
            other.execute(statement)


def test_a_store_as_a_hub_leaves_it_is_sound(path: Path) -> None:
    assert check_store(path) == []


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("DELETE FROM events WHERE seq BETWEEN 50 AND 59", "of the events 1 to 201 only 191 are there"),
        ("UPDATE events SET line = 'no json' WHERE seq = 3", "event 3 is no line of a producer"),
        ("UPDATE events SET line = '[1]' WHERE seq = 3", "event 3 is no line of a producer"),
        ("UPDATE events SET line = '{\"id\": 5}' WHERE seq = 3", "event 3 is no line of a producer"),
        ("UPDATE producers SET settled = 100 WHERE name = 'p'", "event 101 has number 101 of its producer"),
        ("DELETE FROM producers WHERE name = 'q'", "event 201 has number 2 of its producer, of whom only 0"),
        ("UPDATE events SET line = (SELECT line FROM events WHERE seq = 9) WHERE seq = 12", "stored after number 11"),
        ("UPDATE events SET round = 'r2' WHERE seq = 7", "event 7 is filed under another round"),
        ("INSERT INTO marks VALUES (900, 1)", "the note of when event"),
        ("UPDATE marks SET at = 9e12", None),
        ("DELETE FROM meta WHERE key = 'stream'", "it does not say which stream it holds"),
    ],
)
def test_what_contradicts_itself_is_found_and_named(path: Path, statement: str, finding: str | None) -> None:
    change(path, statement)
    found = check_store(path)
    assert (finding is None and not found) or (finding is not None and finding in " | ".join(found))


def test_an_index_that_disagrees_with_its_table_is_found(path: Path) -> None:
    change(
        path,
        "PRAGMA writable_schema = 1",
        "UPDATE sqlite_master SET sql = replace(sql, 'IS NOT NULL', 'IS NULL') WHERE name = 'events_of_round'",
    )
    assert any("events_of_round" in finding for finding in check_store(path))


def test_many_findings_are_bounded(path: Path) -> None:
    change(path, "UPDATE events SET round = 'r2'")
    assert len(check_store(path)) == MOST_FINDINGS


def test_damaged_pages_are_findings_and_the_file_stays_as_it_is(path: Path) -> None:
    damage(path)
    before = path.read_bytes()
    assert check_store(path)
    assert path.read_bytes() == before


def test_what_cannot_be_checked_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot read"):
        check_store(tmp_path / "absent.db")


async def test_the_quick_check_finds_damaged_pages_and_nothing_else(path: Path) -> None:
    assert await QuickCheck(path).run() is None
    damage(path)
    assert await QuickCheck(path).run()


async def test_what_the_quick_check_finds_stands_on_one_line(path: Path) -> None:
    change(path, "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET rootpage = rootpage + 1 WHERE name = 'marks'")
    found = await QuickCheck(path).run()
    assert found
    assert len(found.splitlines()) == 1
    assert "***" not in found


async def test_a_quick_check_that_was_stopped_does_not_begin(path: Path) -> None:
    check = QuickCheck(path)
    check.stop()
    damage(path)
    assert await check.run() is None
    assert check.was_stopped
