"""The app in a real terminal: keys through tmux, quitting, and what is left behind."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PATIENCE_S = 60.0  # a loaded machine starts slowly; nothing here measures speed


class Terminal:
    """A tmux session of its own server."""

    def __init__(self, tmux: str, folder: Path, command: str) -> None:
        self._tmux = [tmux, "-S", str(folder / "tmux.sock"), "-f", os.devnull]
        script = f"{command}; echo LEFT WITH $?; stty -a | grep -o -- '[-]*icanon'; sleep 100"
        self.run("new-session", "-d", "-x", "100", "-y", "30", "sh", "-c", script)

    def run(self, *arguments: str) -> str:
        return subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=True).stdout

    def shown(self) -> str:
        return self.run("capture-pane", "-p")

    def wait_for(self, words: str) -> str:
        end = time.monotonic() + PATIENCE_S
        while words not in (shown := self.shown()):
            assert time.monotonic() < end, f"{words!r} never came:\n{shown}"
            time.sleep(0.1)
        return shown


@pytest.fixture
def silent_hub() -> Iterator[str]:
    """Accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"ws://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def terminal(require_program: Callable[[str], str], tmp_path: Path, silent_hub: str) -> Iterator[Terminal]:
    code = (
        "from roundwatch.core.texts import Texts; from roundwatch.tui.app import run_app; "
        f"from roundwatch.tui.source import HubSource; run_app(HubSource({silent_hub!r}), texts=Texts.load('de'))"
    )
    made = Terminal(require_program("tmux"), tmp_path, f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}")
    yield made
    made.run("kill-server")


def test_quitting_leaves_a_hub_that_hangs_and_restores_the_terminal(terminal: Terminal) -> None:
    terminal.wait_for("Noch keine Runden.")
    terminal.run("send-keys", "q")
    shown = terminal.wait_for("LEFT WITH")
    assert "LEFT WITH 0" in shown
    assert "-icanon" not in terminal.wait_for("icanon")
    assert terminal.run("display-message", "-p", "#{alternate_on}#{cursor_flag}#{mouse_any_flag}").strip() == "010"


@pytest.mark.parametrize(
    ("key", "words"),
    [("l", "No rounds yet."), ("?", "Tasten überall"), ("C-p", "Befehl suchen"), ("F1", "Tasten überall")],
)
def test_keys_reach_the_app_through_tmux(terminal: Terminal, key: str, words: str) -> None:
    terminal.wait_for("Noch keine Runden.")
    terminal.run("send-keys", key)
    terminal.wait_for(words)
