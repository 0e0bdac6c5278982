"""Every rule with its control: the same scenario in two programs, one with the rule and one without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import roundwatch.core

ROOT = Path(__file__).parents[4]
ARM = "tests.core.runner.proofs_delegates.arm"
PATIENCE_S = 120.0


def arms(name: str, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run both arms of a scenario from an empty folder; return what came of it with the rule and without."""
    with ThreadPoolExecutor(2) as pool:
        on, off = (pool.submit(_arm, name, switch, folder) for switch in ("on", "off"))
        return on.result(), off.result()


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


def test_text_that_was_written_is_recovered(tmp_path: Path) -> None:
    on, off = arms("text", tmp_path)
    assert on["partials"] == [["spawn-accumulator", 20, "Two bollards so far."]]
    assert on["report"]["partial_response"] == "Two bollards so far."
    assert "unfinished work" in on["report"]["guidance"]
    assert (off["partials"], off["report"]["partial_response"]) == ([], None)
    for arm in (on, off):
        assert (arm["warnings"], arm["sibling"]) == (["delegation_timeout"], "the sibling's own result")
        assert "response" not in arm["report"]


def test_without_text_the_reasoning_and_the_tools_are_recovered(tmp_path: Path) -> None:
    on, off = arms("reasoning", tmp_path)
    [[source, chars, text]] = on["partials"]
    assert (source, chars) == ("spawn-accumulator:reasoning", len(text))
    assert "First the list." in text
    assert "1. hang(for=ever, lines=3)" in text
    assert "evidence of what it was doing" in on["report"]["guidance"]
    assert off["partials"] == [["none", 0, None]]
    assert "nothing recovered" in off["report"]["guidance"]


def test_where_there_was_nothing_nothing_is_made_up(tmp_path: Path) -> None:
    on, off = arms("nothing", tmp_path)
    assert on["partials"] == [["none", 0, None]]
    assert (on["report"]["partial_available"], on["report"]["partial_segments"]) == (False, 0)
    assert off["report"]["partial_available"]
    assert off["partials"][0][1] > 0


def test_recovering_reasoning_changes_one_of_five_probes(tmp_path: Path) -> None:
    on, off = arms("probes", tmp_path)
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


def test_a_pick_that_matches_nothing_is_marked(tmp_path: Path) -> None:
    on, off = arms("unresolved", tmp_path)
    assert (on["verdict"], on["calls"]) == ("selection_unresolved", 0)
    assert on["facts"]["sentence"] == "Selected agent 'ghost' was not found among the available agents (clerk)"
    assert on["facts"]["ran"] is False
    assert on["types"] == ["round.started", "round.selection_unresolved", "round.finished"]
    assert off["verdict"] == "no_output"


def test_a_pick_is_waited_for_while_the_catalogue_fills(tmp_path: Path) -> None:
    on, off = arms("late", tmp_path)
    assert (on["verdict"], on["calls"]) == ("completed", 1)
    assert (off["verdict"], off["calls"]) == ("selection_unresolved", 0)


def test_an_agent_that_cannot_be_built_is_another_condition(tmp_path: Path) -> None:
    on, off = arms("unbuildable", tmp_path)
    assert (on["verdict"], on["calls"]) == ("no_usable_model", 0)
    assert (on["facts"]["agent"], on["facts"]["reason"]) == (
        "pilot", "FileNotFoundError: agents/pilot.md: no such file",
    )  # fmt: skip
    assert "round.selection_unresolved" not in on["types"]
    assert off["verdict"] == "selection_unresolved"


def test_a_403_of_27_hours_ago_is_not_the_error_of_this_round(tmp_path: Path) -> None:
    on, off = arms("given_up", tmp_path)
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


def test_the_cap_ends_the_relaunches(tmp_path: Path) -> None:
    on, off = arms("relaunched", tmp_path)
    assert (on["verdict"], on["calls"]) == ("supervisor_gave_up", ["c1", "r1c1", "r2c1"])
    assert (off["verdict"], off["calls"]) == ("completed", ["c1", "r1c1", "r2c1", "r3c1"])
    assert off["attempts"] == "AttemptCount(spent=1, infrastructure=0, failed=1)"
    assert off["filed"] == []
