from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from roundwatch.tui.testing import Recording, RecordingError, Snapshots, StillSource
from roundwatch.tui.testing.live_feed import live
from roundwatch.tui.testing.pieces import PieceApp, banner_app, timeline_app
from roundwatch.tui.testing.stage import still_app
from textual.app import App
from textual.pilot import Pilot

from tests.scenes import cap_cut
from tests.stage import screen_text

CUT = Recording.of(cap_cut())
Act = Callable[[Pilot[Any]], Awaitable[None]]


class Taken:
    """Stands where ``snap_compare`` does and takes note of what it is given; what it answers is the test's."""

    def __init__(self, same: bool = True) -> None:
        self.same = same
        self.app: App[Any] | None = None
        self.size: tuple[int, int] = (0, 0)
        self.act: Act | None = None

    def __call__(self, app: App[Any], *, terminal_size: tuple[int, int], run_before: Act) -> bool:
        self.app, self.size, self.act = app, terminal_size, run_before
        return self.same


async def shown(taken: Taken) -> str:
    """What the picture shows."""
    assert taken.app is not None
    assert taken.act is not None
    async with taken.app.run_test(size=taken.size) as pilot:
        await taken.act(pilot)
        strips = taken.app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]
        return "\n".join(strip.text.rstrip() for strip in strips)


@pytest.mark.parametrize("same", [True, False])
def test_the_comparison_s_word_is_passed_on(same: bool) -> None:
    kit = Snapshots(Taken(same))
    assert kit.banner(CUT) is same
    assert kit.banner(CUT.outcome()) is same
    assert kit.timeline(CUT) is same
    assert kit.screen(CUT) is same


def made(act: Callable[[Snapshots], bool]) -> Taken:
    taken = Taken()
    assert act(Snapshots(taken))
    return taken


CASES: list[tuple[Callable[[Snapshots], bool], str]] = [
    (lambda kit: kit.banner(CUT, locale="de", width=50), "Datenstrom ohne Abschluss"),
    (lambda kit: kit.timeline(CUT, "271046c3", width=70), '"max_tokens"'),
    (lambda kit: kit.timeline(CUT, "271046c3", width=70), "1,260 out"),
    (lambda kit: kit.screen(CUT, size=(90, 30), locale="de"), "Runden"),
    (lambda kit: kit.screen(CUT, press=("question_mark",)), "Keys"),
    (lambda kit: kit.screen(live(CUT.items)), "271046c3"),
]


@pytest.mark.parametrize(("act", "words"), CASES)
async def test_the_picture_shows_what_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[Snapshots], bool], words: str
) -> None:
    monkeypatch.setattr("roundwatch.tui.testing.snapshots._runs_in_a_loop", lambda: False)  # this test draws itself
    taken = made(act)
    assert words in await shown(taken)


def test_a_piece_is_as_large_as_it_is() -> None:
    taken = made(lambda kit: kit.timeline(CUT, width=70))
    assert isinstance(taken.app, PieceApp)
    assert taken.size == taken.app.piece_size
    assert taken.size[0] == 70
    assert taken.size[1] > 15


async def test_a_test_with_a_loop_of_its_own_is_told_so() -> None:
    with pytest.raises(RuntimeError, match="make the test a plain def"):
        Snapshots(Taken()).screen(CUT)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: banner_app([CUT.outcome()], "fr", 60), "no language 'fr'; there are en, de"),
        (lambda: banner_app([CUT.outcome()], "en", 60, "nord"), "no theme 'nord'; there are roundwatch-dark, "),
        (lambda: banner_app([CUT.outcome()], "en", 0), "no picture is 0 cells wide"),
        (lambda: still_app([], theme="nord"), "no theme 'nord'"),
        (lambda: still_app([], "xx"), "no language 'xx'"),
        (lambda: timeline_app(CUT, CUT.round("gone"), "en", 60), "no round 'gone'"),
    ],
)
def test_what_does_not_exist_is_named_with_what_does(act: Callable[[], object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        act()
    assert issubclass(RecordingError, ValueError)


async def test_the_clock_stands_still_while_a_round_runs() -> None:
    running = Recording.of([line for line in cap_cut() if line["type"] != "round.finished"][:8])
    app = still_app(live(running.items), clock=lambda: running.now)
    async with app.run_test(size=(120, 40)) as pilot:
        assert isinstance(app.source, StillSource)
        await app.source.sent.wait()
        await pilot.pause()
        app.repaint()
        await pilot.pause()
        before = screen_text(app)
        app.watched.age()
        app.repaint()
        await pilot.pause()
        assert screen_text(app) == before
        assert running.round().id in before
