"""The wire formats by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .anthropic import Anthropic
from .base import Translator
from .bedrock_converse import BedrockConverse
from .bedrock_invoke import BedrockInvoke
from .cohere import Cohere
from .gemini import Gemini
from .ollama import Ollama
from .openai_chat import OpenAIChat
from .openai_responses import OpenAIResponses

_FORMATS: tuple[type[Translator], ...] = (
    OpenAIChat,
    OpenAIResponses,
    Anthropic,
    Gemini,
    Ollama,
    Cohere,
    BedrockConverse,
    BedrockInvoke,
)
WIRES: Mapping[str, type[Translator]] = {format_.wire: format_ for format_ in _FORMATS}
"""Every format that can be translated."""


class UnknownWire(ValueError):
    """No translator has that name; ``str()`` lists the names there are."""


def translator(
    fmt: str,
    *,
    round: str,
    call: str,
    request: Mapping[str, Any] | None = None,
    http_status: int = 200,
    provider: str | None = None,
    announce: bool = True,
) -> Translator:
    """Return a translator for one response.

    Args:
        fmt: a name of ``WIRES``.
        round: the round that the events belong to.
        call: the call that the response answers.
        request: the JSON that was sent; its model and output cap are told.
        http_status: the response's status; 400 and above is a failed call whatever the body holds.
        provider: who answers, where known.
        announce: begin with ``call.started``; False where the caller publishes its own.

    Raises:
        UnknownWire: there is no such format.
    """
    try:
        format_ = WIRES[fmt]
    except KeyError:
        raise UnknownWire(f"unknown wire format {fmt[:80]!r}; known: {', '.join(sorted(WIRES))}") from None
    return format_(
        round=round, call=call, request=request, http_status=http_status, provider=provider, announce=announce
    )
