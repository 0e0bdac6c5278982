"""The wires that the scripted provider speaks, and which one a request is on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from . import scripted_anthropic, scripted_gemini, scripted_ollama, scripted_openai, scripted_responses
from .script import HttpError, Reply

Json = Mapping[str, Any]


class Wire(Protocol):
    """What one wire module offers."""

    def stream(self, reply: Reply, request: Json, *, id: str, created: int) -> Iterator[bytes | float]: ...
    def whole(self, reply: Reply, request: Json, *, id: str, created: int) -> tuple[int, dict[str, Any]]: ...
    def error_body(self, error: HttpError) -> dict[str, Any]: ...


Asked = Callable[[dict[str, Any], Mapping[str, str], str], dict[str, Any]]
"""Body, what the path names, and query, made into a request that says everything in one place."""


def _as_it_is(body: dict[str, Any], path: Mapping[str, str], query: str) -> dict[str, Any]:
    return body


def _sse(request: Json) -> str:
    return "text/event-stream; charset=utf-8"


@dataclass(frozen=True)
class Address:
    """Where a wire is spoken, and how."""

    wire: Wire
    path: str
    """A regular expression for the whole path."""
    asked: Asked = _as_it_is
    media: Callable[[Json], str] = _sse
    """The media type of a streamed answer."""


ADDRESSES: tuple[Address, ...] = (
    Address(scripted_openai, scripted_openai.PATH),
    Address(scripted_responses, scripted_responses.PATH),
    Address(scripted_anthropic, scripted_anthropic.PATH),
    Address(scripted_gemini, scripted_gemini.PATH, scripted_gemini.asked, scripted_gemini.media),
    Address(scripted_ollama, scripted_ollama.PATH, scripted_ollama.asked, scripted_ollama.media),
)


def address_of(path: str) -> tuple[Address, Mapping[str, str]] | None:
    """Return what is spoken at ``path``, and what the path names; None when nothing is."""
    for address in ADDRESSES:
        if (found := re.fullmatch(address.path, path)) is not None:
            return address, found.groupdict()
    return None
