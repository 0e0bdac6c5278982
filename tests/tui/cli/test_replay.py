from __future__ import annotations

from pathlib import Path

import pytest

from tests.rounds import Lines
from tests.tui.cli.command import run, write_lines
from tests.tui.cli.recorded import answer, cut, open_round, unconfirmed


@pytest.mark.parametrize(
    ("lines", "code"), [(answer(), 0), (answer() + cut(), 1), (unconfirmed(), 3), (open_round(), 3)]
)
def test_without_a_terminal_the_rounds_decide_the_exit_code(lines: Lines, code: int, tmp_path: Path) -> None:
    done = run("replay", write_lines(tmp_path / "e.jsonl", lines))

    assert done.code == code
    for line in lines:
        assert f" {line['round']} " in done.out


def test_recorded_pauses_are_kept_to_the_speed(tmp_path: Path) -> None:
    lines = answer()
    lines[0] = {**lines[0], "at": "2026-03-01T10:00:00Z"}
    lines[-1] = {**lines[-1], "at": "2026-03-01T10:00:04Z"}

    done = run("replay", "--speed", "1000", write_lines(tmp_path / "e.jsonl", lines))

    assert done.code == 0
    assert "4.0 s" in done.out


def test_a_round_of_two_ends_is_told_once(tmp_path: Path) -> None:
    lines = answer()
    lines.insert(-1, {"type": "round.stopped", "round": "r1", "why": "exception", "error": "boom"})

    done = run("replay", write_lines(tmp_path / "e.jsonl", lines))

    assert done.out.count(" r1 ") == 1
    assert "boom" in done.out


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_what_cannot_be_read_is_code_2(name: str) -> None:
    done = run("replay", name)

    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_unreadable_lines_are_told(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "e.jsonl", answer())
    file.write_text("garbage\n" + file.read_text())

    assert "line 1: not JSON" in run("replay", file).err


def test_nothing_but_garbage_is_code_2() -> None:
    assert run("replay", "-", stdin=b"garbage\n").code == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "is empty"), (b"garbage\n", "no readable event"), (b'{"type":"new.kind"}\n', "none of a round")],
)
def test_an_input_without_a_round_is_told_as_classify_tells_it(content: bytes, says: str) -> None:
    replayed, classified = run("replay", "-", stdin=content), run("classify", "-", stdin=content)

    assert (replayed.code, says in replayed.err) == (2, True)
    assert replayed.err.splitlines()[-1] == classified.err.splitlines()[-1]
