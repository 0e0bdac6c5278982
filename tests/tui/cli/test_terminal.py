"""The program in a real terminal: what a person sees, and what happens to the terminal afterwards."""

from __future__ import annotations

import shlex
import socket
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from roundwatch.core.hub import DEFAULT_PORT

from tests.tui.cli.command import PATIENCE_S, PROGRAM, environment, run, running_hub, start, write_lines
from tests.tui.cli.recorded import answer, cut

pytestmark = pytest.mark.xdist_group("terminal")  # three screens at a time are too much for two cores
POLL_S = 0.1


class Terminal:
    """One tmux window of its own server, with a shell in it."""

    def __init__(self, tmux: str) -> None:
        self._tmux = (tmux, "-L", f"roundwatch-{uuid.uuid4().hex[:8]}", "-f", "/dev/null")
        env = environment(LC_ALL="C.UTF-8", TERM="xterm-256color", PS1="ready> ")
        self._call("new-session", "-d", "-x", "120", "-y", "40", "env PS1='ready> ' sh", env=env)

    def _call(self, *arguments: str, env: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            [*self._tmux, *arguments], capture_output=True, text=True, env=env, check=True, timeout=PATIENCE_S
        )
        return done.stdout

    def type(self, *arguments: str | Path) -> None:
        """Type a roundwatch command; its exit code is shown when it has ended."""
        command = shlex.join([*PROGRAM, *map(str, arguments)])
        self._call("send-keys", "-l", f"{command}; echo code=$?.")
        self.press("Enter")

    def press(self, key: str) -> None:
        """Press a key."""
        self._call("send-keys", key)

    @property
    def screen(self) -> str:
        """What the terminal shows now."""
        return self._call("capture-pane", "-p")

    def shows(self, *texts: str) -> str:
        """Wait until everything of ``texts`` is on the screen at once, and return the screen."""
        deadline = time.monotonic() + PATIENCE_S
        while not all(text in (screen := self.screen) for text in texts):
            assert time.monotonic() < deadline, f"{texts} not on the screen:\n{screen}"
            time.sleep(POLL_S)
        return screen

    def state(self) -> str:
        """Return what programs set in a terminal: alternate screen, mouse, cursor, keys."""
        flags = "alternate_on mouse_any_flag mouse_sgr_flag cursor_flag keypad_flag bracket_paste_flag"
        return self._call("display-message", "-p", " ".join(f"{flag}=#{{{flag}}}" for flag in flags.split()))

    def close(self) -> None:
        """End the shell and everything in it."""
        self._call("kill-server")


@pytest.fixture
def terminal(require_program: Callable[[str], str]) -> Iterator[Terminal]:
    terminal = Terminal(require_program("tmux"))
    try:
        terminal.shows("ready>")
        yield terminal
    finally:
        terminal.close()


def test_the_demo_shows_rounds_and_banners_switches_language_and_leaves_no_trace(terminal: Terminal) -> None:
    before = terminal.state()
    terminal.type("demo", "--speed", "8")
    terminal.shows("● live", "Rounds", "answer")
    assert terminal.state() != before

    terminal.press("n")  # the next round that is no answer, with its banner
    terminal.shows("━ not an answer ━")
    terminal.press("l")
    terminal.shows("Runden", "━ keine Antwort ━")
    terminal.press("l")
    terminal.shows("Rounds", "━ not an answer ━")
    terminal.press("q")

    screen = terminal.shows("code=0.")
    assert terminal.state() == before
    assert "Traceback" not in screen
    assert "Rounds" not in screen  # the shell's own screen is back


def test_a_hand_written_file_reaches_the_screen_over_the_hub(terminal: Terminal, tmp_path: Path) -> None:
    lines = answer("by-hand", "scribe") + cut("by-hand-too")
    assert len(lines) == 10
    with running_hub(tmp_path / "s.sqlite3") as (url, _):
        terminal.type("watch", url)
        terminal.shows("● live", "No rounds yet")
        assert run("publish", write_lines(tmp_path / "hand.jsonl", lines), "--to", url).code == 0

        terminal.shows("scribe", "answer", "cut", "1 problem")
        terminal.press("q")
        terminal.shows("code=0.")


def test_a_killed_hub_comes_back_and_nothing_acknowledged_is_lost(terminal: Terminal, tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite3"
    with running_hub(store) as (url, hub):
        terminal.type("watch", url)
        terminal.shows("● live")
        assert run("publish", write_lines(tmp_path / "a.jsonl", answer("a", "early-bird")), "--to", url).code == 0
        hub.kill()
        hub.wait(PATIENCE_S)
        terminal.shows("reconnecting")

        port = url.rpartition(":")[2]
        with start("hub", "--port", port, "--store", store) as again:
            terminal.shows("● live", "early-bird")
            assert run("publish", write_lines(tmp_path / "b.jsonl", answer("b", "late-bird")), "--to", url).code == 0
            terminal.shows("early-bird", "late-bird", "2 answers")
            terminal.press("q")
            terminal.shows("code=0.")
            again.terminate()
    assert {each["round"] for each in run("rounds", "list", "--json", "--store", store).objects} == {"a", "b"}


def test_without_a_hub_and_without_an_address_this_window_is_the_hub(terminal: Terminal, tmp_path: Path) -> None:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", DEFAULT_PORT)) == 0:
            pytest.skip(f"something listens on port {DEFAULT_PORT}; to run this test: stop your own hub")
    file = write_lines(tmp_path / "e.jsonl", answer("r1", "scribe"))
    terminal.type()
    terminal.shows("● live", f"ws://127.0.0.1:{DEFAULT_PORT}")

    assert run("publish", file).code == 0
    terminal.shows("scribe", "answer")
    terminal.press("q")
    terminal.shows("code=0.")
