"""Both stores of opencode give the same rounds."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from roundwatch.core.feeds.transcripts.follow_places import given_places
from roundwatch.core.feeds.transcripts.follow_scan import Scan
from roundwatch.core.feeds.transcripts.opencode import Opencode
from roundwatch.core.feeds.transcripts.opencode_store import (
    StoreError,
    database_document,
    database_sessions,
    stored_document,
)

from .foreign_records import OPENCODE, T0, events_of, opencode_rows
from .test_follow import OPENCODE_TABLES, fill


def write_store(root: Path) -> Path:
    """Write the session as opencode's older versions did, and return its own file."""
    for row in opencode_rows():
        [(kind, record)] = row.items()
        folder = {"session": "project", "message": "o-1", "part": record.get("messageID", "")}[kind]
        path = root / kind / folder / f"{record['id']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, indent=1), "utf-8")
    return root / "session" / "project" / "o-1.json"


def test_the_store_of_files_gives_the_rounds_of_the_session(tmp_path: Path) -> None:
    session = write_store(tmp_path / "storage")
    assert events_of(Opencode(), stored_document(session)) == events_of(Opencode(), OPENCODE)


def test_the_database_gives_the_rounds_of_the_session(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    database = sqlite3.connect(path)
    database.executescript(OPENCODE_TABLES)
    fill(database, opencode_rows())
    assert [id_ for id_, _ in database_sessions(path)] == ["o-1"]
    assert events_of(Opencode(), database_document(path, "o-1")) == events_of(Opencode(), OPENCODE)
    database.close()


def test_a_new_part_of_the_newest_message_changes_what_the_session_looks_like(tmp_path: Path) -> None:
    session = write_store(tmp_path / "storage")
    scan = Scan(given_places([tmp_path / "storage" / "session"]))
    [before] = scan.run(T0)
    part = tmp_path / "storage" / "part" / "m4" / "p1.json"
    part.parent.mkdir(exist_ok=True)
    part.write_text('{"id": "p1", "messageID": "m4", "type": "text", "text": "late"}')
    [after] = scan.run(T0)
    assert (before.key, before.session) == (f"{session}#o-1", "o-1")
    assert after.stamp.mtime_ns > before.stamp.mtime_ns


def test_what_is_no_database_of_opencode_is_said(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match="cannot be read"):
        database_sessions(path)
    scan = Scan(given_places([path]))
    assert list(scan.run(T0)) == []
    assert list(scan.troubles) == [path]
