from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import roundwatch.core

from tests.core.runner.proofs.arms import PROOFS
from tests.core.runner.proofs.proof import Proof

pytestmark = pytest.mark.xdist_group("proofs")  # each arm is played once for all of them
ROOT = Path(__file__).parents[4]
PATIENCE_S = 180.0
Played = tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]
"""By name: what was said before the proof was played, and what was seen."""


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Played]:
    """Return a function that plays an arm of all proofs from a temporary folder, once."""
    known: dict[str, Played] = {}

    def play(arm: str) -> Played:
        if arm not in known:
            known[arm] = _play(arm, tmp_path_factory.mktemp(arm))
        return known[arm]

    return play


def _play(arm: str, folder: Path) -> Played:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder / "state")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.core.runner.proofs.arms", arm],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    said = {line["name"]: line for line in lines if "core" in line}
    seen = {line["name"]: line["facts"] for line in lines if "facts" in line}
    assert "core" in lines[0]
    return said, seen


@pytest.mark.parametrize("proof", PROOFS.values(), ids=lambda proof: proof.name)
def test_the_rule_holds(proof: Proof, played: Callable[[str], Played]) -> None:
    said, seen = played("on")
    assert said[proof.name]["core"] == roundwatch.core.__file__
    assert said[proof.name][proof.switch] == json.loads(json.dumps(proof.state("on")))
    proof.check(seen[proof.name])


@pytest.mark.parametrize("proof", PROOFS.values(), ids=lambda proof: proof.name)
def test_without_the_rule_the_same_check_fails(proof: Proof, played: Callable[[str], Played]) -> None:
    said, seen = played("off")
    assert said[proof.name]["core"] == roundwatch.core.__file__
    assert said[proof.name][proof.switch] != json.loads(json.dumps(proof.state("on")))
    with pytest.raises(AssertionError):
        proof.check(seen[proof.name])


def test_every_proof_changes_one_switch_only() -> None:
    for proof in PROOFS.values():
        on, off = vars(proof.on), vars(proof.off)
        assert [name for name in on if on[name] != off[name]] == [proof.switch], proof.name
