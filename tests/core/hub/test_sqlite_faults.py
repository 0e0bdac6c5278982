from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from roundwatch.core.hub import Checking, Health, SqliteStore, StoreUnavailable, Writing
from roundwatch.core.hub import sqlite_faults as faults
from roundwatch.core.hub.sqlite_faults import fault_of
from roundwatch.core.hub.store import Fate, Submission

from tests.core.hub.store_kinds import Heard, damage, fates, one, wires

PATIENCE_S = 30
LARGE = "x" * 500_000


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def store(tmp_path: Path, heard: Heard) -> AsyncIterator[SqliteStore]:
    made = SqliteStore(tmp_path / "s.db")
    await made.open(heard.listener())
    yield made
    await made.close()


async def pragma(store: SqliteStore, text: str) -> None:
    await store._file.write(lambda writer: writer.execute(f"PRAGMA {text}").fetchall())  # pyright: ignore[reportPrivateUsage]


async def well_again(store: SqliteStore) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while store.health != Health():  # noqa: ASYNC110 - nobody appends: the store has to find out by itself
            await asyncio.sleep(0.05)


async def test_a_full_disk_is_a_state_that_is_told_once_and_ends_by_itself(
    store: SqliteStore, heard: Heard, caplog: pytest.LogCaptureFixture
) -> None:
    await store.append([one(1)])
    await pragma(store, "max_page_count = 1")  # SQLite's own way to be full
    for _ in range(3):
        with pytest.raises(StoreUnavailable, match=r"full; free some space"):
            await store.append([Submission("me", "p", 2, f'{{"t":"{LARGE}"}}')])
    assert (store.last, heard.seqs) == (1, [1])
    assert [health.writing for health in heard.health] == [Writing.FULL]
    assert caplog.text.count("full; free some space") == 1
    assert len(await wires(store)) == 1  # what is stored is served meanwhile

    await pragma(store, "max_page_count = 1000000")
    await well_again(store)
    assert heard.health[-1] == Health()
    assert await fates(store, one(2)) == [(Fate.STORED, 2, 2)]


async def test_a_store_that_may_only_be_read_is_opened_anew_until_it_may_be_written(
    store: SqliteStore, heard: Heard
) -> None:
    await pragma(store, "query_only = 1")  # lasts as long as the connection
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.append([one(1)])
    assert heard.health[0].writing is Writing.READ_ONLY
    await well_again(store)
    assert await fates(store, one(1)) == [(Fate.STORED, 1, 1)]


async def test_a_file_that_was_moved_away_takes_no_event_that_would_be_lost_with_it(
    store: SqliteStore, tmp_path: Path
) -> None:
    await store.append([one(1)])
    (tmp_path / "s.db").rename(tmp_path / "moved.db")
    with pytest.raises(StoreUnavailable, match="moved or deleted"):
        await store.append([one(2)])
    assert not (tmp_path / "s.db").exists()
    (tmp_path / "moved.db").rename(tmp_path / "s.db")
    await well_again(store)
    assert await fates(store, one(2)) == [(Fate.STORED, 2, 2)]


async def test_damage_that_a_read_meets_ends_writing_and_no_event_is_touched(tmp_path: Path, heard: Heard) -> None:
    path = tmp_path / "s.db"
    store = SqliteStore(path)
    await store.open(heard.listener())
    await store.append([Submission("me", "p", n, f'{{"id":"p:{n}","t":"{"y" * 2000}"}}') for n in range(1, 400)])
    await store.close()
    middle, content = damage(path)

    store = SqliteStore(path)
    await store.open(heard.listener())
    with pytest.raises(StoreUnavailable, match="damaged"):
        await wires(store)
    assert heard.health[-1].checking is Checking.DAMAGED
    with pytest.raises(StoreUnavailable, match=r"nothing more is written to it.*hub --check"):
        await store.append([one(400)])
    await store.close()
    assert path.read_bytes()[middle:] == content


LIMITED = """
import asyncio, json, resource, sys
from pathlib import Path
from roundwatch.core.hub import SqliteStore, StoreListener, StoreUnavailable
from roundwatch.core.hub.store import Submission

async def main(path, limit):
    store = SqliteStore(Path(path))
    await store.open(StoreListener())
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    n, why = 0, ""
    try:
        while True:
            await store.append([Submission("me", "p", n + 1, '{"id":"p:%d","t":"%s"}' % (n + 1, "z" * 20_000))])
            n += 1
    except StoreUnavailable as error:
        why = str(error)
    failing = store.health.writing
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    while store.health.writing != "ok":
        await asyncio.sleep(0.05)
    (receipt,) = await store.append([Submission("me", "p", n + 1, '{"id":"p:%d"}' % (n + 1))])
    await store.close()
    print(json.dumps({"acknowledged": n, "why": why, "state": failing, "then": receipt.settled}))

asyncio.run(main(sys.argv[1], 2_000_000))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_at_a_real_limit_of_file_size_nothing_acknowledged_is_lost_and_it_goes_on_afterwards(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / "s.db")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["acknowledged"] > 10
    assert told["state"] in (Writing.FULL, Writing.FAILING)
    assert "cannot be written" in told["why"]
    assert told["then"] == told["acknowledged"] + 1
    with sqlite3.connect(tmp_path / "s.db") as kept:
        assert kept.execute("SELECT count(*), max(seq) FROM events").fetchone() == (told["then"], told["then"])
    kept.close()


def test_an_unspecific_error_on_a_disk_without_space_is_called_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    assert fault_of(tmp_path / "s.db", error, "written").writing is Writing.FAILING
    monkeypatch.setattr(faults, "TIGHT_BYTES", 2**63)
    assert fault_of(tmp_path / "s.db", error, "written").writing is Writing.FULL
    assert fault_of(tmp_path / "absent" / "s.db", error, "written").writing is Writing.FAILING
