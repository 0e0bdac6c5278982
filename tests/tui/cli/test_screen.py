from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.screen import show
from roundwatch.tui.cli.settings import Settings
from roundwatch.tui.source import ReplaySource

from tests.tui.cli.surroundings import Surroundings


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        (Settings(Path("config.toml"), theme="no-such-theme"), "theme"),
        (Settings(Path("config.toml"), keymap={"app.fly": "f"}), "keymap.app.fly"),
    ],
)
async def test_a_setting_that_the_screen_does_not_know_is_named(settings: Settings, key: str) -> None:
    with pytest.raises(CommandFailed) as raised:
        await show(ReplaySource([]), Surroundings(settings).context, name="x")

    assert raised.value.values["key"] == key
    assert raised.value.values["file"] == "config.toml"
