from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.hub import Unreadable
from roundwatch.core.rounds import Doubt, Verdict, parse_event
from roundwatch.tui.testing import Recording, RecordingError
from roundwatch.tui.testing.recording import WITHOUT_A_MOMENT

from tests.scenes import answer, cap_cut

LINES: list[dict[str, Any]] = [{"type": "round.started", "round": "r1"}, {"type": "round.finished", "round": "r1"}]


def written(folder: Path, *lines: str | bytes) -> Path:
    path = folder / "events.jsonl"
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    return path


def test_events_may_be_fields_lines_of_json_or_parsed() -> None:
    as_fields = Recording.of(LINES)
    assert Recording.of([json.dumps(line) for line in LINES]).outcome() == as_fields.outcome()
    assert Recording.of([parse_event(line) for line in LINES]).events == as_fields.events


def test_a_file_is_read_line_by_line_without_its_blank_lines_and_mark(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + json.dumps(LINES[0]).encode(), "", json.dumps(LINES[1]) + "\r", "  ")
    assert Recording.read(path).events == Recording.of(LINES).events


def test_a_bad_line_is_named_with_its_place_and_reason(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(LINES[0]), "", '{"round": "r1"}', *["nonsense"] * 7)
    with pytest.raises(RecordingError) as caught:
        Recording.read(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: line 3: no event: field 'type' is missing; line 4: not JSON")
    assert said.endswith("; 3 more")
    with pytest.raises(RecordingError, match="event 2: "):
        Recording.of([LINES[0], {}])


def test_nothing_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no event in it"):
        Recording.read(written(tmp_path, "", ""))
    with pytest.raises(RecordingError, match="no event in it"):
        Recording.of([])
    with pytest.raises(FileNotFoundError):
        Recording.read(tmp_path / "missing.jsonl")


def test_a_bad_line_that_is_allowed_makes_its_round_doubtful() -> None:
    lines = [*answer(), {"type": "call.finished", "round": "233a0419"}]
    recording = Recording.of(lines, allow_unreadable=True)
    assert isinstance(recording.items[-1], Unreadable)
    assert len(recording.events) == len(lines) - 1
    assert Doubt.FEED_GAP in recording.outcome().doubts
    assert Recording.of(answer()).outcome().is_answer


def test_a_round_is_found_by_its_id_and_the_first_is_meant_without_one() -> None:
    recording = Recording.of([*answer(), *cap_cut()])
    assert recording.round().id == "233a0419"
    assert recording.outcome("271046c3").verdict is Verdict.STREAM_ENDED_WITHOUT_FINISH
    with pytest.raises(RecordingError, match="the events: no round 'x' in it; rounds: '233a0419', '271046c3'"):
        recording.round("x")
    with pytest.raises(RecordingError, match="no round in it; rounds: none"):
        Recording.of([{"type": "feed.note"}]).round()


def test_the_clock_stands_at_the_latest_moment() -> None:
    at = ("2026-03-01T09:00:04Z", "2026-03-01T09:00:09Z", "2026-03-01T09:00:01Z")
    lines = [{**LINES[0], "at": moment} for moment in at]
    assert Recording.of(lines).now == datetime(2026, 3, 1, 9, 0, 9, tzinfo=UTC)
    assert Recording.of(LINES).now == WITHOUT_A_MOMENT
