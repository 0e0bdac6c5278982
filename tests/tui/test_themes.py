"""What is written can be read: contrast by WCAG 2, of every tone on everything it stands on."""

from __future__ import annotations

import pytest
from rich.color import Color as RichColor
from rich.color_triplet import ColorTriplet
from roundwatch.core.texts import TOOL_MARKS, VERDICT_MARKS, Texts
from roundwatch.tui.rounds_view import RoundsView
from roundwatch.tui.safe_text import Ground, Tone
from roundwatch.tui.themes import DARK, HIGH_CONTRAST, LIGHT, MONOCHROME, THEMES

from tests.stage import app_of, settle
from tests.tui.lines import DE, EN

LEAST = {DARK.name: 4.5, LIGHT.name: 4.5, HIGH_CONTRAST.name: 7.0, MONOCHROME.name: 4.5}
"""AA for text of normal size; AAA where the theme is chosen for its contrast."""
DRAWN = (Tone.FRAME, Tone.FRAME_FOCUS, Tone.WAITING, Tone.STREAMING)
"""Lines and bars, no words."""
LEAST_DRAWN = {DARK.name: 1.5, LIGHT.name: 1.5, HIGH_CONTRAST.name: 3.0, MONOCHROME.name: 1.5}
"""Frames separate, they tell nothing; in high contrast they count as graphics."""


def luminance(color: ColorTriplet) -> float:
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: ColorTriplet, other: ColorTriplet) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def triplet(color: RichColor | None) -> ColorTriplet:
    assert color is not None
    return color.get_truecolor()


def test_the_ratio_is_that_of_wcag() -> None:
    white, grey, black = ColorTriplet(255, 255, 255), ColorTriplet(118, 118, 118), ColorTriplet(0, 0, 0)
    assert round(contrast(white, black), 2) == 21.0
    assert round(contrast(white, grey), 2) == 4.54


@pytest.mark.parametrize("theme", [each.name for each in THEMES])
async def test_every_tone_can_be_read_on_every_ground(theme: str) -> None:
    app = app_of("cut", theme=theme)
    found: dict[str, float] = {}
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        view = app.screen.query_one(RoundsView)
        for tone in Tone:
            for ground in Ground:
                style = view._style(tone, ground)  # pyright: ignore[reportPrivateUsage]
                ratio = contrast(triplet(style.color), triplet(style.bgcolor))
                least = (LEAST_DRAWN if tone in DRAWN else LEAST)[theme]
                if ratio < least and (tone not in DRAWN or ground is Ground.NONE):
                    found[f"{tone} on {ground}"] = round(ratio, 2)
    assert found == {}


@pytest.mark.parametrize("texts", [EN, DE])
def test_every_state_is_told_apart_by_glyph_and_word_alone(texts: Texts) -> None:
    for marks in (VERDICT_MARKS, TOOL_MARKS):
        looks: dict[str, set[str]] = {}
        for name, each in marks.items():
            looks.setdefault(each.glyph, set()).add(each.word(texts))
            assert each.word(texts).strip(), name
        words = [word for each in looks.values() for word in each]
        assert len(set(words)) == len(words), "one word for two glyphs"
