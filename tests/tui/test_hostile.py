from __future__ import annotations

import pytest
from roundwatch.core.hub import Link, LinkState, Unreadable
from roundwatch.core.rounds import parse_event
from roundwatch.core.texts import clean

from tests.scenes import Lines, asks, call, end, event, live, start
from tests.stage import app_of, screen_text, settle

MARKUP = (
    "[/]", "[/", "[", "a[0]", "[phase] 3 of 9", "x[/red]", "[red]x", "[bold", "[@click=app.quit()]click[/]",
    "[link=http://x]y[/link]", "[#336699]t[/#336699]", "\\[/]", "[on red]", "[$primary]p[/]", "][", "[[]]", "{x}", "$x",
)  # fmt: skip
ESCAPES = (
    "\x1b]52;c;ZXZpbA==\x1b\\", "\x1b]0;ALL GREEN\x07", "\x1b[2J\x1b[H", "\x1b[5A\x1b[2KCOMPLETED", "\x1bc",
    "\x9b31m", "\x9d0;t\x9c", "\x1b]52;c;AAAA", "FAILED\rPASSED", "FAIL\b\b\b\bPASS", "a\x00b",
    "\u202eevil\u202c", "\ud800",
)  # fmt: skip
HOSTILE = (*MARKUP, *ESCAPES)


def everywhere(text: str) -> Lines:
    """A round that has ``text`` in every place that comes from outside."""
    round_ = f"r {text}"
    return [
        *start(round_, 1, text, thread=text, title=text, model=text, parent={"round": f"p {text}"}),
        *call(
            round_, f"c {text}", 2, first=1, total=2, finish=text, text=text, model=text,
            native_finish_reason=f"n{text}",
            finish_detail=text, finish_repeated=[f"again {text}"], outcome="failed",
            error={"kind": text, "code": text, "message": text, "http_status": 500},
            choices=[{"index": 0, "finish_reason": text}, {"index": 1, "finish_reason": f"o{text}"}],
            sent={"provider": text, "wire": text, "continuation": {"of": text, "kind": "output_cap"}},
            between=asks(round_, f"c {text}", f"t {text}", text, 2.5, text),
        ),
        *event("tool.finished", round_, 5, tool_call=f"t {text}", ok=False, error=text, preview=text),
        *asks(round_, f"c {text}", f"u {text}", text, 5, text),
        *event("tool.refused", round_, 5, tool_call=f"u {text}", why="policy", message=text),
        *event("round.warning", round_, 6, code=text, message=text),
        *event("round.warning", round_, 6, code="cut_tool_calls_refused", facts={"tools": [text], "iteration": text}),
        *event("round.partial", round_, 6, source=text, kept_chars=5, text=text, resumable=False, resume_reason=text),
        *event("round.suspended", round_, 6, why=text),
        *event("round.resumed", round_, 6, why=text),
        *event(f"x.{text}", round_, 6),
        *event("round.selection_unresolved", round_, 6, requested=text, available=[text], sentence=text),
        *event("round.no_usable_model", round_, 6, requested=text, agent=text, reason=text),
        {"type": "thread.supervised", "thread": text, "state": "idle", "verdict": "stale", "status_line": text,
         "summary": {"round": text, "text": text}},
        *end(round_, 7, status=text, reason=text, summary=text),
    ]  # fmt: skip


def without_surrogates(lines: Lines, text: str) -> bool:
    try:
        for line in lines:
            parse_event(line)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("size", [(200, 100), (80, 60), (40, 12), (20, 3)])
async def test_hostile_text_in_every_place_is_shown_and_never_obeyed(size: tuple[int, int]) -> None:
    lines = [line for text in HOSTILE if without_surrogates(everywhere(text), text) for line in everywhere(text)]
    items = [
        *live(lines),
        *[Unreadable(text, text) for text in HOSTILE],
        Link(LinkState.RECONNECTING, "".join(HOSTILE), 3.0),
    ]
    app = app_of(items)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        for text in HOSTILE:
            app.notify(text, title=text)
            app.tell("ui.saved", file=text)
        for _ in range(len(app.watched.tree)):
            await pilot.press("down")
            await settle(pilot)
            _assert_clean(screen_text(app))
        await pilot.press("enter")
        for _ in range(8):
            await pilot.press("enter")
            await settle(pilot)
            _assert_clean(screen_text(app))
            await pilot.press("escape", "enter", "up")
        assert app.is_running


def _assert_clean(shown: str) -> None:
    found = [hex(ord(char)) for char in shown if char != "\n" and clean(char) != char]
    assert found == []


@pytest.mark.parametrize("text", MARKUP)
async def test_markup_stands_on_the_screen_character_for_character(text: str) -> None:
    app = app_of(live(everywhere(text)))
    async with app.run_test(size=(200, 100)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert f'"{text}"' in shown
        assert f"r {text}" in shown
        assert text in next(line for line in shown.splitlines() if "⌐" in line)


async def test_no_byte_of_an_escape_reaches_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    app = app_of(live([line for text in ESCAPES[:-1] for line in everywhere(text)]))
    written: list[str] = []
    async with app.run_test(size=(200, 100), notifications=True) as pilot:
        await settle(pilot)
        app.tell("ui.saved", file=ESCAPES[0])
        await settle(pilot)
        for screen in app.screen_stack:
            for strip in screen._compositor.render_strips():  # pyright: ignore[reportPrivateUsage]
                written.append(strip.render(app.console))
    out = "".join(written)
    allowed = _without_our_colours(out)
    assert "\x1b" not in allowed
    assert not any(0x80 <= ord(char) <= 0x9F or char in "\r\b\x00\x07" for char in allowed)


def _without_our_colours(out: str) -> str:
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", out)


async def test_a_notice_quotes_hostile_text_without_ending_the_app() -> None:
    app = app_of("empty")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        app.tell("ui.saved", file="boom [/] \x1b[2J")
        await settle(pilot)
        assert "Saved: boom [/] ␛[2J" in screen_text(app)
