"""What commands that go on running say first: a person reads a sentence, a program JSON."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.tui.cli.command import PATIENCE_S, PROGRAM, environment

HUB = ("hub", "--port", "0", "--store")


def first_line(*arguments: str) -> str:
    """Start a command with stdout being a terminal, end it after its first line, and return that."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdout=theirs, stderr=subprocess.DEVNULL, env=environment(TERM="xterm")
    ) as command:
        os.close(theirs)
        shown = b""
        while b"\n" not in shown:
            shown += os.read(ours, 65536)
        command.terminate()
        assert command.wait(PATIENCE_S) == 0
    os.close(ours)
    return shown.decode().splitlines()[0]


@pytest.mark.parametrize(
    ("locale", "said"), [("en", "the hub runs at ws://127.0.0.1:"), ("de", "der Hub läuft unter ws://127.0.0.1:")]
)
def test_a_hub_on_a_terminal_says_it_in_the_readers_language(locale: str, said: str, tmp_path: Path) -> None:
    line = first_line("--locale", locale, *HUB, str(tmp_path / "s.sqlite3"))
    assert line.startswith(said)
    assert str(tmp_path / "s.sqlite3") in line


def test_a_proxy_on_a_terminal_does_too(tmp_path: Path) -> None:
    line = first_line("--locale", "de", "proxy", "--port", "0", "--to", "ws://127.0.0.1:9")
    assert line.startswith("der Proxy läuft unter http://127.0.0.1:")
    assert "/openai" in line
