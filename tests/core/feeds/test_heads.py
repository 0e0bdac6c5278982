from __future__ import annotations

import json
from http import HTTPStatus

import pytest
from roundwatch.core.feeds.heads import (
    header,
    host_name,
    is_loopback,
    origin_form,
    own_reply,
    request_head,
    without_upgrade,
)


def test_a_host_is_added_where_the_client_named_none_and_of_two_one_stays() -> None:
    assert request_head("GET", "/", [], host="a", version="1.0") == b"GET / HTTP/1.0\r\nHost: a\r\n\r\n"
    two = [(b"Host", b"x"), (b"A", b"1"), (b"host", b"y")]
    assert request_head("GET", "/", two, host="a") == b"GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\n\r\n"


def test_a_client_that_wants_the_connection_closed_is_obeyed_by_the_upstream_too() -> None:
    head = request_head("GET", "/", [(b"Connection", b"close")], host="a", close=True)

    assert head == b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def test_our_own_answers_cannot_be_taken_for_the_provider_s() -> None:
    head, _, body = own_reply(HTTPStatus.NOT_FOUND, "nothing here – really").partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 404 Not Found\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
    assert json.loads(body)["error"] == {
        "type": "roundwatch_proxy",
        "code": "not_found",
        "message": "nothing here – really",
    }


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, ""),
        ("A.example:80", "a.example"),
        ("[::1]:80", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost:1", "localhost"),
    ],
)
def test_the_name_in_a_host_header(value: str | None, name: str) -> None:
    assert host_name(value) == name


@pytest.mark.parametrize("host", ["", "localhost", "openai.localhost", "127.0.0.1", "127.9.9.9", "::1"])
def test_names_of_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.1", "localhost.example.com", "example.com", "::", "notlocalhost"])
def test_names_that_may_be_other_machines(host: str) -> None:
    assert not is_loopback(host)


def test_only_upgrade_lines_are_taken_out_of_a_head() -> None:
    head = b"POST /upgrade: HTTP/1.1\r\nX-Upgrade: 1\r\nUPGRADE: h2c\r\nB: upgrade\r\n\r\n"

    assert without_upgrade(head) == b"POST /upgrade: HTTP/1.1\r\nX-Upgrade: 1\r\nB: upgrade\r\n\r\n"
    assert without_upgrade(b"GET / HTTP/1.1\r\n\r\n") == b"GET / HTTP/1.1\r\n\r\n"


def test_a_header_is_found_in_any_case() -> None:
    assert header([(b"X-A", b" 1 "), (b"x-a", b"2")], b"x-a") == "1"
    assert header([], b"x-a") is None


@pytest.mark.parametrize(
    ("target", "origin", "host"),
    [
        (b"/a", b"/a", b"h"),
        (b"*", b"*", b"h"),
        (b"http://b:1/a?c", b"/a?c", b"b:1"),
        (b"HTTPS://b", b"/", b"b"),
        (b"http://b?c", b"/?c", b"b"),
        (b"/http://b/", b"/http://b/", b"h"),
    ],
)
def test_a_server_named_in_the_target_counts_more_than_the_host_header(
    target: bytes, origin: bytes, host: bytes
) -> None:
    found, headers = origin_form(target, [(b"A", b"1"), (b"host", b"h")])

    assert found == origin
    assert header(headers, b"host") == host.decode()
    assert header(headers, b"a") == "1"
    assert len(headers) == 2


def test_a_connection_header_takes_other_headers_away_but_not_the_length() -> None:
    headers = [(b"Connection", b"X-A, content-length"), (b"X-A", b"1"), (b"Content-Length", b"2")]

    assert request_head("GET", "/", headers, host="a") == b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n"
