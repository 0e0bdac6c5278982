from __future__ import annotations

from pathlib import Path

from roundwatch.tui.home import Home


def test_a_home_is_that_of_the_environment(tmp_path: Path) -> None:
    home = Home.of({"XDG_STATE_HOME": str(tmp_path / "s"), "XDG_DATA_HOME": str(tmp_path / "d")})
    assert home.preferences.path == tmp_path / "s/roundwatch/screen.json"
    assert home.folder == tmp_path / "d/roundwatch"


def test_without_one_nothing_is_remembered() -> None:
    assert Home().preferences.path is None
