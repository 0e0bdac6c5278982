"""Pictures of what stands over the main screen, and of the themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from roundwatch.tui.themes import HIGH_CONTRAST, MONOCHROME

from tests.stage import app_of, keys

Compare = Callable[..., bool]
PRESSED = {
    "settings": ("comma", "down"),
    "export": ("e",),
    "facts": ("n", "n", "n", "n", "n", "n", "n", "i"),
    "pinned": ("p", "down", "down", "down"),
}
"""Keys, by what a picture shows after them."""


@pytest.mark.parametrize("name", list(PRESSED))
@pytest.mark.parametrize("locale", ["en", "de"])
def test_what_stands_over_the_main_screen(snap_compare: Compare, name: str, locale: str) -> None:
    assert snap_compare(app_of("everything", locale), terminal_size=(120, 40), run_before=keys(*PRESSED[name]))


@pytest.mark.parametrize("name", ["settings", "export"])
def test_menus_where_room_is_short(snap_compare: Compare, name: str) -> None:
    assert snap_compare(app_of("everything", "de"), terminal_size=(40, 10), run_before=keys(*PRESSED[name]))


@pytest.mark.parametrize("theme", [HIGH_CONTRAST.name, MONOCHROME.name])
def test_themes(snap_compare: Compare, theme: str) -> None:
    app = app_of("everything", theme=theme)
    assert snap_compare(app, terminal_size=(120, 40), run_before=keys("n", "n"))


def test_ascii(snap_compare: Compare) -> None:
    app = app_of("everything", "de")
    app.home.preferences.change(ascii_marks=True)
    assert snap_compare(app, terminal_size=(120, 40), run_before=keys("n", "n"))
