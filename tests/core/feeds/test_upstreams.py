from __future__ import annotations

import pytest
from roundwatch.core.feeds import WELL_KNOWN, Upstream, UpstreamError, Upstreams

KNOWN = Upstreams.with_well_known([Upstream.parse("local", "http://[::1]:8000/base/")])


@pytest.mark.parametrize(
    ("host", "target", "name", "forwarded"),
    [
        ("127.0.0.1", "/openai/v1/chat/completions?a=/b", "openai", "/v1/chat/completions?a=/b"),
        ("127.0.0.1", "/gemini/v1beta/models/g:generateContent", "gemini", "/v1beta/models/g:generateContent"),
        ("localhost", "/ollama", "ollama", "/"),
        ("localhost", "/ollama?x=1", "ollama", "/?x=1"),
        ("localhost", "/local/v1", "local", "/base/v1"),
        ("openai.localhost", "/v1/models", "openai", "/v1/models"),
        ("anthropic.localhost", "/openai/v1", "anthropic", "/openai/v1"),
        ("unknown.localhost", "/openai/v1", "openai", "/v1"),
        ("localhost", "/openai//evil.example/x", "openai", "//evil.example/x"),
    ],
)
def test_host_or_path_choose_the_upstream(host: str, target: str, name: str, forwarded: str) -> None:
    route = KNOWN.route(host, target)

    assert route is not None
    assert (route.upstream.name, route.target) == (name, forwarded)


@pytest.mark.parametrize("target", ["/", "/v1/models", "*", "http://api.openai.com/", "//openai/v1", "/OPENAI/v1", ""])
def test_everything_else_goes_nowhere(target: str) -> None:
    assert KNOWN.route("localhost", target) is None


def test_a_name_given_again_replaces_the_well_known_upstream() -> None:
    upstreams = Upstreams.with_well_known([Upstream.parse("openai", "http://127.0.0.1:9")])

    assert upstreams.by_name["openai"].place == "127.0.0.1:9"
    assert set(upstreams.by_name) == set(WELL_KNOWN)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("", "http://a"),
        ("Big", "http://a"),
        ("a/b", "http://a"),
        ("a", ""),
        ("a", "a.example"),
        ("a", "ftp://a"),
        ("a", "http://"),
        ("a", "http://user:hidden@a"),
        ("a", "http://a?key=hidden"),
        ("a", "http://a#hidden"),
        ("a", "http://a:99999"),
        ("a", "http://[::1"),
        ("a", "http://a b"),
        ("a", "http://a/\r\nx: y"),
    ],
)
def test_what_is_no_upstream_is_refused_without_quoting_it(name: str, url: str) -> None:
    with pytest.raises(UpstreamError) as raised:
        Upstream.parse(name, url)

    assert "hidden" not in str(raised.value)


def test_the_host_header_names_a_port_only_where_it_is_not_the_usual_one() -> None:
    assert Upstream.parse("a", "https://a.example").host_header == "a.example"
    assert Upstream.parse("a", "https://a.example:444").host_header == "a.example:444"
    assert Upstream.parse("a", "http://[::1]:80").host_header == "[::1]"


def test_a_place_in_a_message_keeps_host_and_port_apart() -> None:
    assert Upstream.parse("a", "http://[::1]:80").place == "[::1]:80"
    assert Upstream.parse("a", "http://a.example").place == "a.example:80"
