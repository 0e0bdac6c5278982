"""The position file: whole or not at all, for its owner only, and never believed blindly."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from roundwatch.core.feeds.transcripts.follow_positions import Position, Positions

POSITION = Position("follow.pi.abc", 7, (1, 2, 3, 1_767_225_600_000_000_000), concluded=True, read=99, digest="d")


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "state" / "p.json"
    positions = Positions(file)
    positions.put("/a/Größe.jsonl", POSITION)
    positions.put("/b", Position("x", 1))
    positions.forget("/b")
    positions.save()
    again = Positions(file)
    assert again.get("/a/Größe.jsonl") == POSITION
    assert again.get("/b") is None
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["p.json"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no JSON",
        b'{"version": 99, "files": {}}',
        b'{"version": 1, "files": {"/a": {"producer": 5, "events": "x"}}}',
        b'{"version": 1, "files": {"/a": {"producer": "p", "events": -1}}}',
        b'{"version": 1, "files": [1]}',
    ],
)
def test_a_file_that_is_none_of_ours_counts_as_empty(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "p.json"
    file.write_bytes(data)
    assert Positions(file).get("/a") is None


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "no_folder").touch()
    positions = Positions(tmp_path / "no_folder" / "p.json")
    positions.put("/a", POSITION)
    positions.save()
    assert positions.get("/a") == POSITION
    assert "the next start reads more again" in caplog.text


def test_notes_may_be_taken_while_they_are_written(tmp_path: Path) -> None:
    positions = Positions(tmp_path / "p.json")
    for number in range(500):
        positions.put(f"/f{number}", Position("p", number))
    is_over = threading.Event()

    def take_notes() -> None:
        number = 500
        while not is_over.is_set():
            positions.put(f"/f{number}", Position("p", number))
            positions.forget(f"/f{number - 400}")
            number += 1

    taking = threading.Thread(target=take_notes)
    taking.start()
    try:
        for _ in range(50):
            positions.save()
    finally:
        is_over.set()
        taking.join()
    positions.save()
    assert Positions(tmp_path / "p.json").get("/f0") == Position("p", 0)
