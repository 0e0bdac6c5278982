"""Reports as SVG pictures: self-contained, with nothing in them that is fetched from anywhere."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from .report import Line

PICTURE_COLUMNS = 88
FONT_FACE = re.compile(r"\s*@font-face\s*\{[^}]*\}")  # rich points to fonts on the web; viewers have one of their own


def svg(title: str, lines: Iterable[Line]) -> str:
    """Return the lines as an SVG document in a terminal's frame."""
    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=io.StringIO(),
        record=True,
        width=PICTURE_COLUMNS,
        markup=False,
        emoji=False,
        highlight=False,
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        legacy_windows=False,
    )
    for line in lines:
        console.print(Text(" " * line.indent + line.text, style=line.style))
    style, end, drawing = console.export_svg(title=title, unique_id="roundwatch").partition("</style>")
    return FONT_FACE.sub("", style) + end + drawing
