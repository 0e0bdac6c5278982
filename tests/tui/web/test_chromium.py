"""The screen in a real browser: the form, the cookie, keys, another page that must not get in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from roundwatch.core.hub import token_file

from tests.tui.cli.command import run, write_lines
from tests.tui.cli.recorded import cut
from tests.tui.web.chromium import Tab, browsing
from tests.tui.web.page import serving_page


async def log_in(tab: Tab, token: str) -> None:
    await tab.wait_for("document.readyState == 'complete' && !!document.querySelector('#token')")
    await tab.value(f"document.querySelector('#token').value = {json.dumps(token)}")
    await tab.value("document.querySelector('button').click()")


async def test_a_person_logs_in_watches_and_presses_keys(require_program: Callable[[str], str], tmp_path: Path) -> None:
    chromium = require_program("chromium")
    with serving_page(tmp_path / "s.sqlite3") as page:
        run("publish", write_lines(tmp_path / "a.jsonl", cut("r1")), "--to", page.hub)
        async with browsing(chromium, tmp_path / "profile") as tab:
            await tab.open(page.url)
            await log_in(tab, "wrong")
            await tab.wait_for("!!document.querySelector('[role=alert]')")
            await log_in(tab, token_file().read_text().strip())
            await tab.wait_for("document.body.classList.contains('-first-byte')")
            await tab.wait_for_words("abgeschnitten")
            await tab.click(600, 600)
            await tab.press("l")
            await tab.wait_for_words("cut")
            assert await tab.value("document.cookie") == ""
            assert await tab.value("location.href") == page.url
            sent = [each["params"] for each in tab.news if each["method"] == "Network.requestWillBeSent"]
            blocked = {each["params"]["requestId"] for each in tab.news if each["method"] == "Network.loadingFailed"}
            ours = (page.origin, "data:")
            assert {each["requestId"] for each in sent if not each["request"]["url"].startswith(ours)} <= blocked
            assert any(each["request"]["url"].startswith(page.origin) for each in sent)


async def test_a_page_from_elsewhere_cannot_open_the_screen_although_the_browser_is_logged_in(
    require_program: Callable[[str], str], tmp_path: Path
) -> None:
    chromium = require_program("chromium")
    with serving_page(tmp_path / "a.sqlite3") as page, serving_page(tmp_path / "b.sqlite3") as other:
        async with browsing(chromium, tmp_path / "profile") as tab:
            await tab.open(page.url)
            await log_in(tab, token_file().read_text().strip())
            await tab.wait_for("document.body.classList.contains('-first-byte')")
            await tab.open(other.url, unbound=True)  # another port: to a browser the same site, but another origin
            await tab.wait_for("document.readyState == 'complete' && !!document.querySelector('#token')")
            await tab.value(
                "window.ended = ''; let s = new WebSocket("
                f"{json.dumps(page.origin.replace('http', 'ws') + '/ws')}"
                "); s.onopen = () => ended = 'open'; s.onclose = () => ended ||= 'closed'"
            )
            await tab.wait_for("window.ended != ''")
            assert await tab.value("window.ended") == "closed"
            errors = [each for each in tab.news if each["method"] == "Network.webSocketFrameError"]
            assert "403" in errors[-1]["params"]["errorMessage"]
