"""Pictures: one of each banner, and whole screens in the states that matter."""

from __future__ import annotations

import pytest
from roundwatch.tui.testing import Snapshots
from roundwatch.tui.themes import LIGHT

from tests.banners import outcomes
from tests.scenes import NOW, SCENES
from tests.stage import app_of, key_of

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
def test_banner(roundwatch_snapshot: Snapshots, name: str, locale: str, width: int) -> None:
    assert roundwatch_snapshot.banner(outcomes()[name], locale=locale, width=width)


@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("scene", list(SCENES))
def test_main_screen(roundwatch_snapshot: Snapshots, scene: str, locale: str) -> None:
    assert roundwatch_snapshot.screen(SCENES[scene](), locale=locale, now=NOW)


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (200, 60)])
@pytest.mark.parametrize("scene", ["cut", "everything", "partial"])
@pytest.mark.parametrize("locale", ["en", "de"])
def test_main_screen_in_other_sizes(
    roundwatch_snapshot: Snapshots, scene: str, locale: str, size: tuple[int, int]
) -> None:
    assert roundwatch_snapshot.app(app_of(scene, locale), size=size)


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
def test_other_states(roundwatch_snapshot: Snapshots, name: str, pressed: tuple[str, ...], locale: str) -> None:
    assert roundwatch_snapshot.app(app_of("cut", locale), size=(120, 40), press=pressed)


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
def test_states_with_many_rounds(roundwatch_snapshot: Snapshots, name: str, locale: str) -> None:
    assert roundwatch_snapshot.app(app_of("everything", locale), size=(120, 40), press=PRESSED[name])


@pytest.mark.parametrize("size", [(80, 24), (40, 16)])
def test_statistics_where_room_is_short(roundwatch_snapshot: Snapshots, size: tuple[int, int]) -> None:
    assert roundwatch_snapshot.app(app_of("everything", "de"), size=size, press=("s",))


@pytest.mark.parametrize("name", list(TYPED))
@pytest.mark.parametrize("locale", ["en", "de"])
def test_filtering(roundwatch_snapshot: Snapshots, name: str, locale: str) -> None:
    after = ("enter",) if name == "filtered" else ()
    pressed = ("slash", *map(key_of, TYPED[name]), *after)
    assert roundwatch_snapshot.app(app_of("everything", locale), size=(120, 30), press=pressed)


def test_light_theme(roundwatch_snapshot: Snapshots) -> None:
    assert roundwatch_snapshot.app(app_of("cut", theme=LIGHT.name), size=(120, 40))


def test_without_colour_every_state_still_differs(
    roundwatch_snapshot: Snapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert roundwatch_snapshot.app(app_of("everything", "de"), size=(120, 40))
