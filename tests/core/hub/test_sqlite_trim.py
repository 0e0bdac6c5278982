from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from roundwatch.core.hub import Retention, SqliteStore, StoreListener, check_store
from roundwatch.core.hub.sqlite_trim import STEP_BYTES, STEP_EVENTS, used_bytes
from roundwatch.core.hub.store import Submission


def large(n: int, producer: str = "p") -> Submission:
    return Submission(
        "me", producer, n, f'{{"id":"{producer}:{n}","round":"r{n}","text":"{"x" * 20_000}"}}', f"r{n}", "t"
    )


async def opened(path: Path, retention: Retention) -> SqliteStore:
    store = SqliteStore(path, retention=retention)
    await store.open(StoreListener())
    return store


async def test_by_size_the_oldest_go_until_it_fits_and_the_file_shrinks(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store = await opened(path, Retention())
    for first in range(1, 1001, 100):
        await store.append([large(n) for n in range(first, first + 100)])
    await store.close()
    full = path.stat().st_size
    assert full > 20_000_000

    store = await opened(path, Retention(size=4_000_000))
    while await store.trim():
        pass
    while await store.shrink():
        pass
    assert 800 < store.first <= store.last == 1000
    await store.close()
    with contextlib.closing(sqlite3.connect(path)) as kept:
        assert used_bytes(kept) <= 4_000_000
        assert (
            kept.execute("SELECT count(*) FROM rounds").fetchone()
            == kept.execute("SELECT count(*) FROM events").fetchone()
        )
    assert path.stat().st_size < full / 2
    assert check_store(path) == []


@pytest.mark.parametrize("size", [100, 100_000])
async def test_one_step_is_small_whatever_the_size_of_the_events(tmp_path: Path, size: int) -> None:
    store = await opened(tmp_path / "s.db", Retention(events=1))
    text = "x" * size
    await store.append([Submission("me", "p", n, f'{{"id":"p:{n}","text":"{text}"}}') for n in range(1, 1202)])
    step = await store.trim()
    assert step == min(STEP_EVENTS, STEP_BYTES // size + (size > 1000))
    assert store.first > step  # the store may have taken a step of its own beside
    await store.close()


async def test_a_store_that_fills_as_fast_as_it_is_trimmed_keeps_its_free_pages(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db", Retention(events=5))
    await store.append([large(n) for n in range(1, 51)])
    while await store.trim():
        pass
    assert await store.shrink() is False
    await store.close()
