from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.cli.screen_settings import check_screen_settings
from roundwatch.tui.cli.settings import load_settings
from roundwatch.tui.keys import ACTIONS
from roundwatch.tui.themes import THEMES

from tests.tui.cli.surroundings import Surroundings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "settings.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = [block for text in (PAGE, README) for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL)]


def test_every_action_is_listed_with_its_keys_and_no_other() -> None:
    rows = dict(re.findall(r"^\| `([a-z]+\.[a-z_]+)` \| (.*?) \| ", PAGE, re.MULTILINE))

    assert rows == {
        action.id: " ".join(f"`{key}`" for key in action.keys.split(",") if key) or "–" for action in ACTIONS
    }


def test_every_theme_is_named() -> None:
    assert all(f"`{theme.name}`" in PAGE for theme in THEMES)


def test_the_readmes_block_works_as_it_stands(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(next(block for block in BLOCKS if "[hubs.work]" in block and "locale" in block))
    settings = load_settings(config)

    check_screen_settings(Surroundings(settings).context)

    assert settings.hubs["work"].token_file is None
    assert settings.texts is None


@pytest.mark.parametrize("block", [block for block in BLOCKS if "[keymap]" in block and "locale" not in block])
def test_the_keys_of_the_example_exist(block: str, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(block)

    check_screen_settings(Surroundings(load_settings(config)).context)


def test_the_texts_of_the_example_exist(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(next(block for block in BLOCKS if "[de]" in block))
    texts = Texts.load("de", own)

    assert texts.problems == ()
    assert texts("verdict.completed") == tomllib.loads(own.read_text())["de"]["verdict.completed"]
