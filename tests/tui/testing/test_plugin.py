from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import roundwatch.tui.testing as kit
from roundwatch.tui.testing import Recording, RecordingError


def test_a_file_is_looked_for_beside_the_test(
    roundwatch_recording: Callable[..., Recording], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(json.dumps({"type": "round.started", "round": "r1"}) + "\nnonsense\n")
    with pytest.raises(FileNotFoundError, match=str(request.path.parent / "events.jsonl")):
        roundwatch_recording("events.jsonl")
    with pytest.raises(RecordingError, match="line 2: not JSON"):
        roundwatch_recording(path)
    assert roundwatch_recording(str(path), allow_unreadable=True).round().id == "r1"


def test_events_are_taken_as_they_are(roundwatch_recording: Callable[..., Recording]) -> None:
    assert roundwatch_recording([{"type": "round.started", "round": "r2"}]).round().id == "r2"


def test_every_name_of_the_kit_is_there_and_no_other() -> None:
    for name in kit.__all__:
        assert getattr(kit, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kit.nothing


def test_the_plugin_loads_no_screen_in_runs_that_draw_nothing() -> None:
    code = (
        "import sys, roundwatch.tui.testing.plugin; print(sorted({'textual', 'pydantic', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "textual" not in done.stdout
    assert "pydantic" not in done.stdout
