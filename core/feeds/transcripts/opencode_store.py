"""opencode's two stores on disk, each session read as lines of records in one fixed order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from ...rounds.faults import CodedError
from .fields import Object, object_of
from .surrogates import from_any_json
from .values import compact

BUSY_S = 2.0
FILE_BYTES = 64 * 1024 * 1024
"""A larger file of the store is left out."""


class StoreError(CodedError):
    """A store cannot be read; ``str()`` says why."""


def change_ns(path: Path) -> int:
    """Return when a file changed, in nanoseconds since 1970; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def database_sessions(path: Path) -> list[tuple[str, int]]:
    """Return the ids of all sessions, each with the moment of its newest change in nanoseconds since 1970.

    Raises:
        StoreError: the database cannot be read.
    """
    newest = "max(s.time_updated, coalesce((select max(p.time_updated) from part p where p.session_id = s.id), 0))"
    rows = _rows(path, f"select s.id, {newest} from session s order by s.time_created, s.id")
    return [(id_, changed * 1_000_000) for id_, changed in rows if isinstance(id_, str) and isinstance(changed, int)]


def database_document(path: Path, session: str) -> bytes:
    """Return one session of the database.

    Raises:
        StoreError: the database cannot be read.
    """
    lines: list[str] = []
    columns = "id, parent_id, title, version, time_created"
    for id_, parent, title, version, created in _rows(path, f"select {columns} from session where id = ?", session):
        named = {"id": id_, "parentID": parent, "title": title, "version": version, "time": {"created": created}}
        lines.append(compact({"session": named}))
    message = "select id, data from message where session_id = ? order by time_created, id"
    for id_, data in _rows(path, message, session):
        lines.append(compact({"message": {**_object(data), "id": id_, "sessionID": session}}))
    part = "select id, message_id, data from part where session_id = ? order by message_id, id"
    for id_, of, data in _rows(path, part, session):
        lines.append(compact({"part": {**_object(data), "id": id_, "messageID": of}}))
    return "\n".join(lines).encode("utf-8", "replace")


def stored_change_ns(session: Path, own_ns: int) -> int:
    """Return when anything of a session in the store of files changed, as far as its newest message tells."""
    root = session.parent.parent.parent
    messages = root / "message" / session.stem
    newest = max((own_ns, change_ns(messages)))
    last = max(_files(messages), default=None, key=lambda file: file.name)
    if last is not None:
        parts = root / "part" / last.stem
        newest = max(newest, change_ns(last), change_ns(parts), *map(change_ns, _files(parts)), 0)
    return newest


def stored_document(session: Path) -> bytes:
    """Return one session of the store of files; a file of it that is being written is left out this time.

    Raises:
        OSError: the session's own file cannot be read.
    """
    root = session.parent.parent.parent
    lines = [compact({"session": object_of(_json(session.read_bytes()))})]
    for file in sorted(_files(root / "message" / session.stem), key=lambda file: file.name):
        lines += _line("message", file)
        for part in sorted(_files(root / "part" / file.stem), key=lambda file: file.name):
            lines += _line("part", part)
    return "\n".join(lines).encode("utf-8", "replace")


def _line(kind: str, file: Path) -> Iterator[str]:
    try:
        record = object_of(_json(file.read_bytes())) if file.stat().st_size <= FILE_BYTES else {}
    except OSError:
        return
    if record:
        yield compact({kind: record})


def _files(folder: Path) -> list[Path]:
    try:
        return [file for file in folder.iterdir() if file.suffix == ".json"]
    except OSError:
        return []


def _rows(path: Path, query: str, *values: str) -> list[tuple[object, ...]]:
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_S)) as database:
            return list(database.execute(query, values))
    except sqlite3.Error as error:
        said = str(error)
        raise StoreError(f"the database cannot be read: {said}", code="transcript_database", said=said) from None


def _object(data: object) -> Object:
    return object_of(_json(data.encode() if isinstance(data, str) else data)) if isinstance(data, str | bytes) else {}


def _json(data: bytes) -> object:
    try:
        return from_any_json(data)
    except ValueError:
        return None
