from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.screen import show
from roundwatch.tui.cli.settings import Settings
from roundwatch.tui.source import ReplaySource

from tests.tui.cli.surroundings import Surroundings


async def test_no_screen_opens_with_settings_it_does_not_know() -> None:
    settings = Settings(Path("config.toml"), theme="no-such-theme")

    with pytest.raises(CommandFailed) as raised:
        await show(ReplaySource([]), Surroundings(settings).context, name="x")

    assert raised.value.key == "cli.config.unknown_theme"
