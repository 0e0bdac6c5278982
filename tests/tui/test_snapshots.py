"""Pictures: one of each banner, and whole screens in the states that matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.themes import LIGHT
from textual.app import App

from tests.banners import BannerApp, height_of, outcomes
from tests.scenes import SCENES
from tests.stage import app_of, key_of, keys

Compare = Callable[..., bool]
TYPED = {
    "fields": "",
    "values": "verdict:",
    "wrong": "agent:worker tokens:many ",
    "filtered": "-is:answer",
    "nothing": "agent:nobody",
}
"""Filters, by what a picture of them shows."""


@pytest.mark.parametrize("width", [60, 110])
@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("name", list(outcomes()))
def test_banner(snap_compare: Compare, name: str, locale: str, width: int) -> None:
    shown = [outcomes()[name]]
    assert snap_compare(BannerApp(shown, locale), terminal_size=(width, height_of(shown, Texts.load(locale), width)))


@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("scene", list(SCENES))
def test_main_screen(snap_compare: Compare, scene: str, locale: str) -> None:
    assert snap_compare(app_of(scene, locale), terminal_size=(120, 40), run_before=keys())


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (200, 60)])
@pytest.mark.parametrize(("scene", "locale"), [("cut", "de"), ("everything", "en"), ("partial", "de")])
def test_main_screen_in_other_sizes(snap_compare: Compare, scene: str, locale: str, size: tuple[int, int]) -> None:
    assert snap_compare(app_of(scene, locale), terminal_size=size, run_before=keys())


@pytest.mark.parametrize(
    ("name", "pressed"),
    [
        ("help", ("question_mark",)),
        ("palette", ("ctrl+p",)),
        ("inspector", ("enter", "enter")),
        ("timeline", ("enter", "up")),
        ("pinned", ("down",)),
    ],
)
@pytest.mark.parametrize("locale", ["en", "de"])
def test_other_states(snap_compare: Compare, name: str, pressed: tuple[str, ...], locale: str) -> None:
    assert snap_compare(app_of("cut", locale), terminal_size=(120, 40), run_before=keys(*pressed))


PRESSED = {
    "statistics": ("s",),
    "folded": ("space",),
    "sorted": ("S",),
    "goto": ("colon", "7"),
    "search": ("n", "n", "n", "n", "n", "n", "n", "enter", "slash", *"write"),
}
"""Keys, by what a picture shows after them."""


@pytest.mark.parametrize("name", list(PRESSED))
@pytest.mark.parametrize("locale", ["en", "de"])
def test_states_with_many_rounds(snap_compare: Compare, name: str, locale: str) -> None:
    assert snap_compare(app_of("everything", locale), terminal_size=(120, 40), run_before=keys(*PRESSED[name]))


@pytest.mark.parametrize("size", [(80, 24), (40, 16)])
def test_statistics_where_room_is_short(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app_of("everything", "de"), terminal_size=size, run_before=keys("s"))


@pytest.mark.parametrize("name", list(TYPED))
@pytest.mark.parametrize("locale", ["en", "de"])
def test_filtering(snap_compare: Compare, name: str, locale: str) -> None:
    after = ("enter",) if name == "filtered" else ()
    pressed = keys("slash", *map(key_of, TYPED[name]), *after)
    assert snap_compare(app_of("everything", locale), terminal_size=(120, 30), run_before=pressed)


def test_light_theme(snap_compare: Compare) -> None:
    assert snap_compare(app_of("cut", theme=LIGHT.name), terminal_size=(120, 40), run_before=keys())


def test_without_colour_every_state_still_differs(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app: App[Any] = app_of("everything", "de")
    assert snap_compare(app, terminal_size=(120, 40), run_before=keys())
