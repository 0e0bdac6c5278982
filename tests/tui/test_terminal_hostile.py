"""Hostile text in a real terminal: whatever is done with it on screen, no byte of it is a command."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from roundwatch.tui.cli import main

from tests.scenes import Lines
from tests.tui.cli.command import run as run_command
from tests.tui.cli.command import running_hub, write_lines
from tests.tui.real_terminal import RealTerminal, real_terminal
from tests.tui.test_hostile import ESCAPES, HOSTILE, everywhere
from tests.tui.vt import StrictTerminal

WORSE = (
    "\x1bP1$r0m\x1b\\", "\x1b_Ga=T\x1b\\", "\x1b^pm\x1b\\", "\x1bX sos\x1b\\", "\x1b]777;notify;a;b\x07", "\x1b[?1049l",
    "\x1b[6n", "\x1b#8", "\x1b(0", "\x0e\x0f", "\x90q\x9c", "\x85\x84", "\u2066x\u2069", "\u200f\u200b\ufeff",
    "e" + "\u0301" * 300, "\u05e9\u05dc\u05d5\u05dd abc", "\U0001f469\u200d\U0001f4bb\U0001f3fd",
    "\U000e0041\U000e0042", "\u2028line\u2029", "x" * 3000, "word " * 800, "\ufe0f\ufe0e", "\U0010ffff\ufdd0",
)  # fmt: skip
ALL = (*HOSTILE, *WORSE)
OUR_TITLE = re.compile(r"roundwatch .{1,40} – (running|läuft)[^;\\]*")
DOWN, F2 = "\x1b[B", "\x1bOQ"


def hostile_file(folder: Path, texts: tuple[str, ...] = ALL) -> Path:
    lines: Lines = [line for text in texts for line in everywhere(text)]
    file = write_lines(folder / "hostile.jsonl", lines)
    with file.open("ab") as more:
        more.write(b'\x00\n{"type":"\x1b]0;x\x07"}\n\xff\xfe\n' + b"[" * 9000 + b"\n")
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_file(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(params=[(200, 60), (40, 10)], ids=["200x60", "40x10"])
def terminal(request: pytest.FixtureRequest, file: Path, tmp_path: Path) -> Iterator[RealTerminal]:
    with real_terminal("replay", file, "--speed", "1e6", home=tmp_path, size=request.param) as made:
        made.wait_for("?")
        made.settle()
        yield made


def assert_obeyed_nothing(terminal: RealTerminal) -> None:
    assert terminal.screen.faults == []
    for number, words in terminal.screen.words:
        if number == "2":
            assert OUR_TITLE.fullmatch(words)
        else:
            assert number == "52"
            assert base64.b64decode(words.removeprefix("c;"), validate=True)


def test_nothing_that_is_shown_of_hostile_rounds_is_obeyed(terminal: RealTerminal) -> None:
    for number in range(len(ALL)):
        terminal.press(DOWN)
        terminal.keep_reading(0.03)
        if number % 6 == 0:
            for keys in ("\r", "\r", "r", "\x1b", "i", "\x1b", "\x1b", "\x1b"):
                terminal.press(keys)
                terminal.keep_reading(0.05)
    leave(terminal)
    assert_obeyed_nothing(terminal)


@pytest.mark.parametrize("terminal", [(120, 40)], ids=["120x40"], indirect=True)
def test_nothing_that_is_taken_off_the_screen_is_obeyed(terminal: RealTerminal, tmp_path: Path) -> None:
    for number in range(0, len(ALL), 3):
        terminal.press(DOWN * 3)
        terminal.press(("yw", "e\r", "e" + DOWN + "\r", "e" + DOWN * 2 + "\r")[number % 4])
        terminal.keep_reading(0.15)
    terminal.press("e" + DOWN * 3 + "\r")
    terminal.settle()
    leave(terminal)
    assert_obeyed_nothing(terminal)
    assert any(number == "52" for number, _ in terminal.screen.words)
    kept = [path for path in (tmp_path / "data" / "roundwatch").iterdir() if path.suffix in (".md", ".svg")]
    assert {path.suffix for path in kept} == {".md", ".svg"}
    for path in kept:
        assert faults_in(path.read_text("utf-8")) == []


@pytest.mark.parametrize("terminal", [(120, 40)], ids=["120x40"], indirect=True)
def test_nothing_that_is_typed_filtered_or_completed_is_obeyed(terminal: RealTerminal, tmp_path: Path) -> None:
    for typed in ("agent:\t\t\t", "tool:\t\t", "model:\t\x1b[B\t", "a\x02b\x0ec\x00", "\xc2\x9b31m", "verdict:("):
        terminal.press("/")
        terminal.keep_reading(0.1)
        terminal.press(typed)
        terminal.keep_reading(0.2)
        terminal.press(F2)
        terminal.keep_reading(0.1)
        terminal.press("\r")
        terminal.keep_reading(0.1)
        terminal.press("\x1b")
        terminal.keep_reading(0.1)
    terminal.press("/\x1b[200~pasted\x1b]0;x\x07\x9b\r\n[/]\x1b[201~")
    terminal.settle()
    leave(terminal)
    assert_obeyed_nothing(terminal)


def leave(terminal: RealTerminal) -> None:
    """Close what stands over the main screen, then the program."""
    for key in ("\x1b", "\x1b", "\x1b", "q"):
        terminal.settle()
        terminal.press(key)
    assert terminal.wait_end() == 0
    assert terminal.left_behind == []


def faults_in(text: str) -> list[str]:
    """What a terminal would obey of a text, line ends apart."""
    screen = StrictTerminal(10_000, 10_000)
    screen.feed(text)
    return screen.faults + sorted(screen.styles) + ["\\r" for _ in range(text.count("\r"))]


def test_notifications_and_the_window_title_hold_our_own_words(tmp_path: Path) -> None:
    preferences = tmp_path / "state" / "roundwatch" / "screen.json"
    preferences.parent.mkdir(parents=True)
    saved = ["agent:\x1b]0;x\x07", "\u202e", "\ud800", "[/]"]
    preferences.write_text(json.dumps({"desktop": True, "bell": True, "toast": True, "filters": saved}), "utf-8")
    with (
        running_hub(tmp_path / "hub.db", "--no-auth") as (url, _),
        real_terminal("watch", url, home=tmp_path) as terminal,
    ):
        terminal.wait_for("live")
        for text in (ESCAPES[1], "".join((*ESCAPES[:-1], *WORSE))):
            lines = write_lines(tmp_path / "e.jsonl", everywhere(text))
            assert run_command("publish", "--to", url, lines).code in (0, 1)
            terminal.settle()
        terminal.wait_until(lambda: any(number == "9" for number, _ in terminal.screen.words), "a notification")
        terminal.press("/" + "\x1b[A" * 3 + F2 + "\r")
        leave(terminal)
    told = [words for number, words in terminal.screen.words if number == "9"]
    assert all(words.startswith("roundwatch: ") and len(words) < 200 for words in told)
    assert [fault for fault in terminal.screen.faults if "\\x07" not in fault] == []  # we ring the bell ourselves


@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize(
    "command",
    [("classify",), ("classify", "--json"), ("replay", "--speed", "1e6"), ("translate", "--format", "openai-chat")],
    ids=lambda command: command[-1],
)
def test_no_command_writes_a_control(command: tuple[str, ...], locale: str, file: Path) -> None:
    done = run_command(*command, "--locale", locale, file)
    assert faults_in(done.out) == []
    assert faults_in(done.err) == []


@pytest.mark.parametrize("evil", ["\x1b]0;x\x07", "\x9b31m", "\u202eevil", "a\nb\rc", "[/red]", "\udcff"])
def test_no_complaint_about_what_was_typed_writes_a_control(
    evil: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "c.toml"
    config.write_text(f"theme = {json.dumps(evil.replace(chr(0xDCFF), ''))}\n", "utf-8")
    event = tmp_path / "e.jsonl"
    write_lines(event, everywhere("x"))
    for arguments in (
        ("classify", f"/nowhere/{evil}"), ("--locale", evil, "classify", "-"), ("watch", f"ws://127.0.0.1:1/{evil}"),
        (evil,), ("rounds", "show", evil), ("publish", "--to", f"ws://{evil}", str(event)), ("demo", "--only", evil),
        ("translate", "--format", evil, "-"), ("classify", "--config", evil, "-"),
        ("replay", "--config", str(config), str(event)),
    ):  # fmt: skip
        code = main(arguments)
        done = capsys.readouterr()
        assert code not in (0, 70), arguments
        assert faults_in(done.err) == [], arguments
        assert faults_in(done.out) == [], arguments
