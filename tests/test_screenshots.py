"""The pictures of ``screenshots/`` are those of the app as it is."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.screenshots import FOLDER, ROOT, pictures


@pytest.mark.parametrize("name", list(pictures()))
def test_a_picture_is_what_the_app_shows(name: str, roundwatch_pinned: None) -> None:
    kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    same = asyncio.run(pictures()[name]()) == kept
    assert same, f"screenshots/{name}.svg is not what the app shows; run: make screenshots"


def test_there_is_no_picture_that_nothing_makes() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(pictures())


def test_the_readme_shows_pictures_that_there_are() -> None:
    shown = re.findall(r"\]\((screenshots/[^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert shown
    assert [name for name in shown if not (ROOT / name).is_file()] == []
