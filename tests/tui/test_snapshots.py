"""Pictures: one of each banner, and whole screens in the states that matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from roundwatch.core.rounds import Doubt, Evidence, Outcome, Verdict
from roundwatch.core.rounds.figures import Figures
from roundwatch.core.texts import Texts
from roundwatch.tui.banner_lines import banner_lines
from roundwatch.tui.line_view import LineView
from roundwatch.tui.safe_text import Line
from roundwatch.tui.themes import DARK, LIGHT
from textual.app import App, ComposeResult

from tests.core.texts.ended import FACTS, ended
from tests.scenes import SCENES
from tests.stage import app_of, keys

Compare = Callable[..., bool]
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
    """A banner and nothing else."""

    def __init__(self, outcome: Outcome, texts: Texts) -> None:
        super().__init__()
        self._outcome = outcome
        self._texts_ = texts

    def lines(self, width: int, height: int) -> list[Line]:
        return banner_lines(self._outcome, self._texts_, width)


class BannerApp(App[None]):
    """Shows one banner."""

    def __init__(self, outcome: Outcome, locale: str) -> None:
        super().__init__()
        self.title = "banner"
        self.register_theme(DARK)
        self.theme = DARK.name
        self._view = BannerView(outcome, Texts.load(locale))

    def compose(self) -> ComposeResult:
        yield self._view


@pytest.mark.parametrize("width", [60, 110])
@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("name", list(outcomes()))
def test_banner(snap_compare: Compare, name: str, locale: str, width: int) -> None:
    app = BannerApp(outcomes()[name], locale)
    height = len(banner_lines(outcomes()[name], Texts.load(locale), width))
    assert snap_compare(app, terminal_size=(width, height))


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


def test_light_theme(snap_compare: Compare) -> None:
    assert snap_compare(app_of("cut", theme=LIGHT.name), terminal_size=(120, 40), run_before=keys())


def test_without_colour_every_state_still_differs(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app: App[Any] = app_of("everything", "de")
    assert snap_compare(app, terminal_size=(120, 40), run_before=keys())
