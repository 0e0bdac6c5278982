from __future__ import annotations

import pytest
from roundwatch.core.hub import Access, Identity, Role, Selection
from roundwatch.core.hub.gate import Gate, Refusal, host_name, is_loopback
from websockets.datastructures import Headers

READER = Identity("reader", frozenset({Role.WATCH}))
GATE = Gate(Access({"t": Identity("a"), "r": READER}), frozenset({"hub.example"}), frozenset({"https://dash.example"}))
GOOD = {"Host": "127.0.0.1:7433", "Authorization": "Bearer t", "Sec-WebSocket-Protocol": "other, roundwatch.v1"}


def refused(target: str = "/v1/rounds", method: str = "GET", **changes: str | None) -> Refusal:
    names = {name.replace("_", "-"): value for name, value in changes.items()}
    headers = {name: value for name, value in (GOOD | names).items() if value is not None}
    with pytest.raises(Refusal) as caught:
        GATE.admit(method, target, Headers(headers))
    return caught.value


def test_a_good_request_is_admitted_with_what_it_selects() -> None:
    admission = GATE.admit("GET", "/v1/rounds?after=s:1:7&round=a&round=b&thread=t%201", Headers(GOOD))
    assert admission.identity == Identity("a")
    assert admission.after == ("s:1", 7)
    assert admission.selection == Selection(frozenset({"a", "b"}), frozenset({"t 1"}))


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "", "0.0.0.0", "10.0.0.1"]
)
def test_a_host_that_is_not_the_hubs_is_refused(host: str) -> None:
    assert refused(Host=host).status == 403


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:80", "127.9.9.9", "[::1]:7433", "hub.example", "Hub.Example.:1"]
)
def test_loopback_and_configured_hosts_are_admitted(host: str) -> None:
    assert GATE.admit("GET", "/v1/rounds", Headers(GOOD | {"Host": host})).path == "/v1/rounds"


def test_a_missing_or_repeated_host_is_refused() -> None:
    assert refused(Host=None).status == 400
    twice = Headers([*GOOD.items(), ("Host", "localhost")])
    with pytest.raises(Refusal, match="Host"):
        GATE.admit("GET", "/v1/rounds", twice)


@pytest.mark.parametrize("origin", ["http://127.0.0.1:7433", "https://evil.example", "null"])
def test_a_web_page_may_not_connect(origin: str) -> None:
    assert refused(Origin=origin).status == 403


def test_a_configured_origin_may() -> None:
    assert GATE.admit("GET", "/healthz", Headers(GOOD | {"Origin": "https://dash.example"})).path == "/healthz"


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "t"])
@pytest.mark.parametrize("target", ["/v1/rounds", "/v1/publish", "/healthz", "/metrics"])
def test_every_endpoint_asks_for_the_token(target: str, authorization: str | None) -> None:
    assert refused(target, Authorization=authorization).status == 401


def test_two_authorizations_are_none() -> None:
    with pytest.raises(Refusal, match="token"):
        GATE.admit("GET", "/healthz", Headers([*GOOD.items(), ("Authorization", "Bearer t")]))


def test_a_role_opens_only_its_endpoints() -> None:
    assert refused("/v1/publish", Authorization="Bearer r").status == 403
    assert GATE.admit("GET", "/v1/rounds", Headers(GOOD | {"Authorization": "Bearer r"})).identity == READER


@pytest.mark.parametrize("name", ["token", "access_token", "auth", "x"])
def test_a_token_in_the_url_is_refused_and_not_repeated(name: str) -> None:
    refusal = refused(f"/v1/rounds?{name}=SECRET")
    assert refusal.status == 400
    assert "SECRET" not in refusal.why
    assert "SECRET" not in repr(refusal)


@pytest.mark.parametrize("after", ["", "7", "s:", ":7", "s:-1", "s:1x", "s:" + "9" * 19, "s:1&after=s:2", "s:²"])
def test_an_after_of_another_form_is_refused(after: str) -> None:
    assert refused(f"/v1/rounds?after={after}").status == 400


def test_other_requests_are_refused_with_their_status() -> None:
    assert refused("/").status == 404
    assert refused(method="POST").status == 405
    assert refused(Sec_WebSocket_Protocol="chat").status == 400
    assert refused("/v1/rounds?" + "&".join(f"round={n}" for n in range(101))).status == 400
    assert refused("/v1/rounds?%%&&=").status == 400


def test_names_are_read_out_of_host_headers() -> None:
    assert [host_name(host) for host in ("A:1", "[::1]:2", "[::1]", "b.")] == ["a", "::1", "::1", "b"]
    assert is_loopback("::1")
    assert not is_loopback("example")
