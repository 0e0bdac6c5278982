"""The colours of tones and grounds, taken from the theme's variables.

Textual's own way, a component class for each of them, finds every one of these styles by the stylesheet, for each
widget and each time that anything about the widget changes: a third of what the first frame took.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from rich.style import Style
from textual.color import Color
from textual.widget import Widget

from .safe_text import Ground, Tone

if TYPE_CHECKING:
    from textual.app import App

AUTO = "auto"
"""Black or white, whichever can be read on the widget's background."""

COLORS: Mapping[Tone, str] = {
    Tone.DIM: "text-muted",
    Tone.FRAME: "border-blurred",
    Tone.FRAME_FOCUS: "border",
    Tone.KEY: "accent",
    Tone.INFO: "text-primary",
    Tone.GOOD: "text-success",
    Tone.UNSURE: "text-warning",
    Tone.WARN: "text-warning",
    Tone.BAD: "text-error",
    Tone.WAITING: "text-muted",
    Tone.STREAMING: "primary",
}
"""Names of theme variables; a tone that is missing has the widget's own colour."""
BOLD = frozenset({Tone.STRONG, Tone.KEY, Tone.BAD})
BACKGROUNDS: Mapping[Ground, tuple[str, float]] = {
    Ground.CURSOR: ("block-cursor-background", 0.6),
    Ground.CURSOR_BLURRED: ("block-cursor-blurred-background", 1.0),
    Ground.BAR: ("panel", 1.0),
}
"""Names of theme variables, and how much of the colour covers what is below."""


def tone_style(widget: Widget, tone: Tone, ground: Ground) -> Style:
    """Return how text of that meaning is drawn in the widget, by the theme that it has now."""
    app = cast("App[object]", widget.app)  # pyright: ignore[reportUnknownMemberType]
    style, variables = widget.rich_style, app.theme_variables
    below = widget.background_colors[1]
    if tone in COLORS:
        style += Style(color=(below + _color(variables[COLORS[tone]], below)).rich_color)
    if tone in BOLD:
        style += Style(bold=True)
    if ground is not Ground.NONE:
        name, share = BACKGROUNDS[ground]
        style += Style(bgcolor=(below + _color(variables[name], below).multiply_alpha(share)).rich_color)
    return style


def _color(words: str, below: Color) -> Color:
    """Return what a theme's variable names: a colour or ``auto``, either with a share of it in percent or without."""
    name, _, share = words.partition(" ")
    alpha = float(share.rstrip("%")) / 100 if share else 1.0
    return below.get_contrast_text(alpha) if name == AUTO else Color.parse(name).multiply_alpha(alpha)
