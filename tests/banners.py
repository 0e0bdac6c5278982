"""One outcome of each kind, and an app that shows their banners and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from roundwatch.core.rounds import Doubt, Evidence, Figures, Outcome, Verdict
from roundwatch.core.texts import Texts
from roundwatch.tui.banner_lines import banner_lines
from roundwatch.tui.line_view import LineView
from roundwatch.tui.safe_text import Line
from roundwatch.tui.themes import DARK
from textual.app import App, ComposeResult

from tests.core.texts.ended import FACTS, ended

FIGURES = Figures(
    "c1", first_output_ms=15_600, total_ms=18_200, output_tokens=24, input_tokens=246_017, output_seen=True
)
WITHOUT_CALLS = frozenset((Verdict.SELECTION_UNRESOLVED, Verdict.NO_USABLE_MODEL))


def outcomes() -> dict[str, Outcome]:
    """One outcome a verdict, and the states that a verdict alone does not tell apart."""
    found = {
        str(verdict): ended(
            verdict, FACTS.get(verdict, ({},))[0], figures=None if verdict in WITHOUT_CALLS else FIGURES
        )
        for verdict in Verdict
    }
    found["completed_unconfirmed"] = ended(
        Verdict.COMPLETED,
        is_answer=False,
        evidence=Evidence.UNCONFIRMED,
        doubts=(Doubt.FINISH_REASON_NEVER_REPORTED, Doubt.FEED_GAP),
        figures=FIGURES,
    )
    found["running_silent"] = ended(Verdict.RUNNING, stalled_ms=200_000.0, figures=FIGURES)
    return found


class BannerView(LineView):
    """Banners, one below the other."""

    def __init__(self, shown: Sequence[Outcome], texts: Texts) -> None:
        super().__init__()
        self._shown = shown
        self._spoken = texts

    def lines(self, width: int, height: int) -> list[Line]:
        return [line for outcome in self._shown for line in banner_lines(outcome, self._spoken, width)]


class BannerApp(App[None]):
    """Shows banners in a language."""

    def __init__(self, shown: Sequence[Outcome], locale: str) -> None:
        super().__init__()
        self.title = "banner"
        self.register_theme(DARK)
        self.theme = DARK.name
        self._view = BannerView(shown, Texts.load(locale))

    def compose(self) -> ComposeResult:
        yield self._view


def height_of(shown: Sequence[Outcome], texts: Texts, width: int) -> int:
    """How many lines the banners take."""
    return sum(len(banner_lines(outcome, texts, width)) for outcome in shown)
