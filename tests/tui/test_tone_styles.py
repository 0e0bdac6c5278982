from __future__ import annotations

from typing import ClassVar

import pytest
from roundwatch.tui.safe_text import Ground, Tone
from roundwatch.tui.themes import THEMES
from roundwatch.tui.tone_styles import BACKGROUNDS, BOLD, COLORS, tone_style
from textual.app import App, ComposeResult
from textual.theme import BUILTIN_THEMES
from textual.widget import Widget

NAMES = sorted({*BUILTIN_THEMES, *(theme.name for theme in THEMES)})


def rules() -> str:
    tones = [f"Styled > .{tone} {{ color: ${name}; }}" for tone, name in COLORS.items()]
    bold = [f"Styled > .{tone} {{ text-style: bold; }}" for tone in BOLD]
    grounds = [f"Styled > .on-{ground} {{ background: ${name} {share:%}; }}" for ground, (name, share) in GROUNDS]
    return "Styled { background: $panel; color: $foreground; }" + "".join([*tones, *bold, *grounds])


GROUNDS = BACKGROUNDS.items()


class Styled(Widget):
    """Has the same colours by Textual's own means."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*Tone, *(f"on-{ground}" for ground in Ground)}
    DEFAULT_CSS = rules()


class Shown(App[None]):
    def compose(self) -> ComposeResult:
        yield Styled()


@pytest.mark.parametrize("theme", NAMES)
async def test_every_tone_and_ground_looks_as_textuals_stylesheet_makes_it(theme: str) -> None:
    app = Shown()
    for each in THEMES:
        app.register_theme(each)
    async with app.run_test() as pilot:
        app.theme = theme
        await pilot.pause()
        widget = app.query_one(Styled)
        for tone in Tone:
            assert tone_style(widget, tone, Ground.NONE) == widget.get_component_rich_style(tone), tone
        for ground in BACKGROUNDS:
            below = widget.get_component_rich_style(f"on-{ground}").bgcolor
            assert tone_style(widget, Tone.KEY, ground).bgcolor == below, ground
