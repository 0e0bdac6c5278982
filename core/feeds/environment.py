"""The environment variables that send a client through the proxy."""

from __future__ import annotations

from collections.abc import Mapping

VARIABLES: tuple[tuple[str, str, str], ...] = (
    ("openai", "OPENAI_BASE_URL", "/openai/v1"),
    ("anthropic", "ANTHROPIC_BASE_URL", "/anthropic"),
    ("gemini", "GOOGLE_GEMINI_BASE_URL", "/gemini"),
    ("ollama", "OLLAMA_HOST", "/ollama"),
)
"""Upstream, variable, and the path that the client's base address has behind the proxy's."""


def variables(proxy_url: str) -> Mapping[str, str]:
    """Return the variables for a proxy at ``proxy_url``."""
    return {name: proxy_url + path for _, name, path in VARIABLES}
