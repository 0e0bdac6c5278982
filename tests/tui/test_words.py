from __future__ import annotations

import ast
from pathlib import Path

import pytest
from roundwatch.core.rounds import CallOutcome
from roundwatch.core.rounds.base import CancelledBy, StoppedWhy
from roundwatch.core.texts import Severity, Texts
from roundwatch.tui import app
from roundwatch.tui.feed import FeedState
from roundwatch.tui.filter_parse import FilterFault
from roundwatch.tui.keys import ACTIONS, Place
from roundwatch.tui.sort_order import SortOrder
from roundwatch.tui.standing import Standing

SOURCE = Path(app.__file__).parent
EN = Texts.load("en")
TABLES = ("tui.", "ui.", "link.", "key.", "command.", "help.", "event.", "banner.", "mark.")


def literal_keys() -> set[str]:
    """Every string in the screen's modules that looks like the key of a text."""
    return {
        node.value
        for path in SOURCE.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(TABLES)
        if " " not in node.value and not node.value.endswith((".", "_")) and ".py" not in node.value
    }


def test_every_text_that_the_screen_names_exists() -> None:
    found = literal_keys()
    assert len(found) > 80
    assert [key for key in sorted(found) if key not in EN] == []


@pytest.mark.parametrize(
    ("pattern", "values"),
    [
        ("tui.call.{}", [each for each in CallOutcome if each is not CallOutcome.COMPLETED]),
        ("event.cancel_{}", list(CancelledBy)),
        ("event.stopped_{}", list(StoppedWhy)),
        ("tui.severity.{}", list(Severity)),
        ("ui.count_{}", list(Standing)),
        ("tui.count_short.{}", list(Standing)),
        ("tui.feed.{}", [FeedState.CATCHING_UP, FeedState.RECONNECTING, FeedState.REFUSED, FeedState.FAILED]),
        ("link.{}", [FeedState.LIVE, FeedState.CONNECTING, FeedState.REPLAYING]),
        ("event.continued_{}", ["cap", "stream"]),
        ("tui.filter.{}", list(FilterFault)),
        ("tui.sort.{}", list(SortOrder)),
        ("tui.help.{}", [Place.MAIN, Place.ROUNDS, Place.TIMELINE]),
    ],
)
def test_every_text_that_is_named_by_a_value_exists(pattern: str, values: list[str]) -> None:
    assert [pattern.format(value) for value in values if pattern.format(value) not in EN] == []


def test_every_action_has_words_for_footer_and_palette() -> None:
    assert [
        action.name for action in ACTIONS if action.hint not in EN or (action.command or action.hint) not in EN
    ] == []
