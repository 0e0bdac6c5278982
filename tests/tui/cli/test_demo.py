from __future__ import annotations

import subprocess
import sys

from tests.tui.cli.command import PROGRAM, environment, run


def test_without_a_terminal_every_scene_is_reported_and_it_ends() -> None:
    done = run("demo", "--speed", "60")

    assert done.code == 0
    assert "Traceback" not in done.err
    for sign in "✓┄✂⊘↯⧗◇◆":
        assert f"\n{sign} " in f"\n{done.out}", sign


def test_it_ends_after_some_seconds() -> None:
    done = run("demo", "--locale", "de", "--speed", "20", "--seconds", "3")

    assert done.code == 0
    assert "Letzter Modellaufruf" in done.out


def test_missing_libraries_are_named_with_the_way_to_get_them() -> None:
    hide = "import sys; sys.modules['httpx2'] = None;"
    done = subprocess.run(
        [sys.executable, "-c", hide + PROGRAM[2], "demo"],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "pip install 'roundwatch[demo]'" in done.stderr
