"""Every request that must not get in, against the real server as an operator starts it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack

import pytest
from roundwatch.core.hub import token_file
from roundwatch.tui.web.door import MOST_SCREENS
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.tui.cli.command import PATIENCE_S, run, write_lines
from tests.tui.cli.recorded import cut
from tests.tui.web.page import Page, serving_page


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("web")
    with serving_page(folder / "s.sqlite3") as served:
        run("publish", write_lines(folder / "a.jsonl", cut("r1")), "--to", served.hub)
        yield served


@pytest.fixture(scope="module")
def cookie(page: Page) -> str:
    return page.cookie()


def screen(page: Page, cookie: str | None, origin: str | None) -> AbstractContextManager[ClientConnection]:
    headers = {} if cookie is None else {"Cookie": cookie}
    url = page.origin.replace("http", "ws") + "/ws?width=100&height=30"
    return connect(url, origin=None if origin is None else Origin(origin), additional_headers=headers, compression=None)


def status_of(page: Page, cookie: str | None, origin: str | None) -> int:
    with pytest.raises(InvalidStatus) as caught, screen(page, cookie, origin):
        pass
    return caught.value.response.status_code


def drawn_until(socket: ClientConnection, words: str) -> None:
    seen = b""
    while words.encode() not in seen:
        got = socket.recv(PATIENCE_S)
        seen += got.encode() if isinstance(got, str) else got
        assert len(seen) < 10_000_000


def test_the_form_is_all_that_a_stranger_gets(page: Page) -> None:
    answer = page.ask()
    assert answer.status == 401
    assert '<form method="post"' in answer.body
    assert "Das Token steht in" in answer.body
    assert "<script" not in answer.body
    for path in ("/static/js/textual.js", "/static/", "/ws", "/download/x", "/nothing"):
        answer = page.ask(path)
        assert (answer.status, "token" in answer.body) == (401, True)
    assert token_file().read_text().strip() not in answer.body


def test_every_answer_forbids_framing_and_sources_from_elsewhere(page: Page, cookie: str) -> None:
    for answer in (page.ask(), page.ask("/x"), page.ask(headers={"Cookie": cookie}), page.ask("/login", method="POST")):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_token_brings_a_cookie_that_no_script_reads_and_no_other_site_sends(page: Page) -> None:
    answer = page.log_in(token_file().read_text().strip())
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    first, *attributes = str(answer.headers["Set-Cookie"]).split("; ")
    assert first.startswith(f"{page.cookie_name}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"} <= set(attributes)
    assert token_file().read_text().strip() not in first


@pytest.mark.parametrize("token", ["", "wrong", "x" * 100_000, "ü", "token\x00"])
def test_a_wrong_token_brings_the_form_again_and_no_cookie(page: Page, token: str) -> None:
    answer = page.log_in(token)
    assert answer.status == 403
    assert "Das ist nicht das Token." in answer.body
    assert answer.headers["Set-Cookie"] is None
    assert token not in answer.body or not token


@pytest.mark.parametrize("body", [b"", b"token", b"\xff\xfe", b"&" * 4000, b"a=1&" * 1000])
def test_a_form_that_is_none_brings_no_cookie(page: Page, body: bytes) -> None:
    answer = page.ask("/login", method="POST", headers={"Origin": page.origin}, body=body)
    assert (answer.status, answer.headers["Set-Cookie"]) == (403, None)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "", None])
def test_a_form_of_another_page_does_not_log_in(page: Page, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    body = b"token=" + token_file().read_bytes().strip()
    answer = page.ask("/login", method="POST", headers=headers, body=body)
    assert (answer.status, answer.headers["Set-Cookie"]) == (403, None)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "10.0.0.1:80", ""])
def test_another_name_for_this_machine_gets_nothing(page: Page, cookie: str, host: str) -> None:
    answer = page.ask(headers={"Host": host, "Cookie": cookie})
    assert answer.status in (400, 403)
    assert "textual" not in answer.body


@pytest.mark.parametrize("host", ["localhost", "[::1]", "127.0.0.1"])
def test_another_loopback_name_is_led_to_the_one_that_cookies_are_for(page: Page, host: str) -> None:
    answer = page.ask("/x?y", headers={"Host": host})
    assert (answer.status, answer.headers["Location"]) == (307, page.url)
    assert page.ask("/login", method="POST", headers={"Host": host}).status == 403


def test_whoever_has_the_cookie_gets_the_page_and_its_parts(page: Page, cookie: str) -> None:
    answer = page.ask(headers={"Cookie": cookie})
    assert answer.status == 200
    assert f'data-session-websocket-url="{page.origin.replace("http", "ws")}/ws"' in answer.body
    assert page.ask("/static/js/textual.js", headers={"Cookie": cookie}).status == 200
    assert page.ask("/", method="PUT", headers={"Cookie": cookie}).status == 405
    assert page.ask("/login", headers={"Cookie": cookie}).status == 303


@pytest.mark.parametrize("value", ["", "x", "x" * 4000])
def test_a_made_up_cookie_counts_for_nothing(page: Page, value: str) -> None:
    made_up = f"{page.cookie_name}={value}"
    assert page.ask(headers={"Cookie": made_up}).status == 401
    assert status_of(page, made_up, page.origin) == 401


def test_the_websocket_wants_the_cookie_and_our_own_page(page: Page, cookie: str) -> None:
    assert status_of(page, None, page.origin) == 401
    assert status_of(page, cookie, None) == 403
    assert status_of(page, cookie, "http://evil.example") == 403
    assert status_of(page, cookie, page.origin + ".evil.example") == 403
    assert status_of(page, cookie, "null") == 403


def test_the_screen_is_the_app_and_takes_keys(page: Page, cookie: str) -> None:
    with screen(page, cookie, page.origin) as socket:
        drawn_until(socket, "abgeschnitten")
        socket.send(json.dumps(["stdin", "l"]))
        drawn_until(socket, "cut")
        socket.send(json.dumps(["stdin", "q"]))
        for _ in socket:  # until the app has left
            pass
        assert socket.close_code == 1000


@pytest.mark.parametrize("message", ["nonsense", "{}", "[]", '["resize", 1]', '["stdin"]', '["unknown"]'])
def test_nonsense_over_the_websocket_ends_at_most_its_own_screen(page: Page, cookie: str, message: str) -> None:
    with screen(page, cookie, page.origin) as socket:
        drawn_until(socket, "abgeschnitten")
        socket.send(message)
    with screen(page, cookie, page.origin) as socket:
        drawn_until(socket, "abgeschnitten")


def refusal(page: Page, cookie: str, open_ones: ExitStack) -> int | None:
    """Open one more screen; return the status that it was refused with, or None."""
    try:
        open_ones.enter_context(screen(page, cookie, page.origin))
    except InvalidStatus as error:
        return error.response.status_code
    return None


def test_screens_are_bounded_and_a_closed_one_makes_room(page: Page, cookie: str) -> None:
    with ExitStack() as others, ExitStack() as one:
        assert refusal(page, cookie, one) is None
        answers = [refusal(page, cookie, others) for _ in range(MOST_SCREENS)]
        assert answers == [None] * (MOST_SCREENS - 1) + [503]
        one.close()
        end = time.monotonic() + PATIENCE_S
        while refusal(page, cookie, others) is not None:
            assert time.monotonic() < end, "a closed screen made no room"
            time.sleep(0.1)
