from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.screen_settings import LIST_COLUMNS, check_screen_settings, listed
from roundwatch.tui.cli.settings import Settings

from tests.tui.cli.command import run, write_lines
from tests.tui.cli.recorded import answer
from tests.tui.cli.surroundings import Surroundings

CONFIG = Path("config.toml")


@pytest.mark.parametrize(
    ("settings", "named", "known"),
    [
        (Settings(CONFIG, theme="no-such-theme"), "no-such-theme", "roundwatch-light"),
        (Settings(CONFIG, keymap={"app.fly": "f"}), "keymap.app.fly", "main.next"),
    ],
)
def test_a_setting_that_the_screen_does_not_know_is_named_with_all_it_knows(
    settings: Settings, named: str, known: str
) -> None:
    with pytest.raises(CommandFailed) as raised:
        check_screen_settings(Surroundings(settings).context)

    assert named in raised.value.values.values()
    assert raised.value.values["file"] == "config.toml"
    assert known in " ".join(raised.value.lines).split()


def test_names_that_exist_are_taken() -> None:
    settings = Settings(CONFIG, theme="roundwatch-light", keymap={"main.next": "x", "rounds.filter": "ctrl+f"})

    check_screen_settings(Surroundings(settings).context)


def test_a_long_list_is_lines_to_be_read() -> None:
    names = [f"app.action_{number}" for number in range(40)] + ["main.next"]
    lines = listed(names)

    assert all(len(line) <= LIST_COLUMNS for line in lines)
    assert lines[-1] == "main.next"
    assert " ".join(lines).split() == sorted(names)


def test_a_mistake_is_told_without_a_terminal_too(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('theme = "neon"\n')

    done = run("--config", config, "replay", write_lines(tmp_path / "e.jsonl", answer()))

    assert (done.code, done.out) == (2, "")
    assert 'theme "neon"' in done.err.splitlines()[0]
    assert "roundwatch-light" in done.err
