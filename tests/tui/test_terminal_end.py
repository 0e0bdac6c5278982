"""However the screen ends: soon, with a telling exit code, the terminal as it was, and no process left."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenes import everything
from tests.tui.cli.command import write_lines
from tests.tui.real_terminal import PATIENCE_S, RealTerminal, real_terminal

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
FAULTY = """
import asyncio, sys, threading, time
from roundwatch.core.texts import Texts
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.cli.screen import show
from roundwatch.tui.main_screen import MainScreen
from roundwatch.tui.rounds_view import RoundsView
SECRET = "sk-do-not-show-this"
def boom(*_):
    secret = SECRET
    raise KeyError("\\x1b]0;owned\\x07\\x1b[2J of " + "x" * 5000)
async def worker_boom():
    boom()
def hang():
    time.sleep(1000)
"""
START = "from roundwatch.tui.cli import main; raise SystemExit(main())"


@pytest.fixture
def silent_hub() -> Iterator[str]:
    """Accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"ws://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def terminal(silent_hub: str, tmp_path: Path) -> Iterator[RealTerminal]:
    with real_terminal("watch", silent_hub, home=tmp_path, size=(100, 30)) as made:
        made.wait_for("?")
        made.settle()
        yield made


@pytest.mark.parametrize("number", SIGNALS, ids=[number.name for number in SIGNALS])
def test_a_signal_ends_the_screen_and_gives_the_terminal_back(terminal: RealTerminal, number: signal.Signals) -> None:
    terminal.signal(number)
    assert terminal.wait_end() == 128 + number
    assert terminal.left_behind == []
    assert terminal.screen.faults == []


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("\x03", 130)], ids=["q", "ctrl+c"])
def test_a_key_ends_the_screen_before_a_hub_that_says_nothing(terminal: RealTerminal, key: str, code: int) -> None:
    terminal.press(key)
    assert terminal.wait_end() == code
    assert terminal.left_behind == []


def test_a_terminal_that_is_closed_ends_the_program(terminal: RealTerminal) -> None:
    terminal.hang_up()
    assert terminal.process.wait(PATIENCE_S) == 128 + signal.SIGHUP


def test_a_closed_terminal_ends_even_a_program_that_ignores_hangups(silent_hub: str, tmp_path: Path) -> None:
    ignoring = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c")
    with real_terminal("watch", silent_hub, home=tmp_path, size=(100, 30), program=(*ignoring, START)) as terminal:
        terminal.wait_for("?")
        terminal.settle()
        terminal.hang_up()
        assert terminal.process.wait(PATIENCE_S) == 128 + signal.SIGHUP


def test_a_terminal_that_reads_no_more_does_not_keep_the_program(terminal: RealTerminal) -> None:
    for _ in range(400):  # nobody reads what is drawn for these
        terminal.press("?")
        terminal.press("\x1b")
        terminal.press("l")
    threading.Event().wait(1.0)
    terminal.signal(signal.SIGTERM)
    assert terminal.process.wait(PATIENCE_S) == 128 + signal.SIGTERM


def test_a_program_that_was_stopped_and_goes_on_draws_again(terminal: RealTerminal) -> None:
    terminal.signal(signal.SIGTSTP)
    terminal.wait_until(lambda: os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOHANG) is not None, "rest")
    terminal.settle()
    assert terminal.left_behind == []
    terminal.screen.feed("\x1b[2J")
    terminal.signal(signal.SIGCONT)
    terminal.wait_for("roundwatch")
    terminal.press("?")
    terminal.wait_for("Keys everywhere")
    terminal.press("\x1b")
    terminal.settle()
    terminal.press("q")
    assert terminal.wait_end() == 0
    assert terminal.left_behind == []


@pytest.mark.parametrize(
    "fault",
    [
        "RoundwatchApp.action_statistics = boom",
        "RoundwatchApp.action_statistics = lambda self: self.run_worker(worker_boom())",
        "RoundwatchApp.action_statistics = lambda self: (setattr(RoundsView, 'render_line', boom), "
        "self.screen.query_one(RoundsView).refresh())",
        "RoundwatchApp.action_statistics = lambda self: self.set_timer(0.01, boom)",
    ],
    ids=["handler", "worker", "paint", "timer"],
)
def test_a_fault_of_its_own_ends_it_in_words(fault: str, tmp_path: Path) -> None:
    program = (
        sys.executable,
        "-c",
        f"{FAULTY}\n{fault}\nfrom roundwatch.tui.cli import main\nraise SystemExit(main())",
    )
    file = write_lines(tmp_path / "e.jsonl", everything())
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path, program=program) as terminal:
        terminal.wait_for("replay ended")
        terminal.press("s")
        assert terminal.wait_end() == 70
        assert terminal.left_behind == []
        assert terminal.screen.faults == []
        assert "had to end" in terminal.screen.shown
        (details,) = tmp_path.rglob("fault*.txt")
        kept = details.read_text("utf-8")
    assert "boom" in kept
    assert "\x1b" not in kept
    assert max(map(len, kept.splitlines())) <= 300
    assert b"sk-do-not-show-this" not in bytes(terminal.raw) + kept.encode()


def test_a_thread_that_hangs_does_not_keep_the_program(silent_hub: str, tmp_path: Path) -> None:
    hangs = (
        f"{FAULTY}\nRoundwatchApp.action_statistics = "
        "lambda self: asyncio.get_running_loop().run_in_executor(None, hang) and None\n"
        f"{START}"
    )
    with real_terminal("watch", silent_hub, home=tmp_path, program=(sys.executable, "-c", hangs)) as terminal:
        terminal.wait_for("?")
        terminal.press("s")
        terminal.settle()
        terminal.press("q")
        assert terminal.wait_end() == 0
        assert terminal.left_behind == []
