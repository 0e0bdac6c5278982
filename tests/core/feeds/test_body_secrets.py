from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.body_secrets import MOST, NAMES, body_secrets

KEY = "a-key-of-somebody"


@pytest.mark.parametrize(
    "body",
    [
        {"api_key": KEY},
        {"apiKey": KEY},
        {"tools": [{"type": "mcp", "authorization": KEY}]},
        {"tools": [{"type": "mcp", "headers": {"X-Auth": f"Bearer {KEY}"}}]},
        {"mcp_servers": [{"url": "https://x", "authorization_token": KEY}]},
        {"extra_body": {"credentials": {"aws": [{"id": KEY}]}}},
        {"metadata": {"session_token": KEY}},
    ],
)
def test_credentials_of_tool_servers_and_gateways_are_found(body: dict[str, Any]) -> None:
    assert KEY in body_secrets(body)


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "user", "content": KEY, "api_key": KEY}]},
        {"model": KEY, "max_tokens": 5, "user": KEY, "prompt_cache_key": KEY, "metadata": {"author": KEY}},
        {"tools": [{"name": KEY, "input_schema": {"properties": {"password": {"description": KEY}}}}]},
    ],
)
def test_what_is_said_or_described_is_none(body: dict[str, Any]) -> None:
    assert body_secrets(body) == ()


@pytest.mark.parametrize(
    "name",
    [
        *("Authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "Cookie", "Set-Cookie"),
        *("X-Amz-Security-Token", "X-Amz-Signature", "ocp-apim-subscription-key", "cf-aig-authorization"),
        *("key", "access_token"),
    ],
)
def test_names_say_what_is_a_credential(name: str) -> None:
    assert NAMES.search(name)


@pytest.mark.parametrize("name", ["user-agent", "x-claude-code-session-id", "max_tokens", "author", "monkey", "model"])
def test_other_names_say_it_not(name: str) -> None:
    assert not NAMES.search(name)


def test_a_huge_body_is_looked_at_in_part_only() -> None:
    assert len(body_secrets({"secret": [KEY] * (2 * MOST)})) <= 2 * MOST


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tools", "token", "x"]), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["tools", "key", "messages"]), JSON))
def test_no_body_makes_it_raise(body: dict[str, Any]) -> None:
    assert all(isinstance(one, str) for one in body_secrets(body))
