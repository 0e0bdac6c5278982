"""Which requests are model calls, and on which wire: told by the end of the path alone."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote


class Endpoint(NamedTuple):
    """What a request asks for."""

    wire: str
    """A name of ``roundwatch.core.wire.WIRES``."""
    model: str | None = None
    """Where the path names it."""


_ENDPOINTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/chat/completions/?$"), "openai-chat"),
    (re.compile(r"/responses/?$"), "openai-responses"),
    (re.compile(r"/v1/messages/?$"), "anthropic"),
    (re.compile(r"/models/(?P<model>[^/:]+):(?:streamG|g)enerateContent$"), "gemini"),
    (re.compile(r"/api/(?:chat|generate)/?$"), "ollama"),
    (re.compile(r"/v2/chat/?$"), "cohere"),
    (re.compile(r"/model/(?P<model>[^/]+)/converse(?:-stream)?$"), "bedrock-converse"),
    (re.compile(r"/model/(?P<model>[^/]+)/invoke(?:-with-response-stream)?$"), "bedrock-invoke"),
)


def endpoint(method: str, path: str) -> Endpoint | None:
    """Return what a request asks a model for; None when it is no model call (a list of models, a token count …).

    Args:
        method: in capitals.
        path: without the query.
    """
    if method != "POST":
        return None
    for pattern, wire in _ENDPOINTS:
        if (found := pattern.search(path)) is not None:
            model = found.groupdict().get("model")
            return Endpoint(wire, unquote(model, errors="replace") if model else None)
    return None
