"""Small apps that show one part of the screen and nothing else, just as large as it is."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import App, ComposeResult

from ...core.rounds import Outcome, Round
from ..banner_lines import banner_lines
from ..line_view import LineView
from ..safe_text import Line
from ..themes import DARK, THEMES
from ..timeline import BlockCache, Layout, Timeline
from ..token_memo import TokenMemo
from .recording import Recording
from .stage import ZONE, known_theme, texts_of

MOST_LINES = 1000
"""Lines of a picture; a longer timeline is a recording, not a picture."""


class PieceApp(App[None]):
    """Shows lines of text in our colours."""

    def __init__(self, lines: Sequence[Line], width: int, *, title: str, theme: str = DARK.name) -> None:
        """Show ``lines``, made for that width.

        Raises:
            ValueError: there is no such theme, or the width is below 1.
        """
        super().__init__()
        if width < 1:
            raise ValueError(f"no picture is {width} cells wide")
        self.title = title
        for each in THEMES:
            self.register_theme(each)
        self.theme = known_theme(theme)
        self._view = _Lines(lines[:MOST_LINES])
        self.piece_size: tuple[int, int] = (width, max(1, min(len(lines), MOST_LINES)))
        """Columns and rows that the lines take."""

    def compose(self) -> ComposeResult:
        """Yield the lines."""
        yield self._view


class _Lines(LineView):
    def __init__(self, shown: Sequence[Line]) -> None:
        super().__init__()
        self._shown = shown

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return self._shown


def banner_app(outcomes: Sequence[Outcome], locale: str, width: int, theme: str = DARK.name) -> PieceApp:
    """Return an app that shows the banners of ``outcomes``, one below the other."""
    texts = texts_of(locale)
    lines = [line for outcome in outcomes for line in banner_lines(outcome, texts, width)]
    return PieceApp(lines, width, title="banner", theme=theme)


def timeline_app(recording: Recording, round_: Round, locale: str, width: int, theme: str = DARK.name) -> PieceApp:
    """Return an app that shows a round's timeline from its first line to its last."""
    timeline = Timeline(
        round_, (), Layout(width, texts_of(locale), ZONE), recording.now, TokenMemo().sums(round_), BlockCache()
    )
    lines = [line for line, _ in timeline.window(0, timeline.height, recording.now)]
    return PieceApp(lines, width, title="timeline", theme=theme)
