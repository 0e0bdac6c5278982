from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.tui.cli.command import PATIENCE_S, PROGRAM, environment, write_lines
from tests.tui.cli.recorded import cut

COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-9]|9[0-7])[;m]")


def on_a_terminal(file: Path, **variables: str) -> bytes:
    """Classify with stdout being a terminal, and return what reached it."""
    ours, theirs = os.openpty()
    env = environment(**{"TERM": "xterm-256color", **variables})
    with subprocess.Popen([*PROGRAM, "classify", str(file)], stdout=theirs, env=env) as command:
        os.close(theirs)
        shown = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            shown += chunk
            if not chunk:
                break
        assert command.wait(PATIENCE_S) == 1
    os.close(ours)
    return shown


@pytest.mark.parametrize(
    ("variables", "styled", "coloured"),
    [
        ({}, True, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
    ],
    ids=["terminal", "NO_COLOR", "dumb", "NO_COLOR beats FORCE_COLOR"],
)
def test_colour_follows_terminal_and_environment(
    variables: dict[str, str], styled: bool, coloured: bool, tmp_path: Path
) -> None:
    shown = on_a_terminal(write_lines(tmp_path / "e.jsonl", cut()), **variables)

    assert (b"\x1b[" in shown) == styled
    assert bool(COLOUR.search(shown)) == coloured
    assert b"Cut at the output limit" in shown
