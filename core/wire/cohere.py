"""Cohere's chat, version 2, streamed and not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..rounds.base import OutputKind
from .base import Translator
from .shapes import Path, at_path, is_list, is_object, text_of

USAGE: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("tokens", "input_tokens"),),
    "output_tokens": (("tokens", "output_tokens"),),
    "reasoning_tokens": (("tokens", "reasoning_tokens"),),
    "cache_read_tokens": (("cached_tokens",), ("tokens", "cached_tokens")),
}
"""Where the counts stand; ``billed_units`` beside them are what is charged, not what was used."""


class Cohere(Translator):
    """One response of the v2 chat endpoint; the plan before a tool call is reasoning, not answer text."""

    wire: ClassVar[str] = "cohere"
    caps: ClassVar[tuple[Path, ...]] = (("max_tokens",),)
    kinds: ClassVar[frozenset[str]] = Translator.kinds | frozenset(
        (
            "message-start",
            "content-start",
            "content-delta",
            "tool-plan-delta",
            "tool-call-start",
            "tool-call-delta",
            "tool-call-end",
            "message-end",
        )
    )

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        name = text_of(value.get("type")) or kind or ""
        delta = value.get("delta")
        message = delta.get("message") if is_object(delta) else None
        match name:
            case "message-start" | "content-start" | "content-delta" | "tool-plan-delta":
                self._said(message)
            case "tool-call-start":
                self._tool_start(value, message, offset)
            case "tool-call-delta":
                self._tool_delta(value, message, offset)
            case "tool-call-end":
                self._tool_end(value)
            case "message-end":
                self._answer.done = True
                self._over(value.get("delta"))
            case "" | "message" | "chat":
                self._whole(value, offset)
            case "error":
                self._fail(value)
            case _:
                pass  # citations, or what is yet to be invented: the provider is alive

    def _whole(self, value: dict[str, Any], offset: int) -> None:
        """Take in an unstreamed response."""
        message = value.get("message")
        if not is_object(message) and "finish_reason" not in value:
            if value.get("error") or isinstance(message, str):
                self._fail(value)
            else:
                self._foreign(offset, "an object without type, message or error")
            return
        self._said(message)
        calls = at_path(message, ("tool_calls",))
        for call in calls if is_list(calls) else ():
            self._asked.whole(
                at_path(call, ("function", "arguments")),
                id_=text_of(at_path(call, ("id",))),
                name=text_of(at_path(call, ("function", "name"))),
                offset=offset,
            )
        self._over(value)

    def _said(self, message: Any) -> None:
        if not is_object(message):
            return
        content = message.get("content")
        if "tool_plan" in message:
            self._answer.output(OutputKind.REASONING, text_of(message["tool_plan"]))
        for part in content if is_list(content) else [content]:
            if is_object(part):
                if "thinking" in part:
                    self._answer.output(OutputKind.REASONING, text_of(part["thinking"]))
                self._answer.output(OutputKind.TEXT, text_of(part.get("text")))
            else:
                self._answer.output(OutputKind.TEXT, text_of(part))

    def _tool_start(self, value: dict[str, Any], message: Any, offset: int) -> None:
        call = _call(message)
        tool = self._asked.open(
            _key(value),
            id_=text_of(call.get("id")),
            name=text_of(at_path(call, ("function", "name"))),
            offset=offset,
        )
        if tool is not None:
            self._asked.arguments(tool, at_path(call, ("function", "arguments")), offset)

    def _tool_delta(self, value: dict[str, Any], message: Any, offset: int) -> None:
        tool = self._answer.tools.get(_key(value))
        if tool is None:
            self._fault(offset, "arguments for a tool call that never began")
        else:
            self._asked.arguments(tool, at_path(_call(message), ("function", "arguments")), offset)

    def _tool_end(self, value: dict[str, Any]) -> None:
        self._asked.end(self._answer.tools.get(_key(value)))

    def _over(self, fields: Any) -> None:
        """Take in how the response ended, with what and why."""
        if not is_object(fields):
            return
        self._report(fields.get("usage"), USAGE)
        if error := fields.get("error"):
            said = error if is_object(error) else {"message": error, "error_type": fields.get("error_type")}
            self._fail(said)
        self._answer.finish(text_of(fields.get("finish_reason")))


def _call(message: Any) -> dict[str, Any]:
    """Return the one tool call of an event, alone or in a list."""
    calls = at_path(message, ("tool_calls",))
    call = calls[0] if is_list(calls) and calls else calls
    return call if is_object(call) else {}


def _key(value: dict[str, Any]) -> int | None:
    index = value.get("index")
    return index if isinstance(index, int) else None
