from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from roundwatch.tui.cli import main
from roundwatch.tui.cli.arguments import COMMANDS

from tests.tui.cli.command import PATIENCE_S, PROGRAM, environment, run, start, write_lines
from tests.tui.cli.recorded import answer

HEAVY = ("asyncio", "websockets", "textual", "httpx2", "sqlite3", "ssl")

NEEDLESS = (*HEAVY, "rich", "babel", "importlib.metadata", "importlib.resources", "socket")
"""What a judgement into a pipe has no use for either."""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["--print-completion", "bash"]])
def test_what_only_describes_the_program_ends_well(arguments: list[str]) -> None:
    done = run(*arguments)

    assert done.code == 0
    assert "roundwatch" in done.out
    assert done.err == ""


@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS), ["rounds", "export"]])
def test_help_is_complete_in_both_languages(
    command: list[str], locale: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--help", "--locale", locale]) == 0

    shown = capsys.readouterr().out
    assert "cli." not in shown  # a missing text shows as its key
    assert ("Aufruf:" if locale == "de" else "usage:") in shown
    assert ("Beispiel" if locale == "de" else "example") in shown


def test_help_documents_every_exit_code() -> None:
    assert [line.split()[0] for line in run("--help").out.splitlines() if line[2:3].isdigit()] == [
        "0", "1", "2", "3", "70", "130",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["classify"],
        ["classify", "a", "b"],
        ["classify", "-", "--bogus"],
        ["translate", "-"],
        ["translate", "--format", "morse", "-"],
        ["replay", "x", "--speed", "0"],
        ["hub", "--port", "70000"],
        ["rounds"],
        ["rounds", "show"],
        ["watch", "--locale", "xx"],
        ["watch", "--config", "missing.toml"],
        ["watch", "no-such-hub"],
        ["watch", "ws://u:p@h"],
        ["publish", "missing.jsonl"],
    ],
)
def test_a_wrong_call_is_one_clear_line_and_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2

    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    assert shown.err.startswith("roundwatch")


def test_a_secret_in_an_address_is_not_repeated() -> None:
    assert "hunter2" not in run("watch", "ws://me:hunter2@localhost:7433").err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["classify", "{file}"],
        ["classify", "--json", "{file}"],
        ["translate", "--format", "openai-chat", "{file}"],
        ["banner"],
    ],
)
def test_small_commands_load_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    file = write_lines(tmp_path / "events.jsonl", answer())
    arguments = [argument.format(file=file) for argument in arguments]
    code = (
        "import sys; from roundwatch.tui.cli import main; main(sys.argv[1:]);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment(), check=True
    )

    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize("options", [[], ["--json"], ["--locale", "de"]])
def test_a_judgement_into_a_pipe_loads_neither_styles_nor_the_worlds_languages(
    options: list[str], tmp_path: Path
) -> None:
    claims = {"type": "round.finished", "round": "r1", "claimed": {"status": "success"}}
    file = write_lines(tmp_path / "events.jsonl", [*answer(), claims, {"type": "round.new_kind", "round": "r1"}])
    code = (
        "import sys; from roundwatch.tui.cli import main; main(sys.argv[1:]);"
        f"print([name for name in {NEEDLESS!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "classify", *options, file],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )

    assert "1" in done.stderr.splitlines()[-2]
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("variables", "arguments", "german"),
    [
        ({"LANG": "de_DE.UTF-8"}, [], True),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, [], False),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT.UTF-8"}, [], True),
        ({"LC_MESSAGES": "de_DE.UTF-8", "LC_ALL": "en_US.UTF-8"}, [], False),
        ({"LC_ALL": "de_CH.UTF-8"}, [], True),
        ({"LC_ALL": "de_CH.UTF-8"}, ["--locale", "en"], False),
        ({"LC_ALL": "C"}, ["--locale=de"], True),
    ],
)
def test_the_language_follows_option_and_environment(
    variables: dict[str, str], arguments: list[str], german: bool
) -> None:
    env = {name: value for name, value in environment().items() if name != "LC_ALL"} | variables

    done = run("classify", "missing.jsonl", *arguments, env=env)

    assert ("ist nicht lesbar" in done.err) == german
    assert ("cannot be read" in done.err) != german


def test_the_configured_language_counts_unless_an_option_says_otherwise(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('locale = "de"')

    assert "ist nicht lesbar" in run("classify", "missing", "--config", config).err
    assert "cannot be read" in run("classify", "missing", "--config", config, "--locale", "en").err


def test_a_reader_that_leaves_is_no_error() -> None:
    with start("banner") as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.readline()
        command.stdout.close()

        assert command.wait(PATIENCE_S) in (0, 141)  # 0: everything fitted into the pipe
        assert command.stderr.read() == b""


def test_a_full_disk_is_told_in_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*PROGRAM, "banner"], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False)

    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_an_interrupt_ends_with_130_and_says_nothing() -> None:
    reading, writing = os.pipe()
    with start("classify", "-", stdin=reading) as command:
        os.write(writing, b"\n" * 500_000)  # more than a pipe holds: when it is gone, the command is reading
        command.send_signal(signal.SIGINT)

        assert command.wait(PATIENCE_S) == 130
        assert command.stderr is not None
        assert command.stderr.read() == b""
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("closed", [0, 1, 2])
@pytest.mark.parametrize("arguments", [["classify", "-"], ["classify", "--json"], ["--help"], ["--version"]])
def test_a_closed_stream_ends_no_command(tmp_path: Path, arguments: list[str], closed: int) -> None:
    file = write_lines(tmp_path / "e.jsonl", answer())
    words = [*arguments, str(file)] if arguments == ["classify", "--json"] else arguments
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}>&-', "sh", *PROGRAM, *words],
        input=file.read_bytes(),
        capture_output=True,
        env=environment(),
        timeout=PATIENCE_S,
        check=False,
    )

    nothing_came = closed == 0 and "-" in words
    assert done.returncode == (2 if nothing_came else 0)
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == nothing_came
