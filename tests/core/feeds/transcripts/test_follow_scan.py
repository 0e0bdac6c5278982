"""Finding files: each once, whatever leads to it; folders at rest are not listed again."""

from __future__ import annotations

import os
import time
from pathlib import Path

from roundwatch.core.feeds.transcripts.follow_places import Place, given_places, places
from roundwatch.core.feeds.transcripts.follow_scan import FRESH_NS, Scan


def names(scan: Scan, now_ns: int | None = None) -> list[str]:
    return sorted(found.path.name for found in scan.run(time.time_ns() if now_ns is None else now_ns))


def test_files_come_once_whatever_leads_to_them(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.jsonl").touch()
    (tmp_path / "a" / "notes.txt").touch()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "2.jsonl").symlink_to(tmp_path / "a" / "1.jsonl")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    assert len(names(Scan(given_places([tmp_path, tmp_path / "a", tmp_path / "a" / "1.jsonl"])))) == 1


def test_a_folder_at_rest_is_not_listed_again_and_one_that_changes_is(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").touch()
    scan = Scan(given_places([tmp_path]))
    later = time.time_ns() + 2 * FRESH_NS
    assert names(scan, later) == ["1.jsonl"]
    status = tmp_path.stat()
    (tmp_path / "2.jsonl").touch()
    os.utime(tmp_path, ns=(status.st_atime_ns, status.st_mtime_ns))  # nobody could know that it changed
    assert names(scan, later) == ["1.jsonl"]
    (tmp_path / "3.jsonl").touch()
    assert names(scan, later) == ["1.jsonl", "2.jsonl", "3.jsonl"]


def test_a_file_that_grows_in_a_folder_at_rest_looks_otherwise(tmp_path: Path) -> None:
    file = tmp_path / "1.jsonl"
    file.touch()
    scan = Scan(given_places([tmp_path]))
    later = time.time_ns() + 2 * FRESH_NS
    [before] = scan.run(later)
    file.write_bytes(b"more")
    [after] = scan.run(later)
    assert (before.stamp.size, after.stamp.size) == (0, 4)


def test_what_was_named_and_is_missing_is_told_and_what_is_only_usual_is_not(tmp_path: Path) -> None:
    scan = Scan([*given_places([tmp_path / "named"]), Place(tmp_path / "usual", "pi")])
    assert names(scan) == []
    assert list(scan.troubles) == [tmp_path / "named"]


def test_only_files_below_the_part_of_a_place_count(tmp_path: Path) -> None:
    for name in ("chats", "logs"):
        (tmp_path / "hash" / name).mkdir(parents=True)
        (tmp_path / "hash" / name / f"{name}.json").touch()
    assert names(Scan([Place(tmp_path, "gemini-cli", (".json",), part="chats")])) == ["chats.json"]


def test_places_follow_the_agents_own_variables_then_the_base_directories_then_the_home() -> None:
    home = Path("/home/user")
    usual = {place.source: place.path for place in reversed(places({}, home))}
    assert usual["claude-code"] == home / ".claude" / "projects"
    assert usual["codex"] == home / ".codex" / "sessions"
    assert usual["opencode"] == home / ".local" / "share" / "opencode" / "opencode.db"
    assert usual["pi"] == home / ".pi" / "agent" / "sessions"
    moved = {"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "XDG_DATA_HOME": "/data", "INSPECT_LOG_DIR": "/logs"}
    own = {place.source: place.path for place in reversed(places(moved, home))}
    assert own["claude-code"] == Path("/c/projects")
    assert own["codex"] == Path("/x/sessions")
    assert own["opencode"] == Path("/data/opencode/opencode.db")
    assert own["inspect"] == Path("/logs")
    assert "inspect" not in {place.source for place in places({"INSPECT_LOG_DIR": "s3://bucket"}, home)}
