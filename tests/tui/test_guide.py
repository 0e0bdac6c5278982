from __future__ import annotations

import pytest
from roundwatch.core.hub import HubRefused
from roundwatch.core.texts import Texts
from roundwatch.tui.feed import FeedState
from roundwatch.tui.guide import Guide
from roundwatch.tui.safe_text import line_cells
from roundwatch.tui.watched import Watched

from tests.tui.lines import DE, EN, texts

URL = "ws://127.0.0.1:7433"


def guide(state: FeedState, locale: Texts = EN, reason: str = "", fault: Exception | None = None) -> Guide:
    watched = Watched()
    watched.fail(state, reason, fault)
    return Guide(watched, URL, lambda: locale)


@pytest.mark.parametrize("locale", [EN, DE])
def test_a_live_hub_without_rounds_says_where_events_go_and_how(locale: Texts) -> None:
    shown = "\n".join(texts(guide(FeedState.LIVE, locale).lines(100)))
    assert locale("ui.no_rounds", url=URL) in shown
    assert f"roundwatch publish --to {URL} FILE" in shown
    assert "roundwatch demo" in shown


@pytest.mark.parametrize("locale", [EN, DE])
def test_a_hub_that_refuses_is_told_with_the_remedy_before_the_reason(locale: Texts) -> None:
    told = guide(FeedState.REFUSED, locale, "HTTP 403")
    shown = "\n".join(texts(told.lines(100)))
    assert shown.index("--token-file") < shown.index("HTTP 403")
    assert told.headline() == locale("tui.feed.refused")


def test_a_reason_that_names_the_remedy_is_enough() -> None:
    shown = guide(FeedState.REFUSED, EN, "pass the file with --token-file").in_a_sentence()
    assert shown.count("--token-file") == 1


def test_what_a_refusal_says_follows_the_language() -> None:
    fault = HubRefused("no hub", code="hub_other_program")
    assert DE("fault.hub_other_program") in guide(FeedState.REFUSED, DE, str(fault), fault).in_a_sentence()


@pytest.mark.parametrize("state", list(FeedState))
@pytest.mark.parametrize("width", [20, 38, 90])
def test_in_every_state_something_is_said_and_nothing_is_too_wide(state: FeedState, width: int) -> None:
    lines = guide(state, EN, "a \x1b[2J very " + "long reason " * 80).lines(width)
    assert texts(lines)
    assert all(line_cells(line) <= width for line in lines)
    assert "\x1b" not in "".join(texts(lines))
