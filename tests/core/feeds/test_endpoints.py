from __future__ import annotations

import pytest
from roundwatch.core.feeds import endpoint
from roundwatch.core.wire import WIRES

CALLS = {
    "/v1/chat/completions": ("openai-chat", None),
    "/openai/deployments/d/chat/completions": ("openai-chat", None),
    "/v1/responses": ("openai-responses", None),
    "/v1/messages": ("anthropic", None),
    "/v1beta/models/gemini-2:generateContent": ("gemini", "gemini-2"),
    "/v1/projects/p/locations/l/publishers/google/models/g:streamGenerateContent": ("gemini", "g"),
    "/api/chat": ("ollama", None),
    "/api/generate": ("ollama", None),
    "/v2/chat": ("cohere", None),
    "/model/a.b%3A0/converse-stream": ("bedrock-converse", "a.b:0"),
    "/model/a.b/invoke": ("bedrock-invoke", "a.b"),
}


@pytest.mark.parametrize("path", CALLS)
def test_the_end_of_the_path_tells_wire_and_model(path: str) -> None:
    assert endpoint("POST", path) == CALLS[path]


def test_every_wire_has_an_endpoint() -> None:
    assert {wire for wire, _ in CALLS.values()} == set(WIRES)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v1/models",
        "/v1/messages/count_tokens",
        "/v1/messages/batches",
        "/v1beta/models/g:countTokens",
        "/api/tags",
    ],
)
def test_anything_else_is_no_model_call(path: str) -> None:
    assert endpoint("POST", path) is None


def test_only_a_post_is_a_model_call() -> None:
    assert endpoint("GET", "/v1/responses") is None
