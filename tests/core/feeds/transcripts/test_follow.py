"""The follower on real files and a real hub: whatever happens to a file, its events are stored once."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any, cast

from roundwatch.core.feeds.transcripts import follow

from .following import stage
from .foreign_records import (
    GEMINI_ROWS,
    PI_HEAD,
    T0,
    gemini_document,
    inspect_log,
    inspect_model,
    inspect_sample,
    lines,
    opencode_rows,
    pi_answer,
    pi_prompt,
)

HEAD = lines(PI_HEAD, pi_prompt("question"))


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


async def test_what_is_there_is_told_and_what_is_added_follows(tmp_path: Path) -> None:
    async with stage(tmp_path) as on, on.following():
        (on.folder / "s.jsonl").write_bytes(HEAD + lines(pi_answer("one")))
        await on.until_texts("one")
        append(on.folder / "s.jsonl", lines(pi_answer("two")))
        await on.until_texts("one", "two")
        (on.folder / "deep" / "down").mkdir(parents=True)
        (on.folder / "deep" / "down" / "t.jsonl").write_bytes(lines({**PI_HEAD, "id": "pi-2"}, pi_answer("three")))
        await on.until_texts("one", "two", "three")


async def test_a_line_cut_inside_a_character_waits_for_its_end(tmp_path: Path) -> None:
    whole = lines(pi_answer("Grüße"))
    middle = whole.index("ü".encode()) + 1
    async with stage(tmp_path) as on, on.following() as follower:
        path = on.folder / "s.jsonl"
        path.write_bytes(HEAD + lines(pi_answer("one")) + whole[:middle])
        await on.until_texts("one")
        append(path, whole[middle:])
        await on.until_texts("one", "Grüße")
        assert follower.counts.unreadable == 0


async def test_corrupt_lines_are_counted_with_their_place_and_the_rest_goes_on(tmp_path: Path) -> None:
    async with stage(tmp_path) as on, on.following() as follower:
        (on.folder / "s.jsonl").write_bytes(HEAD + b'{"broken\n' + lines(pi_answer("one")))
        await on.until_texts("one")
        await on.until(lambda: bool(on.told))
        assert on.told[0][0] == "s.jsonl"
        assert on.told[0][1].startswith(f"line 3, byte {len(HEAD)}:")
        assert follower.counts.unreadable == 1


async def test_a_restart_tells_nothing_twice_with_or_without_its_position_file(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        path = on.folder / "s.jsonl"
        path.write_bytes(HEAD + lines(pi_answer("one")))
        await on.follower().run_once()
        before = on.stored()
        await on.follower().run_once()
        assert on.stored() == before
        on.positions.unlink()
        await on.follower().run_once()
        assert on.stored() == before
        append(path, lines(pi_answer("two")))
        await on.follower().run_once()
        await on.until_texts("one", "two")


async def test_the_position_file_is_for_its_owner_only(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        (on.folder / "s.jsonl").write_bytes(HEAD + lines(pi_answer("one")))
        await on.follower().run_once()
        assert on.positions.stat().st_mode & 0o777 == 0o600
        on.positions.write_bytes(b"no JSON")
        await on.follower().run_once()
        await on.until_texts("one")


async def test_a_file_that_is_moved_away_is_read_to_its_end_and_its_successor_from_the_start(tmp_path: Path) -> None:
    async with stage(tmp_path) as on, on.following():
        path = on.folder / "s.jsonl"
        path.write_bytes(HEAD + lines(pi_answer("one")))
        await on.until_texts("one")
        append(path, lines(pi_answer("two")))
        path.rename(on.folder / "s.jsonl.1")
        path.write_bytes(lines({**PI_HEAD, "id": "pi-2"}, pi_answer("three")))
        await on.until_texts("one", "two", "three")


async def test_a_file_that_is_moved_to_another_place_is_the_same(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        path = on.folder / "s.jsonl"
        path.write_bytes(HEAD + lines(pi_answer("one")))
        await on.follower().run_once()
        (on.folder / "archive").mkdir()
        path.rename(on.folder / "archive" / "other.jsonl")
        append(on.folder / "archive" / "other.jsonl", lines(pi_answer("two")))
        await on.follower().run_once()
        await on.until_texts("one", "two")


async def test_a_file_that_is_cut_and_written_anew_is_told_under_a_new_name(tmp_path: Path) -> None:
    async with stage(tmp_path) as on, on.following() as follower:
        path = on.folder / "s.jsonl"
        path.write_bytes(HEAD + lines(pi_answer("one"), pi_answer("a longer second answer")))
        await on.until_texts("one", "a longer second answer")
        path.write_bytes(HEAD + lines(pi_answer("other")))
        await on.until_texts("one", "a longer second answer", "other")
        assert [file.rewritten for file in follower.files.values()] == [1]


async def test_an_editor_that_replaces_a_file_by_a_longer_one_repeats_nothing(tmp_path: Path) -> None:
    async with stage(tmp_path) as on, on.following():
        path = on.folder / "s.jsonl"
        path.write_bytes(HEAD + lines(pi_answer("one")))
        await on.until_texts("one")
        new = on.folder / "s.new"
        new.write_bytes(HEAD + lines(pi_answer("one"), pi_answer("two")))
        new.replace(path)
        await on.until_texts("one", "two")


async def test_a_copy_is_not_told_again(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        (on.folder / "s.jsonl").write_bytes(HEAD + lines(pi_answer("one")))
        shutil.copy(on.folder / "s.jsonl", on.folder / "copy.jsonl")
        follower = on.follower()
        await follower.run_once()
        await on.until_texts("one")
        assert sum(file.copy_of is not None for file in follower.files.values()) == 1


async def test_a_loop_of_links_and_a_link_to_nothing_do_no_harm(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        (on.folder / "sub").mkdir()
        (on.folder / "sub" / "s.jsonl").write_bytes(HEAD + lines(pi_answer("one")))
        (on.folder / "sub" / "up").symlink_to(on.folder)
        (on.folder / "sub" / "gone").symlink_to(on.folder / "nowhere")
        await on.follower().run_once()
        await on.until_texts("one")


async def test_a_quiet_file_is_concluded_once_and_goes_on_when_it_wakes(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        path = on.folder / "g.jsonl"
        path.write_bytes(lines(*GEMINI_ROWS[:2], GEMINI_ROWS[6]))
        old = time.time() - follow.QUIET_S - 10
        os.utime(path, (old, old))

        def ends() -> int:
            return sum(event["type"] == "round.finished" for event in on.stored())

        async with on.following() as follower:
            await on.until(lambda: ends() == 1)
            assert not any(file.is_open for file in follower.files.values())
            append(path, lines(GEMINI_ROWS[7], {**GEMINI_ROWS[6], "id": "m9", "content": "Yes."}))
            await on.until_texts("Nichts.", "Yes.")
        assert len({event["id"] for event in on.stored()}) == len(on.stored())


async def test_a_hub_that_lost_its_store_gets_everything_from_the_start(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    async with stage(tmp_path / "one") as first, stage(tmp_path / "two") as second:
        path = first.folder / "s.jsonl"
        path.write_bytes(HEAD + lines(pi_answer("one")))
        await first.follower().run_once()
        second.folder = first.folder  # the position file says what the other hub has
        append(path, lines(pi_answer("two")))
        await second.follower().run_once()
        await second.until_texts("one", "two")


async def test_a_document_that_is_written_anew_adds_what_is_new(tmp_path: Path) -> None:
    messages = [GEMINI_ROWS[1], GEMINI_ROWS[5]]
    async with stage(tmp_path) as on, on.following():
        path = on.folder / "session.json"
        path.write_bytes(gemini_document(messages))
        await on.until_texts("Ich sehe nach …")
        new = on.folder / "session.tmp"
        new.write_bytes(gemini_document([*messages, GEMINI_ROWS[6], GEMINI_ROWS[7]]))
        new.replace(path)
        await on.until_texts("Ich sehe nach …", "Nichts.")


async def test_a_log_of_inspect_tells_each_sample_once(tmp_path: Path) -> None:
    first = inspect_sample(1, inspect_model("one", "stop"))
    async with stage(tmp_path) as on, on.following():
        path = on.folder / "log.eval"
        path.write_bytes(inspect_log(first))
        await on.until_texts("one")
        path.write_bytes(inspect_log(first, inspect_sample(2, inspect_model("two", "stop"))))
        await on.until_texts("one", "two")


async def test_opencodes_database_is_followed_session_by_session(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        database = sqlite3.connect(on.folder / "opencode.db")
        database.executescript(OPENCODE_TABLES)
        rows = opencode_rows()
        fill(database, rows[:11])
        async with on.following():
            await on.until_texts("hm", "Two files.")
            database.execute("insert into message values ('m9', 'o-1', ?, ?, ?)", (T0 + 30000, T0 + 30000, USER))
            database.execute("update session set time_updated = ?", (T0 + 30000,))
            database.commit()
            await on.until(lambda: sum(event["type"] == "round.started" for event in on.stored()) >= 1)
            part = '{"type": "text", "text": "Again"}'
            database.execute("insert into part values ('p1', 'm9', 'o-1', ?, ?, ?)", (T0 + 31000, T0 + 31000, part))
            database.commit()
            await on.until(lambda: sum(event["type"] == "round.started" for event in on.stored()) == 2)
        database.close()


USER = '{"role": "user", "time": {"created": 1767225630000}}'
OPENCODE_TABLES = """
pragma journal_mode = wal;
create table session (
    id text primary key, parent_id text, title text, version text, time_created int, time_updated int
);
create table message (id text primary key, session_id text, time_created int, time_updated int, data text);
create table part (id text, message_id text, session_id text, time_created int, time_updated int, data text);
"""


def fill(database: sqlite3.Connection, rows: list[dict[str, object]]) -> None:
    database.execute("insert into session values ('o-1', null, 't', '1', ?, ?)", (T0, T0))
    for row in rows:
        [(kind, held)] = row.items()
        record = cast("dict[str, Any]", held)
        data = json.dumps(record)
        if kind == "message":
            created = record["time"]["created"]
            database.execute("insert into message values (?, 'o-1', ?, ?, ?)", (record["id"], created, created, data))
        elif kind == "part":
            values = (record["id"], record["messageID"], T0, T0, data)
            database.execute("insert into part values (?, ?, 'o-1', ?, ?, ?)", values)
    database.commit()


async def test_only_the_source_that_is_asked_for_is_followed(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        (on.folder / "s.jsonl").write_bytes(HEAD + lines(pi_answer("one")))
        (on.folder / "g.jsonl").write_bytes(lines(*GEMINI_ROWS))
        on.source = "pi"
        follower = on.follower()
        await follower.run_once()
        await on.until_texts("one")
        assert follower.counts.files == 1


async def test_a_file_in_no_known_format_is_told(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        (on.folder / "other.jsonl").write_bytes(b'{"a": 1}\n' * 30)
        await on.follower().run_once()
        assert on.told == [("other.jsonl", "no transcript of a known format")]
