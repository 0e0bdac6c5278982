"""What a request says: whose turn it is, and which tool results it brings. One reading for every wire."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..wire.shapes import is_list, is_object, text_of
from .body_secrets import body_secrets

RESULT_KEPT = 16_000
"""Characters of a tool result that are looked at and may be told of."""
CONTENT = frozenset(
    ("messages", "input", "contents", "system", "systemInstruction", "instructions", "prompt", "tools", "documents")
)
"""Fields of a request that are large, and not needed once it is read."""
USER, MODEL, TOOL, OTHER = "user", "model", "tool", "other"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to one tool call, as the next request brings it."""

    id: str | None
    name: str | None
    text: str
    is_error: bool | None = None
    """None: the wire has no such flag."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, as far as rounds are found by it."""

    body: Mapping[str, Any]
    """Its settings, without the conversation."""
    turns: tuple[str, ...] = ()
    """A digest for each user turn: of that turn and all before it."""
    title: str = ""
    """The newest user turn."""
    results: tuple[ToolResult, ...] = ()
    """Tool results behind the model's last word."""
    goes_on: bool = False
    """Something of the model or of tools follows the newest user turn."""
    previous: str | None = None
    """The response that this one follows (Responses API)."""
    conversation: str | None = None
    """The client's own name for the conversation, where the body holds one."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Credentials that the body holds."""

    def named(self, name: Callable[[str], str]) -> Asked:
        """Return it with ``name`` in place of the conversation's own: it may hold a secret, and is told as a thread."""
        return self if self.conversation is None else replace(self, conversation=name(self.conversation))


@dataclass(frozen=True, slots=True)
class _Said:
    """One message."""

    role: str
    text: str = ""
    results: tuple[ToolResult, ...] = ()


def read_request(wire: str, body: bytes) -> Asked | None:
    """Return what a request body says; None when it is no JSON object."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not is_object(value):
        return None
    return _folded(value, list(_messages(wire, value)))


def _folded(body: Mapping[str, Any], messages: list[_Said]) -> Asked:
    digest = hashlib.sha256()
    turns: list[str] = []
    title, results, goes_on = "", list[ToolResult](), False
    for said in messages:
        if said.role == USER and not said.results:
            digest.update(said.text.encode("utf-8", "surrogatepass") + b"\0")
            turns.append(digest.hexdigest())
            title, goes_on = said.text, bool(results)  # a word beside tool results belongs to their round
        elif said.role == MODEL:
            results, goes_on = [], True
        if said.results:
            results += said.results
            goes_on = True
    return Asked(
        body={name: value for name, value in body.items() if name not in CONTENT},
        turns=tuple(turns),
        title=title,
        results=tuple(results),
        goes_on=goes_on,
        previous=text_of(body.get("previous_response_id")) or None,
        conversation=_conversation(body),
        secrets=body_secrets(body),
    )


def _conversation(body: Mapping[str, Any]) -> str | None:
    given = body.get("conversation")
    name = text_of(given) or (text_of(given.get("id")) if is_object(given) else "")
    return name or text_of(body.get("prompt_cache_key")) or None


def _messages(wire: str, body: Mapping[str, Any]) -> Iterator[_Said]:
    if wire == "openai-responses":
        yield from _items(body.get("input"))
    elif wire == "gemini":
        yield from _contents(body.get("contents"))
    elif "messages" in body:
        messages = body["messages"]
        for message in messages if is_list(messages) else ():
            if is_object(message):
                yield _message(message)
    elif text := text_of(body.get("prompt")):
        yield _Said(USER, text)


def _message(message: Mapping[str, Any]) -> _Said:
    """Read a message as OpenAI chat, Anthropic, Ollama, Cohere and Bedrock write it."""
    role, content = text_of(message.get("role")), message.get("content")
    if role in ("tool", "function"):
        id_ = text_of(message.get("tool_call_id"))
        name = text_of(message.get("tool_name")) or text_of(message.get("name"))
        return _Said(TOOL, "", (ToolResult(id_ or None, name or None, _text(content)[:RESULT_KEPT]),))
    results = tuple(_results(content))
    return _Said({"user": USER, "assistant": MODEL}.get(role, OTHER), _text(content), results)


def _results(content: Any) -> Iterator[ToolResult]:
    for block in content if is_list(content) else ():
        if not is_object(block):
            continue
        if block.get("type") == "tool_result":
            id_, text = text_of(block.get("tool_use_id")), _text(block.get("content"))
            yield ToolResult(id_ or None, None, text[:RESULT_KEPT], block.get("is_error") is True)
        elif is_object(result := block.get("toolResult")):
            id_, text = text_of(result.get("toolUseId")), _text(result.get("content"))
            yield ToolResult(id_ or None, None, text[:RESULT_KEPT], result.get("status") == "error")


def _items(items: Any) -> Iterator[_Said]:
    """Read the input of the Responses API."""
    if isinstance(items, str):
        yield _Said(USER, items)
    for item in items if is_list(items) else ():
        if not is_object(item):
            continue
        kind, role = text_of(item.get("type")), text_of(item.get("role"))
        if role:
            roles = {"user": USER, "assistant": MODEL}
            yield _Said(roles.get(role, OTHER), _text(item.get("content")))
        elif kind.endswith("_output") and "call_id" in item:
            id_, text = text_of(item.get("call_id")), _text(item.get("output"))
            yield _Said(TOOL, "", (ToolResult(id_ or None, None, text[:RESULT_KEPT]),))
        elif kind:
            yield _Said(MODEL)


def _contents(contents: Any) -> Iterator[_Said]:
    """Read the contents of the Gemini API."""
    if isinstance(contents, str):
        yield _Said(USER, contents)
    for content in contents if is_list(contents) else (contents,):
        if not is_object(content):
            continue
        parts = content.get("parts")
        results = tuple(_gemini_results(parts if is_list(parts) else ()))
        role = MODEL if content.get("role") == "model" else USER
        yield _Said(role, _text(parts), results)


def _gemini_results(parts: Any) -> Iterator[ToolResult]:
    for part in parts:
        result = (part.get("functionResponse") or part.get("function_response")) if is_object(part) else None
        if is_object(result):
            response = result.get("response")
            failed = True if is_object(response) and response.get("error") else None
            text = _only_text(response) or json.dumps(response, ensure_ascii=False)
            id_, name = text_of(result.get("id")) or None, text_of(result.get("name")) or None
            yield ToolResult(id_, name, text[:RESULT_KEPT], failed)


def _only_text(response: Any) -> str:
    """Return the text of a result that holds nothing else; this wire wants it wrapped into an object."""
    return text_of(next(iter(response.values()))) if is_object(response) and len(response) == 1 else ""


def _text(content: Any) -> str:
    """Return the text of a message's content; a part without text counts by its kind."""
    if isinstance(content, str):
        return content
    if is_object(content):
        return json.dumps(content, ensure_ascii=False)
    return "\n".join(filter(None, map(_part, content if is_list(content) else ())))


def _part(part: Any) -> str:
    if not is_object(part):
        return part if isinstance(part, str) else ""
    document = part.get("document")  # what Cohere wraps a tool's result into
    data = document.get("data") if is_object(document) else part.get("json")  # and what Bedrock calls one that is none
    if is_object(data) and len(data) > 0:
        return _only_text(data) or json.dumps(data, ensure_ascii=False)
    return text_of(part.get("text")) or text_of(data) or f"[{text_of(part.get('type')) or 'part'}]"
