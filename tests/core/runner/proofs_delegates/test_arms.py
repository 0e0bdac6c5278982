"""Every rule with its control: the same scenario in two programs, one with the rule and one without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import roundwatch.core

ROOT = Path(__file__).parents[4]
ARM = "tests.core.runner.proofs_delegates.arm"
PATIENCE_S = 120.0


@pytest.fixture
def arms(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run both arms of the scenario the test is named after, from an empty folder."""
    name = request.node.name.partition("[")[0].removeprefix("test_")
    with ThreadPoolExecutor(2) as pool:
        on, off = pool.map(lambda switch: _arm(name, switch, tmp_path), ("on", "off"))
    return on, off


def _arm(name: str, switch: str, folder: Path) -> dict[str, Any]:
    path = os.pathsep.join((*filter(None, (os.environ.get("PYTHONPATH"),)), str(ROOT)))
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-m", ARM, name, switch],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "XDG_STATE_HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert ended.returncode == 0, ended.stderr
    module, state, *_, told = ended.stdout.splitlines()
    assert Path(module).samefile(str(roundwatch.core.__file__))
    assert state == f"switch: {name} {switch}"
    found: dict[str, Any] = json.loads(told)
    return found


Arms = tuple[dict[str, Any], dict[str, Any]]


def test_text(arms: Arms) -> None:
    on, off = arms
    assert on["partials"] == [["spawn-accumulator", 20, "Two bollards so far."]]
    assert on["report"]["partial_response"] == "Two bollards so far."
    assert "unfinished work" in on["report"]["guidance"]
    assert (off["partials"], off["report"]["partial_response"]) == ([], None)
    for arm in arms:
        assert (arm["warnings"], arm["sibling"]) == (["delegation_timeout"], "the sibling's own result")
        assert "response" not in arm["report"]


def test_reasoning(arms: Arms) -> None:
    on, off = arms
    [[source, chars, text]] = on["partials"]
    assert (source, chars) == ("spawn-accumulator:reasoning", len(text))
    assert "First the list." in text
    assert "1. hang(for=ever, lines=3)" in text
    assert "evidence of what it was doing" in on["report"]["guidance"]
    assert off["partials"] == [["none", 0, None]]
    assert "nothing recovered" in off["report"]["guidance"]


def test_nothing(arms: Arms) -> None:
    on, off = arms
    assert on["partials"] == [["none", 0, None]]
    assert (on["report"]["partial_available"], on["report"]["partial_segments"]) == (False, 0)
    assert off["report"]["partial_available"]
    assert off["partials"][0][1] > 0


def test_probes(arms: Arms) -> None:
    on, off = arms
    names = ["normal result", "registry after", "partial", "timeout with text", "timeout without text"]
    assert list(on) == list(off) == names
    assert [name for name in names if on[name].encode() != off[name].encode()] == ["timeout without text"]
    assert (on["normal result"], on["registry after"]) == ("All counted.", "0 records, False")
    record = json.loads(on["partial"])
    assert record == json.loads(off["partial"])
    assert (record["text"], record["kind"], record["source"], record["segments"]) == (
        "Two so far.", "text", "spawn-accumulator", 1,
    )  # fmt: skip
    assert json.loads(on["timeout without text"])["partial_available"]
    assert not json.loads(off["timeout without text"])["partial_available"]


def test_unresolved(arms: Arms) -> None:
    on, off = arms
    assert (on["verdict"], on["calls"]) == ("selection_unresolved", 0)
    assert on["facts"]["sentence"] == "Selected agent 'ghost' was not found among the available agents (clerk)"
    assert on["facts"]["ran"] is False
    assert on["types"] == ["round.started", "round.selection_unresolved", "round.finished"]
    assert off["verdict"] == "no_output"


def test_late(arms: Arms) -> None:
    on, off = arms
    assert (on["verdict"], on["calls"]) == ("completed", 1)
    assert (off["verdict"], off["calls"]) == ("selection_unresolved", 0)


def test_unbuildable(arms: Arms) -> None:
    on, off = arms
    assert (on["verdict"], on["calls"]) == ("no_usable_model", 0)
    assert (on["facts"]["agent"], on["facts"]["reason"]) == (
        "pilot", "FileNotFoundError: agents/pilot.md: no such file",
    )  # fmt: skip
    assert "round.selection_unresolved" not in on["types"]
    assert off["verdict"] == "selection_unresolved"


def test_given_up(arms: Arms) -> None:
    on, off = arms
    assert (on["early"], on["verdict"]) == ("provider_error", "supervisor_gave_up")
    assert on["supervised"] == [["relaunched", 1, 1], ["relaunched", 2, 2], ["gave_up", 3, 2]]
    assert on["summary_round"] == ["early"] * 3
    assert on["facts"]["last_error"] is None
    assert "HTTP 403" in on["facts"]["earlier_summary"]
    assert on["facts"]["earlier_age_s"] == 27 * 3600 + 27 * 60 + 36
    assert any("27" in sentence and "HTTP 403" in sentence for sentence in on["banner"])
    said = on["diagnosis"]
    assert said.startswith("Interrupted 3 times (roll of the host), relaunched 2 times of a cap of 2, given up.")
    assert "Last error: none — the round in flight has written no error." in said
    assert "Left by an EARLIER round, not this one (round early, 27 h 27 min earlier)" in said
    assert on["filed"] == [said]
    assert on["record"] == f"Error: {said}"
    assert on["text"].endswith(f"*Error: {said}*")
    assert on["attempts"] == "AttemptCount(spent=0, infrastructure=0, failed=2)"
    assert on["not_established"]
    assert 'Last error: "Error: The provider' in off["diagnosis"]  # what it must not do: blame this round for it


def test_relaunched(arms: Arms) -> None:
    on, off = arms
    assert (on["verdict"], on["calls"]) == ("supervisor_gave_up", ["c1", "r1c1", "r2c1"])
    assert (off["verdict"], off["calls"]) == ("completed", ["c1", "r1c1", "r2c1", "r3c1"])
    assert off["attempts"] == "AttemptCount(spent=1, infrastructure=0, failed=1)"
    assert off["filed"] == []
