"""The snapshot guide's example, copied into an empty folder and run as its reader would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "snapshots.md"
PATIENCE_S = 300.0
PLUGIN = "roundwatch.tui.testing.plugin"


def block(language: str) -> str:
    """Return the guide's first code block in that language."""
    found = re.search(rf"^```{language}\n(.*?)^```", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found.group(1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder that knows nothing of ours but the example."""
    (tmp_path / "test_rounds.py").write_text(block("python"), "utf-8")
    (tmp_path / "recorded.jsonl").write_text(block("json"), "utf-8")
    return tmp_path


def run_pytest(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest there; the plugin is named too, so that an older installation's entry points do."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "TEXTUAL"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:cacheprovider", "-W", "error", *options],
        cwd=folder,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_example_keeps_pictures_and_finds_them_again_whatever_the_surroundings(folder: Path) -> None:
    assert run_pytest(folder, "--snapshot-update").returncode == 0
    pictures = sorted(path.name for path in folder.glob("__snapshots__/**/*.svg"))
    assert len(pictures) == 4
    again = run_pytest(
        folder,
        NO_COLOR="1", TERM="dumb", TZ="Pacific/Auckland", LC_ALL="de_DE.UTF-8", COLUMNS="40", LINES="10",
        TEXTUAL_THEME="nord", TEXTUAL_FILTERS="dim", TEXTUAL_ANIMATIONS="full",
    )  # fmt: skip
    assert again.returncode == 0, again.stdout
    assert "2 passed" in again.stdout


def test_a_changed_round_fails_the_example(folder: Path) -> None:
    assert run_pytest(folder, "--snapshot-update").returncode == 0
    test = folder / "test_rounds.py"
    test.write_text(test.read_text("utf-8").replace('"length"', '"content_filter"'), "utf-8")
    changed = run_pytest(folder)
    assert changed.returncode == 1
    assert "1 failed, 1 passed" in changed.stdout


def test_without_the_extra_it_says_what_to_install(folder: Path) -> None:
    done = run_pytest(
        folder, "-p", "no:pytest-textual-snapshot", "-p", "no:textual-snapshot", "-p", "no:pytest_textual_snapshot"
    )
    assert done.returncode == 1
    assert "pip install 'roundwatch[testing]'" in done.stdout
