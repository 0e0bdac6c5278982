"""Pictures of states that a scene of ended rounds does not show, and of what stands over them, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from roundwatch.core.hub import Link, LinkState
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.source import SourceItem
from roundwatch.tui.testing import Snapshots
from textual.pilot import Pilot

from tests.scenes import NOW, answer, asks, call, end, event, live, start
from tests.stage import app_of, keys

Compare = Callable[..., bool]
LOCALES = ["en", "de"]


def running() -> list[SourceItem]:
    """A round whose call writes, and one whose call has been silent for minutes."""
    return live(
        [
            *answer(),
            *start("51e4ced0", -420, "worker", thread="nightly"),
            *call("51e4ced0", "c1", -420, first=9, total=31, usage=(2_100, 80), finish="tool_use"),
            *event("call.started", "51e4ced0", -380, call="c2", model="sonnet-5", max_output_tokens=4096),
            *event("call.output", "51e4ced0", -310, call="c2", kind="text", text="The three files differ in"),
            *start("aaaa1111", 60, "fixer", thread="bug-120"),
            *event("call.started", "aaaa1111", 70, call="c1", model="opus-5", max_output_tokens=8192),
            *event("call.output", "aaaa1111", 81, call="c1", kind="text", text="First the test that fails:"),
            *asks("aaaa1111", "c1", "t1", "run_tests", 81.5, '{"path": "tests"}'),
            *event("tool.started", "aaaa1111", 81.6, call="c1", tool_call="t1"),
        ]
    )


def unconfirmed() -> list[SourceItem]:
    lines = [
        *start("0dd00001", 6, "local-agent", thread="notes"),
        *call("0dd00001", "c1", 6, first=0.4, total=2.2, finish=None, model="llama-4", text="The notes are sorted."),
        *end("0dd00001", 8.4, status="completed"),
    ]
    return live([*answer(), *lines])


STATES: dict[str, tuple[Callable[[], list[SourceItem]], tuple[str, ...]]] = {
    "connecting": (lambda: [Link(LinkState.CONNECTING)], ()),
    "running": (running, ()),
    "stalled": (running, ("down",)),
    "unconfirmed": (unconfirmed, ()),
}
"""What was sent and which keys were pressed, by what a picture shows."""


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", list(STATES))
def test_states_of_a_round_and_of_the_link(roundwatch_snapshot: Snapshots, name: str, locale: str) -> None:
    made, pressed = STATES[name]
    assert roundwatch_snapshot.screen(made(), locale=locale, now=NOW, press=pressed)


COMPARED = (*"nnnnnnnm", "down", "c")
"""Marks a round that was cut and then lost its stream, and lays an answer beside it."""


@pytest.mark.parametrize("size", [(120, 60), (80, 24), (40, 10)])
@pytest.mark.parametrize("locale", LOCALES)
def test_two_rounds_compared(roundwatch_snapshot: Snapshots, locale: str, size: tuple[int, int]) -> None:
    assert roundwatch_snapshot.app(app_of("everything", locale), size=size, press=COMPARED)


@pytest.mark.parametrize("locale", LOCALES)
def test_raw_events(roundwatch_snapshot: Snapshots, locale: str) -> None:
    pressed = ("enter", "up", "up", "up", "up", "enter", "r")
    assert roundwatch_snapshot.app(app_of("cut", locale), size=(120, 40), press=pressed)


def with_notices(*pressed: str) -> Callable[[Pilot[Any]], Any]:
    """Presses keys in an app that shows notices, which a picture otherwise leaves out."""

    async def act(pilot: Pilot[Any]) -> None:
        pilot.app._disable_notifications = False  # pyright: ignore[reportPrivateUsage]
        await keys(*pressed)(pilot)

    return act


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
@pytest.mark.parametrize("locale", LOCALES)
def test_a_notice(snap_compare: Compare, locale: str, size: tuple[int, int]) -> None:
    app: RoundwatchApp = app_of("everything", locale)
    assert snap_compare(app, terminal_size=size, run_before=with_notices("down", "m"))
