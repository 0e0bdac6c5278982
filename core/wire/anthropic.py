"""Anthropic Messages, streamed and not; its events also travel inside Bedrock's invoke frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..rounds.base import OutputKind
from .base import Translator
from .counts import read_usage
from .faults import quoted
from .json_text import compact, well_formed
from .shapes import Path, at_path, is_list, is_object, text_of
from .tools import Tool

USAGE: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("input_tokens",),),
    "output_tokens": (("output_tokens",),),
    "reasoning_tokens": (("output_tokens_details", "thinking_tokens"),),
    "cache_read_tokens": (("cache_read_input_tokens",),),
    "cache_write_tokens": (("cache_creation_input_tokens",),),
}
"""Where the five counts stand; the input count leaves cached tokens out."""

CLIENT_TOOL = "tool_use"
_TOOL_BLOCKS = frozenset((CLIENT_TOOL, "server_tool_use", "mcp_tool_use"))
_DELTAS: Mapping[str, tuple[OutputKind, str]] = {
    "text_delta": (OutputKind.TEXT, "text"),
    "thinking_delta": (OutputKind.REASONING, "thinking"),
}
DETAIL_CHARS = 200
_SILENT_DELTAS = frozenset(("signature_delta", "citations_delta", "compaction_delta"))
"""They stream something that is no output."""


class Anthropic(Translator):
    """One response of a Messages endpoint."""

    wire: ClassVar[str] = "anthropic"
    caps: ClassVar[tuple[Path, ...]] = (("max_tokens",),)
    kinds: ClassVar[frozenset[str]] = Translator.kinds | frozenset(
        (
            "message_start",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop",
        )
    )

    _message_seen = False
    _delta_reported = False
    """A ``message_delta`` told a real output count."""

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        name = text_of(value.get("type")) or kind or None
        if name == "content_block_delta" and "error" not in value:  # nearly all of a stream
            self._block_delta(value, offset)
        elif name == "error" or value.get("error"):
            self._fail(value)
        elif name == "message" or (name is None and is_list(value.get("content"))):
            self._whole(value, offset)
        else:
            self._event(name, value, offset)

    def _event(self, name: str | None, value: dict[str, Any], offset: int) -> None:
        match name:
            case "message_start":
                self._message_start(value, offset)
            case "content_block_start":
                self._block(value.get("index"), value.get("content_block"), offset, whole=False)
            case "content_block_delta":
                self._block_delta(value, offset)
            case "content_block_stop":
                self._block_stop(value)
            case "message_delta":
                self._message_delta(value)
            case "message_stop":
                self._answer.done = True
            case None:
                self._foreign(offset, "an object without a type")
            case _:
                pass  # a ping, or what is yet to be invented: the provider is alive

    def _whole(self, message: dict[str, Any], offset: int) -> None:
        """Take in an unstreamed message."""
        content = message.get("content")
        usage = read_usage(message.get("usage"), USAGE)
        if usage is not None:
            self._answer.report(usage, tell=False)
        self._words(message)
        tool: Tool | None = None
        for index, block in enumerate(content if is_list(content) else ()):
            tool = self._block(index, block, offset, whole=True)
            if tool is not None:
                tool.ended = True
        if tool is not None and self._answer.is_cut():  # a cut may have hit the last block, well formed or not
            tool.ended = False

    def _message_start(self, value: dict[str, Any], offset: int) -> None:
        """Take in the head of a message; gateways splice in a second one, with another placeholder count."""
        usage = read_usage(at_path(value, ("message", "usage")), USAGE)
        if usage is not None:
            if self._delta_reported:
                usage = usage.model_copy(update={"output_tokens": None})
            self._answer.report(usage, tell=not self._message_seen)
        self._message_seen = True
        message = value.get("message")
        if is_object(message):
            self._words(message)
        else:
            self._fault(offset, "message_start without a message")

    def _block(self, index: Any, block: Any, offset: int, *, whole: bool) -> Tool | None:
        if not is_object(block):
            self._fault(offset, "a content block that is no object")
            return None
        kind = text_of(block.get("type"))
        if kind in _TOOL_BLOCKS:
            return self._tool_block(index, block, offset, whole=whole)
        for output, name in _DELTAS.values():
            if kind == name:
                self._answer.output(output, text_of(block.get(name)))
        return None

    def _tool_block(self, index: Any, block: dict[str, Any], offset: int, *, whole: bool) -> Tool | None:
        given = block.get("input")
        tool = self._asked.open(
            _key(index),
            id_=text_of(block.get("id")),
            name=text_of(block.get("name")),
            offset=offset,
            server=block.get("type") != CLIENT_TOOL,
        )
        if tool is None:
            return None
        self._answer.begin()
        if given is None or (given == {} and not whole):  # a stream's empty input stands for pieces to come
            return tool
        self._asked.arguments(tool, given, offset)
        return tool

    def _block_delta(self, value: dict[str, Any], offset: int) -> None:
        delta = value.get("delta")
        fields = delta if is_object(delta) else {}
        kind = text_of(fields.get("type"))
        if kind in _DELTAS:
            output, name = _DELTAS[kind]
            self._answer.output(output, text_of(fields.get(name)))
        elif kind == "input_json_delta":
            self._input_delta(_key(value.get("index")), fields.get("partial_json"), offset)
        elif kind not in _SILENT_DELTAS:
            self._fault(offset, f"a delta of unknown type {quoted(kind)}")

    def _input_delta(self, key: int | None, piece: Any, offset: int) -> None:
        tool = self._answer.tools.get(key)
        if tool is None:
            self._fault(offset, "arguments for a block that is no tool call")
        elif isinstance(piece, str):
            self._asked.arguments(tool, piece, offset)

    def _block_stop(self, value: dict[str, Any]) -> None:
        self._asked.end(self._answer.tools.get(_key(value.get("index"))))

    def _message_delta(self, value: dict[str, Any]) -> None:
        usage = read_usage(value.get("usage"), USAGE)
        if usage is not None:
            told = usage.output_tokens is not None
            self._delta_reported = self._delta_reported or told
            self._answer.report(usage, tell=told)
        delta = value.get("delta")
        if is_object(delta):
            self._words(delta)

    def _words(self, fields: dict[str, Any]) -> None:
        """Take in a stop reason and what stands beside it."""
        self._answer.detail = self._answer.detail or _detail(fields)
        self._answer.finish(text_of(fields.get("stop_reason")))


def _key(index: Any) -> int | None:
    return index if isinstance(index, int) else None


def _detail(fields: dict[str, Any]) -> str | None:
    """Return why a refusal was one, or the stop sequence, in quotes: it is the user's text, not a word of the wire."""
    category = text_of(at_path(fields, ("stop_details", "category")))
    sequence = text_of(fields.get("stop_sequence"))
    found = category or (compact(sequence[:DETAIL_CHARS]) if sequence else "")
    return well_formed(found)[:DETAIL_CHARS] or None
