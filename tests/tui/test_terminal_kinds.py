"""Kinds of terminals: without colour, without Unicode, in any locale, behind a slow line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.scenes import cap_cut, everything, no_finish
from tests.tui.cli.command import write_lines
from tests.tui.real_terminal import real_terminal

COLOUR = re.compile(r"(?:^|;)(?:3[0-79]|4[0-79]|9\d|10\d|[34]8)(?:;|$)")
TAKES_MOUSE = re.compile(rb"\x1b\[\?100[0236](?:;\d+)*h")
ENDINGS = ("cut", "no finish", "HTTP 403", "filtered", "no agent", "cancelled", "answer")
DOWN = b"\x1b[B"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "e.jsonl", everything())


def test_without_colour_every_ending_has_its_own_word_and_mark(file: Path, tmp_path: Path) -> None:
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path, variables={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for("replay ended")
        rows = [row[2:55] for row in terminal.settle().splitlines()]
        terminal.press("q")
        assert terminal.wait_end() == 0
    marks = {word: next(row[0] for row in rows if word in row) for word in ENDINGS}
    assert len(set(marks.values())) == len(ENDINGS)
    grey = {style for style in terminal.screen.styles if COLOUR.search(style) and not is_grey(style)}
    assert grey == set()


def is_grey(style: str) -> bool:
    """Say whether every colour in a style is black, white or a shade between."""
    numbers = style.split(";")
    for place, number in enumerate(numbers):
        if number in ("38", "48"):
            kind, *rest = numbers[place + 1 :]
            if kind == "2" and len({*rest[:3]}) != 1:
                return False
            if kind == "5" and int(rest[0]) not in (0, 7, 8, 15, 16, 231, *range(232, 256)):
                return False
    return True


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"LC_ALL": "C", "TERM": "vt100"}, "no finish"),
        ({"LC_ALL": "POSIX", "TERM": "screen"}, "no finish"),
        ({"LC_ALL": "", "LANG": "", "TERM": "tmux-256color"}, "no finish"),
        ({"LC_ALL": "", "LANG": "xx_YY", "TERM": "linux"}, "no finish"),
        ({"LC_ALL": "", "LANG": "de_DE@euro", "TERM": "ansi"}, "ohne Abschluss"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_AT.UTF-8", "LANG": "en_US"}, "ohne Abschluss"),
        ({"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, "no finish"),
    ],
    ids=str,
)
def test_on_a_terminal_of_any_name_it_speaks_as_the_environment_says_in_what_that_can_show(
    variables: dict[str, str], word: str, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "e.jsonl", no_finish())
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path, variables=variables) as terminal:
        terminal.wait_for(word)
        terminal.settle()
        terminal.press("q")
        assert terminal.wait_end() == 0
        assert terminal.screen.faults == []
        assert terminal.left_behind == []
        if "PYTHONIOENCODING" in variables:
            assert terminal.screen.shown.isascii()


def test_keys_whose_bytes_come_one_by_one_are_still_keys(file: Path, tmp_path: Path) -> None:
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path) as terminal:
        terminal.wait_for("replay ended")
        before = terminal.settle()
        for byte in DOWN * 2:
            terminal.press(bytes((byte,)))
            terminal.keep_reading(0.03)
        assert terminal.settle() != before
        terminal.press("/")
        terminal.settle()
        terminal.press("q")
        assert terminal.process.poll() is None  # it is typed
        terminal.press("\x1b")
        terminal.settle()
        terminal.press("q")
        assert terminal.wait_end() == 0


def test_everything_on_screen_follows_the_language_at_once(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "e.jsonl", cap_cut())
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path) as terminal:
        terminal.wait_for("Stream ended without")
        english = terminal.settle()
        terminal.press("l")
        terminal.wait_for("ohne Abschluss")
        german = terminal.settle()
        for word in ("Rounds", "agent  ", "Stream ended", "help", "replay ended", "output tokens", "following"):
            assert word in english
            assert word not in german
        terminal.press("l")
        terminal.wait_for("Stream ended without")
        terminal.press("q")
        assert terminal.wait_end() == 0


def test_the_mouse_is_taken_unless_the_command_line_leaves_it_to_the_terminal(file: Path, tmp_path: Path) -> None:
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path) as terminal:
        terminal.wait_for("replay ended")
        assert TAKES_MOUSE.search(terminal.raw)
    with real_terminal("replay", file, "--speed", "1e6", "--no-mouse", home=tmp_path) as terminal:
        terminal.wait_for("replay ended")
        terminal.press("?")
        terminal.wait_for("Keys everywhere")
        terminal.press("\x1b")
        terminal.settle()
        terminal.press("q")
        assert terminal.wait_end() == 0
        assert not TAKES_MOUSE.search(terminal.raw)
