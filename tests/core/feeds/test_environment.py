from __future__ import annotations

from urllib.parse import urlsplit

from roundwatch.core.feeds import Upstreams, variables


def test_every_variable_leads_to_the_upstream_it_is_for() -> None:
    upstreams = Upstreams.with_well_known()
    routes = {name: upstreams.route("", urlsplit(url).path) for name, url in variables("http://127.0.0.1:1").items()}

    assert {name: route and (route.upstream.name, route.target) for name, route in routes.items()} == {
        "OPENAI_BASE_URL": ("openai", "/v1"),
        "ANTHROPIC_BASE_URL": ("anthropic", "/"),
        "GOOGLE_GEMINI_BASE_URL": ("gemini", "/"),
        "OLLAMA_HOST": ("ollama", "/"),
    }
