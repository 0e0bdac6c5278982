"""Ollama's own API (``/api/chat``, ``/api/generate``): one JSON object a line, or a single one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..rounds.base import OutputKind
from .base import Translator
from .shapes import Path, is_list, is_object, text_of

USAGE: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("prompt_eval_count",),),
    "output_tokens": (("eval_count",),),
}
"""Where the counts stand, on the last object; thinking is inside the output count."""

_SAID: tuple[tuple[OutputKind, str], ...] = ((OutputKind.REASONING, "thinking"), (OutputKind.TEXT, "content"))
_GENERATED: tuple[tuple[OutputKind, str], ...] = ((OutputKind.REASONING, "thinking"), (OutputKind.TEXT, "response"))
_OF_GENERATE = frozenset(name for _, name in _GENERATED)
_COUNTED = frozenset(name for paths in USAGE.values() for (name,) in paths)


class Ollama(Translator):
    """One response of an Ollama server; tool calls come whole, and the finish word does not tell of them."""

    wire: ClassVar[str] = "ollama"
    caps: ClassVar[tuple[Path, ...]] = (("options", "num_predict"), ("num_predict",))
    json_streams: ClassVar[bytes] = b"{"

    def _json_streams(self) -> bytes:
        return b"" if self._request.get("stream") is False else self.json_streams

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        message, done = value.get("message"), value.get("done")
        if value.get("error"):
            self._fail(value)
        elif not is_object(message) and done is None and "response" not in value:
            self._foreign(offset, "an object without message, response or error")
        if is_object(message):
            self._said(message, _SAID)
            if "tool_calls" in message:
                self._tool_calls(message, offset)
        if not _OF_GENERATE.isdisjoint(value):
            self._said(value, _GENERATED)
        if not _COUNTED.isdisjoint(value):
            self._report(value, USAGE)
        self._answer.done = self._answer.done or done is True
        self._answer.finish(text_of(value.get("done_reason")))

    def _said(self, fields: dict[str, Any], places: tuple[tuple[OutputKind, str], ...]) -> None:
        for kind, name in places:
            if name in fields:
                self._answer.output(kind, text_of(fields[name]))

    def _tool_calls(self, message: dict[str, Any], offset: int) -> None:
        calls = message.get("tool_calls")
        for call in calls if is_list(calls) else ():
            function = call.get("function") if is_object(call) else None
            if not is_object(call) or not is_object(function):
                self._fault(offset, "a tool call without a function")
                continue
            name, id_ = text_of(function.get("name")), text_of(call.get("id"))
            self._asked.whole(function.get("arguments"), id_=id_, name=name, offset=offset)
