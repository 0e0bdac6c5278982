from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from roundwatch.core.hub import Selection, SqliteStore, StoredEvent, StoreError, StoreUnavailable, stored_events
from roundwatch.core.hub.store import Fate, Submission


def one(n: int, producer: str = "p", owner: str = "me", **fields: str | None) -> Submission:
    return Submission(owner, producer, n, f'{{"n":{n}}}', **fields)


class Listener:
    def __init__(self) -> None:
        self.seqs: list[int] = []

    def __call__(self, events: Sequence[StoredEvent]) -> None:
        self.seqs += [event.seq for event in events]


async def opened(path: Path, listener: Listener | None = None, keep: int | None = None) -> SqliteStore:
    store = SqliteStore(path, keep_events=keep)
    await store.open(listener or Listener())
    return store


async def fates(store: SqliteStore, *batch: Submission) -> list[tuple[Fate, int]]:
    return [(receipt.fate, receipt.settled) for receipt in await store.append(batch)]


async def test_numbers_rise_by_one_and_survive_a_restart_with_the_stream(tmp_path: Path) -> None:
    path = tmp_path / "new" / "s.db"
    first = await opened(path)
    assert await fates(first, one(1), one(2)) == [(Fate.STORED, 1), (Fate.STORED, 2)]
    await first.close()
    again = await opened(path)
    assert (again.stream, again.first, again.last) == (first.stream, 1, 2)
    assert await fates(again, one(2), one(3)) == [(Fate.DUPLICATE, 2), (Fate.STORED, 3)]
    page = await again.read(0)
    assert [(event.seq, event.line) for event in page.events] == [(n, b'{"n":%d}' % n) for n in (1, 2, 3)]
    await again.close()
    assert [event.seq for event in stored_events(path)] == [1, 2, 3]


async def test_the_file_its_log_and_its_new_folder_are_for_the_account_only(tmp_path: Path) -> None:
    store = await opened(tmp_path / "new" / "s.db")
    await fates(store, one(1))
    modes = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()}
    await store.close()
    assert set(modes) == {"s.db", "s.db-wal", "s.db-shm", "s.db.lock"}
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


async def test_gaps_rejections_and_foreign_names_store_nothing(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    bad = Submission("me", "p", 1, fault="bad")
    assert await fates(store, one(2), bad, one(1), one(2), one(3, owner="other")) == [
        (Fate.GAP, 0),
        (Fate.REJECTED, 1),
        (Fate.DUPLICATE, 1),
        (Fate.STORED, 2),
        (Fate.NOT_OWNER, 0),
    ]
    assert await fates(store, one(1, "q", "other"), one(3, owner="other")) == [(Fate.STORED, 1), (Fate.NOT_OWNER, 0)]
    assert store.last == 2
    await store.close()


async def test_a_name_belongs_to_nobody_before_something_of_it_was_settled(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    assert await fates(store, one(5)) == [(Fate.GAP, 0)]
    assert await fates(store, one(1, owner="other")) == [(Fate.STORED, 1)]
    await store.close()


async def test_concurrent_batches_are_told_in_order_of_their_numbers(tmp_path: Path) -> None:
    listener = Listener()
    store = await opened(tmp_path / "s.db", listener)
    await asyncio.gather(*(store.append([one(n, f"p{p}") for n in range(1, 51)]) for p in range(20)))
    assert listener.seqs == list(range(1, 1001))
    await store.close()


async def test_the_newest_events_are_kept_and_the_numbering_goes_on(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db", keep=10)
    for n in range(1, 31):
        await store.append([one(n)])
    assert store.last == 30
    assert 20 <= store.first <= 21
    page = await store.read(0)
    assert page.first == store.first == page.events[0].seq
    assert await fates(store, one(1)) == [(Fate.DUPLICATE, 30)]
    await store.close()


async def test_a_selection_finds_rounds_threads_and_the_rounds_that_work_for_them(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.append(
        [
            one(1, round="a", thread="t"),
            one(2, round="a"),
            one(3, round="child", parent="a"),
            one(4, round="child"),
            one(5, round="b"),
            one(6, thread="t"),
        ]
    )
    await store.append([one(7, round="child"), one(8, round="x", parent="unknown")])

    async def seqs(**names: str) -> list[int]:
        page = await store.read(0, Selection(**{key: frozenset({value}) for key, value in names.items()}))
        assert page.through == 8
        return [event.seq for event in page.events]

    assert await seqs(threads="t") == [1, 2, 3, 4, 6, 7]
    assert await seqs(rounds="a") == [1, 2]
    assert await seqs(rounds="a", threads="t") == [1, 2]
    assert await seqs(rounds="b", threads="t") == []
    everything = await store.read(0)
    wanted = Selection(threads=frozenset({"t"}))
    assert [event.seq for event in everything.events if wanted.matches(event)] == await seqs(threads="t")
    await store.close()


async def test_a_long_stream_is_read_page_by_page(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.append([one(n) for n in range(1, 1201)])
    await store.append([Submission("me", "q", n, "x" * 700_000) for n in range(1, 5)])
    after, seen, pages = 0, list[int](), 0
    while (page := await store.read(after)).events:
        seen += [event.seq for event in page.events]
        after, pages = page.through, pages + 1
        assert sum(len(event.line) for event in page.events) < 2 * 1024 * 1024
    assert seen == list(range(1, 1205))
    assert pages >= 4
    await store.close()


async def test_a_failed_write_acknowledges_nothing_and_the_next_one_works(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "s.db"
    store = await opened(path)
    await store.append([one(1)])
    with sqlite3.connect(path) as other:
        other.execute("ALTER TABLE events RENAME TO hidden")
    with pytest.raises(StoreUnavailable, match=r"cannot be written.*events"):
        await store.append([one(2)])
    assert "no such table" in (store.failure or "")
    assert "nothing of the batch was acknowledged" in caplog.text
    with sqlite3.connect(path) as other:
        other.execute("ALTER TABLE hidden RENAME TO events")
    other.close()
    assert await fates(store, one(2)) == [(Fate.STORED, 2)]
    assert store.failure is None
    await store.close()


async def test_a_disk_that_is_full_is_a_state_and_not_a_loss(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.append([one(1)])
    writer = store._writer  # pyright: ignore[reportPrivateUsage]
    writer.execute("PRAGMA max_page_count = 1")  # SQLite's own way to be full
    with pytest.raises(StoreUnavailable, match="full"):
        await store.append([Submission("me", "p", 2, "x" * 500_000)])
    assert store.last == 1
    writer.execute("PRAGMA max_page_count = 100000")
    assert await fates(store, one(2)) == [(Fate.STORED, 2)]
    await store.close()


async def test_two_hubs_never_share_a_store(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    with pytest.raises(StoreError, match="another hub"):
        await opened(tmp_path / "s.db")
    await store.close()
    again = await opened(tmp_path / "s.db")
    await again.close()


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


async def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    await (await opened(path)).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 2")
    other.close()
    with pytest.raises(StoreError, match="version 2"):
        await opened(path)


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.append([one(1)])
    with pytest.raises(StoreUnavailable):
        await store.read(0)


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
