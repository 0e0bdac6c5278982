from __future__ import annotations

import subprocess
import sys

from roundwatch.core.runner.demo import scenes

from tests.tui.cli.command import PROGRAM, environment, run


def test_without_a_terminal_every_scene_is_reported_and_it_ends() -> None:
    done = run("demo", "--speed", "20")

    assert done.code == 0
    assert "Traceback" not in done.err
    for sign in "✓┄✂⊘↯◇◆":  # what ends by a limit of time may end in another way on a busy machine
        assert f"\n{sign} " in f"\n{done.out}", sign
    heads = [line for line in done.out.splitlines() if " demo-" in line[:7]]
    assert len(heads) >= len(scenes())


def test_it_ends_after_some_seconds() -> None:
    done = run("demo", "--locale", "de", "--speed", "20", "--seconds", "3")

    assert done.code == 0
    assert "Letzter Modellaufruf" in done.out


def test_the_scenes_are_listed_with_how_each_ends() -> None:
    done = run("demo", "--list", "--locale", "de")

    assert done.code == 0
    lines = done.out.splitlines()
    assert len(lines) == len(scenes())
    assert [line.split()[1] for line in lines] == list(scenes())
    assert any(line.startswith("⊘ filtered ") and line.endswith("  Antwort zurückgehalten") for line in lines)
    assert any(line.startswith("? unconfirmed ") for line in lines)


def test_one_scene_is_played_alone() -> None:
    done = run("demo", "--only", "filtered", "--speed", "60")

    assert done.code == 0
    assert [line[0] for line in done.out.splitlines() if line[:1] in "✓┄✂⊘↯⧗◇◆"] == ["⊘"]


def test_a_scene_that_does_not_exist_is_told_in_one_line() -> None:
    done = run("demo", "--only", "nonsense")

    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "nonsense" in done.err
    assert "--list" in done.err


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
