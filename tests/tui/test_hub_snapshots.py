"""Pictures of the header and the list before several hubs, in every state of the links."""

from __future__ import annotations

import pytest
from roundwatch.core.hub import HubRefused, Link, LinkState
from roundwatch.core.hub.frames import Gap
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.feed import FeedState
from roundwatch.tui.source import NamedSource, SourceItem
from roundwatch.tui.testing import Snapshots
from roundwatch.tui.testing.live_feed import StillSource
from roundwatch.tui.testing.stage import ZONE, texts_of

from tests.scenes import NOW, answer, everything, live

GAP = Gap.model_validate({"from": 121, "to": 599, "why": "trimmed"})
LOST = Link(LinkState.RECONNECTING, "nobody listens there", 4.0)


def app_before(locale: str, *feeds: list[SourceItem], refused: bool = False) -> RoundwatchApp:
    names = ("work", "lab", "ws://127.0.0.1:7433")
    first, *more = [NamedSource(name, StillSource(items)) for name, items in zip(names, feeds, strict=False)]
    app = RoundwatchApp(
        first.source, texts=texts_of(locale), source_name=first.name, clock=lambda: NOW, monotonic=lambda: 0.0,
        zone=ZONE, more=more,
    )  # fmt: skip
    if refused:
        app.watched.hubs[-1].fail(FeedState.REFUSED, "401", HubRefused("401", code="hub_token"))
    return app


@pytest.mark.parametrize("size", [(40, 10), (60, 20), (80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("locale", ["en", "de"])
def test_three_hubs_of_which_two_are_impaired(
    roundwatch_snapshot: Snapshots, locale: str, size: tuple[int, int]
) -> None:
    app = app_before(locale, live(everything()), [*live(answer()), LOST], [*live(answer()), GAP])
    assert roundwatch_snapshot.app(app, size=size)


@pytest.mark.parametrize("locale", ["en", "de"])
def test_a_wrong_token_of_one_hub(roundwatch_snapshot: Snapshots, locale: str) -> None:
    assert roundwatch_snapshot.app(app_before(locale, live(answer()), [], refused=True), size=(80, 24))


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
def test_hubs_that_are_all_live(roundwatch_snapshot: Snapshots, size: tuple[int, int]) -> None:
    assert roundwatch_snapshot.app(app_before("de", live(everything()), live(answer())), size=size)


@pytest.mark.parametrize("size", [(40, 10), (60, 20), (80, 24)])
@pytest.mark.parametrize("locale", ["en", "de"])
def test_one_hub_that_is_lost_with_a_partial_view(
    roundwatch_snapshot: Snapshots, locale: str, size: tuple[int, int]
) -> None:
    assert roundwatch_snapshot.app(app_before(locale, [*live(everything()), GAP, LOST]), size=size)
