"""Sizes, resize storms, a huge backlog, rest and following, in a real terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from roundwatch.tui.timeline import SHOWN_AT_FIRST

from tests.scenes import at, everything, no_finish, start
from tests.tui.cli.command import write_lines
from tests.tui.real_terminal import RealTerminal, real_terminal

STORM = [(120, 40), (1, 1), (120, 40), (30, 5), (200, 60), (2, 2), (300, 100), (39, 10), (5, 3), (80, 1), (500, 10)]
SIZES = [(1, 1), (2, 2), (10, 5), (20, 4), (39, 10), (40, 7), (40, 10), (66, 24), (80, 1), (99, 17), (300, 100)]
STARTED_AT = [(1, 1), (40, 7), (80, 1), (300, 100)]
DECIDED, DECIDING = "no finish", 20
"""The word for the verdict, and cells from which it must stand whole."""
CALLS, PIECES = 1_200, 8
MOST_KIB = 400_000
MOST_AT_REST = 600
"""Bytes in three seconds: four drawn clocks take some 60 each, four drawn headers 320 each."""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[RealTerminal]:
    file = write_lines(tmp_path / "e.jsonl", everything())
    with real_terminal("replay", file, "--speed", "1e6", "--locale", "de", home=tmp_path) as made:
        made.wait_for("beendet")
        made.settle()
        yield made


def marked(terminal: RealTerminal) -> str:
    """The row that the cursor is on."""
    return next((row for row in terminal.screen.shown.splitlines() if "▌" in row), "").split("││")[0].strip(" │")


def assert_fits(terminal: RealTerminal) -> None:
    assert terminal.screen.outside == []


def test_a_storm_of_resizes_leaves_everything_as_it_was(terminal: RealTerminal) -> None:
    terminal.press("jjjj")
    terminal.settle()
    before = marked(terminal)
    for size in STORM * 4:
        terminal.resize(*size)
        terminal.read(0.005)
    terminal.resize(120, 40)
    terminal.settle()
    assert marked(terminal) == before != ""
    for size in STORM:
        terminal.resize(*size)
        assert terminal.settle().strip() != ""
    terminal.resize(120, 40)
    terminal.settle()
    assert marked(terminal) == before
    terminal.press("q")
    assert terminal.wait_end() == 0
    assert terminal.screen.faults == []
    assert terminal.left_behind == []


def assert_says_the_verdict(terminal: RealTerminal, size: tuple[int, int]) -> None:
    terminal.wait_until(lambda: terminal.screen.shown.strip() != "", "a word")
    terminal.settle()
    assert_fits(terminal)
    assert size[0] < DECIDING or DECIDED in terminal.screen.shown, size


@pytest.mark.parametrize("size", STARTED_AT, ids=lambda size: f"{size[0]}x{size[1]}")
def test_it_starts_at_any_size_and_says_the_verdict(size: tuple[int, int], tmp_path: Path) -> None:
    file = write_lines(tmp_path / "e.jsonl", no_finish())
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path, size=size) as terminal:
        assert_says_the_verdict(terminal, size)
        if size == STARTED_AT[-1]:
            for other in SIZES:
                terminal.resize(*other)
                assert_says_the_verdict(terminal, other)
        terminal.press("q")
        assert terminal.wait_end() == 0
        assert terminal.screen.faults == []


def test_at_rest_only_the_clock_is_written(terminal: RealTerminal) -> None:
    terminal.settle()
    before = len(terminal.raw)
    terminal.keep_reading(3.0)
    written = bytes(terminal.raw[before:])
    assert set(re.findall(rb"\x1b\[(\d+);\d+H", written)) == {b"1"}
    assert len(written) < MOST_AT_REST


def test_a_huge_backlog_shows_its_newest_part_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "e.jsonl", huge_round())
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path) as terminal:
        terminal.wait_for("replay ended")
        assert "1,200" in terminal.settle()
        assert "Running" in terminal.screen.shown
        assert resident_kib(terminal) < MOST_KIB
        terminal.press("\r")
        terminal.settle()
        terminal.press("g")
        terminal.wait_for(f"{CALLS - SHOWN_AT_FIRST:,} older entries are not shown")
        assert f"newest {SHOWN_AT_FIRST}." in terminal.settle()
        terminal.press("o")
        terminal.wait_for(f"{CALLS - 2 * SHOWN_AT_FIRST:,} older entries are not shown")
        terminal.press("q")
        assert terminal.wait_end() == 0


def huge_round() -> Iterator[dict[str, object]]:
    """A round of many calls that goes on."""
    yield from start("huge", 0)
    for number in range(CALLS):
        told = {"round": "huge", "at": at(number), "call": f"c{number}"}
        yield {"type": "call.started", **told, "model": "m"}
        for _ in range(PIECES):
            yield {"type": "call.output", **told, "kind": "text", "text": "x" * 60}
        yield {"type": "call.finished", **told, "outcome": "completed", "finish_reason": "stop"}


def resident_kib(terminal: RealTerminal) -> int:
    status = Path(f"/proc/{terminal.process.pid}/status").read_text("ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
