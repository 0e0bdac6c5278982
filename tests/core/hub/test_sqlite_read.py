from __future__ import annotations

import os
import shutil
from pathlib import Path

from roundwatch.core.hub import SqliteStore, StoreListener, stored_events
from roundwatch.core.hub.lines import with_seq
from roundwatch.core.hub.sqlite_read import REPORT_BYTES
from roundwatch.core.hub.store import Submission

from tests.core.hub.store_kinds import one, wires


async def filled(path: Path, *events: Submission) -> SqliteStore:
    store = SqliteStore(path)
    await store.open(StoreListener())
    await store.append(events)
    return store


async def test_sql_and_python_put_the_seq_in_front_alike(tmp_path: Path) -> None:
    texts = ['{"a":1}', '{ "id":"p:2"}', '{"ä\\u0000":"\\ud83d","🙂":""}', '{"t":"' + "ß" * 100_000 + '"}']
    store = await filled(tmp_path / "s.db", *(Submission("me", "p", n, text) for n, text in enumerate(texts, start=1)))
    assert await wires(store) == [with_seq(text.encode(), n) for n, text in enumerate(texts, start=1)]
    await store.close()


async def test_a_live_store_is_read_while_its_hub_writes(tmp_path: Path) -> None:
    store = await filled(tmp_path / "s.db", one(1))
    reading = stored_events(tmp_path / "s.db")
    assert next(reading).seq == 1
    await store.append([one(2)])
    assert [event.seq for event in stored_events(tmp_path / "s.db")] == [1, 2]
    assert [event.seq for event in reading] == [2]
    await store.close()


async def test_a_copy_without_its_log_is_read_where_nothing_may_be_written(tmp_path: Path) -> None:
    await (await filled(tmp_path / "s.db", *(one(n) for n in range(1, 10)))).close()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(tmp_path / "s.db", folder / "copy.db")
    for path, mode in ((folder / "copy.db", 0o400), (folder, 0o500)):
        path.chmod(mode)
    try:
        assert len(list(stored_events(folder / "copy.db"))) == 9
        if os.geteuid() != 0:  # root may write everywhere
            assert [file.name for file in folder.iterdir()] == ["copy.db"]
    finally:
        folder.chmod(0o700)


async def test_a_report_of_large_events_reads_a_bounded_piece_at_once(tmp_path: Path) -> None:
    text = "x" * 700_000
    store = await filled(tmp_path / "s.db", *(Submission("me", "p", n, f'{{"t":"{text}"}}') for n in range(1, 8)))
    await store.close()
    assert len(text) * 2 > REPORT_BYTES
    assert [event.seq for event in stored_events(tmp_path / "s.db")] == list(range(1, 8))
