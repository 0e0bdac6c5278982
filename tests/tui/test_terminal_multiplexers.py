"""Inside tmux and GNU screen: keys arrive, what is copied lands in their buffer, what is read stays in its place."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.scenes import answer, at, start
from tests.tui.cli.command import PROGRAM, environment, running_hub, write_lines
from tests.tui.cli.command import run as run_command
from tests.tui.real_terminal import real_terminal

PATIENCE_S = 60.0
TEXT = "Exactly this: äöü 漢字 \t two  blanks ‮ and an end"


def own_environment(home: Path, **variables: str) -> dict[str, str]:
    """An environment of the test's own, in which no surrounding multiplexer counts."""
    kept = {name: value for name, value in environment().items() if name not in ("TMUX", "STY")}
    return {**kept, "HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home), **variables}


class Tmux:
    """A tmux server of its own with one window, in which the program runs."""

    def __init__(self, tmux: str, home: Path, *arguments: str | Path, size: tuple[int, int] = (120, 40)) -> None:
        self._tmux = [tmux, "-S", str(home / "tmux.sock"), "-f", os.devnull]
        self._env = own_environment(home, TERM="xterm-256color")
        width, height = map(str, size)
        made = ["new-session", "-d", "-x", width, "-y", height, *PROGRAM, *map(str, arguments)]
        self.run(*made, ";", "set", "-s", "set-clipboard", "on")

    def run(self, *arguments: str) -> str:
        """Run a command of tmux and return what it prints."""
        done = subprocess.run([*self._tmux, *arguments], capture_output=True, env=self._env, check=True)
        return done.stdout.decode()

    def press(self, *keys: str) -> None:
        """Type."""
        self.run("send-keys", *keys)

    @property
    def shown(self) -> str:
        """What stands in the window."""
        return self.run("capture-pane", "-p")

    def wait_for(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until ``holds``."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"{what} never came:\n{self.shown}"
            time.sleep(0.1)


@pytest.fixture
def tmux(require_program: Callable[[str], str]) -> str:
    return require_program("tmux")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lines = [{**line, "text": TEXT} if line["type"] == "call.output" else line for line in answer()]
    return write_lines(tmp_path / "e.jsonl", lines)


@pytest.fixture
def in_tmux(tmux: str, file: Path, tmp_path: Path) -> Iterator[Tmux]:
    made = Tmux(tmux, tmp_path, "replay", file, "--speed", "1e6")
    yield made
    made.run("kill-server")


def test_what_is_copied_and_saved_inside_tmux_is_exactly_what_came(in_tmux: Tmux, file: Path, tmp_path: Path) -> None:
    in_tmux.wait_for(lambda: "replay ended" in in_tmux.shown, "the end of the replay")
    in_tmux.press("Enter")
    in_tmux.wait_for(lambda: "││▌" in in_tmux.shown, "the cursor")
    in_tmux.press("y")
    in_tmux.wait_for(lambda: in_tmux.run("list-buffers") != "", "a buffer")
    copied = in_tmux.run("show-buffer")
    assert TEXT in copied
    in_tmux.press("w")
    saved = tmp_path / "data" / "roundwatch"
    in_tmux.wait_for(lambda: saved.is_dir() and any(saved.iterdir()), "a file")
    (kept,) = saved.iterdir()
    assert kept.read_text("utf-8") == copied
    in_tmux.wait_for(lambda: kept.name[:12] in in_tmux.shown, "the name of the file")


def test_nothing_moves_under_the_operator_while_events_pour_in(tmux: str, tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub.db", "--no-auth") as (url, _):
        publish(url, tmp_path, range(40))
        watching = Tmux(tmux, tmp_path, "watch", url)
        try:
            watching.wait_for(lambda: "r-039" in marked(watching.shown), "the newest round")
            publish(url, tmp_path, range(40, 80))
            watching.wait_for(lambda: "r-079" in marked(watching.shown), "the newest round, followed")
            watching.press("Down", "Down", "Down")
            watching.wait_for(lambda: "r-076" in marked(watching.shown), "the round below")
            place = row_of(watching.shown)
            publish(url, tmp_path, range(80, 160))
            watching.wait_for(lambda: "160 " in watching.shown.splitlines()[0], "all rounds counted")
            assert "r-076" in marked(watching.shown)
            assert row_of(watching.shown) == place
            watching.press("f")
            watching.wait_for(lambda: "r-159" in marked(watching.shown), "the newest round again")
        finally:
            watching.run("kill-server")


def publish(url: str, folder: Path, numbers: range) -> None:
    lines = [
        line
        for number in numbers
        for line in (
            *start(f"r-{number:03}", number, title=f"r-{number:03}"),
            {"type": "round.finished", "round": f"r-{number:03}", "at": at(number + 1)},
        )
    ]
    done = run_command("publish", "--to", url, write_lines(folder / f"{numbers.start}.jsonl", lines))
    assert done.code == 0, done.err


def marked(shown: str) -> str:
    """The row of the list that the cursor is on."""
    return next((row for row in shown.splitlines() if "▌" in row), "")


def row_of(shown: str) -> int:
    """How far below the top the cursor stands."""
    return next(number for number, row in enumerate(shown.splitlines()) if "▌" in row)


def test_function_keys_reach_the_app_through_gnu_screen(
    require_program: Callable[[str], str], file: Path, tmp_path: Path
) -> None:
    screen = require_program("screen")
    folder = tmp_path / "screens"
    folder.mkdir(mode=0o700)
    inside = (screen, "-c", os.devnull, "-U", *PROGRAM)
    variables = {"SCREENDIR": str(folder), "STY": ""}
    with real_terminal(
        "replay", file, "--speed", "1e6", home=tmp_path, program=inside, variables=variables
    ) as terminal:
        terminal.screen.faults = []
        terminal.wait_until(lambda: b"replay ended" in terminal.raw, "the app")
        terminal.press("\x1bOP")
        terminal.wait_until(lambda: b"Keys everywhere" in terminal.raw, "the help")
        terminal.settle()
        terminal.press("q")
        terminal.settle()
        terminal.press("q")
        assert terminal.wait_end() == 0


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_can_do_nothing_gets_plain_lines(term: str, file: Path, tmp_path: Path) -> None:
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path, variables={"TERM": term}) as terminal:
        assert terminal.wait_end() == 0
        assert b"\x1b[?" not in terminal.raw
        assert term == "" or b"\x1b" not in terminal.raw
        assert b"\xe2\x9c\x93" in terminal.raw
