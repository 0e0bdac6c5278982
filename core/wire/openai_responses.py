"""OpenAI's Responses API and its dialects, streamed and not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from ..rounds.base import OutputKind
from .base import DONE, Translator
from .json_text import well_formed
from .pieces import Word
from .responses_items import ResponsesItems, item_key
from .shapes import Path, at_path, is_list, is_object, text_of

USAGE: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("input_tokens",),),
    "output_tokens": (("output_tokens",),),
    "reasoning_tokens": (("output_tokens_details", "reasoning_tokens"),),
    "cache_read_tokens": (("input_tokens_details", "cached_tokens"),),
    "cache_write_tokens": (("input_tokens_details", "cache_write_tokens"),),
}
"""Where the counts stand, on the last event only."""

TERMINAL: Mapping[str, str] = {
    "response.completed": "completed",
    "response.incomplete": "incomplete",
    "response.failed": "failed",
    "response.cancelled": "cancelled",
    "response.done": "",
}
"""The events that end a response, and the status that each stands for where it states none."""

_SPOKEN: Mapping[str, OutputKind] = {
    "output_text": OutputKind.TEXT,
    "refusal": OutputKind.REFUSAL,
    "reasoning_text": OutputKind.REASONING,
    "reasoning_summary_text": OutputKind.REASONING,
    "reasoning": OutputKind.REASONING,
    "reasoning_summary": OutputKind.REASONING,
}
"""What streams as ``response.<name>.delta`` and is said again whole in ``response.<name>.done``."""
_ARGUMENTS: Mapping[str, str] = {
    "function_call_arguments": "arguments",
    "custom_tool_call_input": "input",
    "mcp_call_arguments": "arguments",
    "code_interpreter_call_code": "code",
}
"""The same for tool calls, with the field of the ``done`` event that holds all of it."""
_STEPS: Mapping[str, tuple[str, str]] = {
    f"response.{what}.{step}": (what, step) for what in (*_SPOKEN, *_ARGUMENTS) for step in ("delta", "done")
}
"""The events of both, and what each says of which."""
_ITEMS = frozenset(("response.output_item.added", "response.output_item.done"))


class OpenAIResponses(Translator):
    """One response; its finish word is the status, the closer reason of an incomplete one the finish detail."""

    wire: ClassVar[str] = "openai-responses"
    caps: ClassVar[tuple[Path, ...]] = (("max_output_tokens",),)
    kinds: ClassVar[frozenset[str]] = Translator.kinds | _ITEMS | frozenset(TERMINAL) | frozenset(_STEPS)

    def _mark(self, word: Word) -> None:
        if word.text != DONE:  # OpenAI sends none, some dialects do
            super()._mark(word)

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        name = text_of(value.get("type")) or kind or ""
        response = value.get("response")
        if response is None and name.startswith("response.output_text."):  # nearly all of a stream
            self._streamed(name, value, offset)
        elif name in TERMINAL:
            self._answer.done = True
            self._over(response if is_object(response) else {}, TERMINAL[name], offset)
        elif name in _ITEMS:
            self._items.read(value, value.get("item"), offset, done=name.endswith("done"))
        elif name.startswith("response."):
            self._streamed(name, value, offset)
            if is_object(response):
                self._echoed_cap(response.get("max_output_tokens"))
        elif value.get("object") == "response" or is_list(value.get("output")):
            self._over(value, "", offset)
        elif name == "error" or value.get("error"):
            self._fail(value)
        elif not name:
            self._foreign(offset, "an object without a type")

    @cached_property
    def _items(self) -> ResponsesItems:
        return ResponsesItems(self._asked)

    def _streamed(self, name: str, value: dict[str, Any], offset: int) -> None:
        """Take in a piece of an item; any other event only says that the provider is alive."""
        what, step = _STEPS.get(name, ("", ""))
        if what in _SPOKEN:
            place = (what, item_key(value), _part(value))
            if step == "delta":
                delta = value.get("delta")
                text = delta if isinstance(delta, str) else text_of(at_path(delta, ("text",)))
                self._items.say(_SPOKEN[what], place, text, offset)
            else:
                whole = text_of(value.get("text")) or text_of(value.get("refusal"))
                self._items.say_whole(_SPOKEN[what], place, whole, offset)
        elif what in _ARGUMENTS:
            if step == "delta":
                self._items.arguments(value, text_of(value.get("delta")), offset)
            else:
                self._items.whole_arguments(value, value.get(_ARGUMENTS[what]), offset)

    def _over(self, response: dict[str, Any], status: str, offset: int) -> None:
        """Take in the whole response: the end of a stream, or all there is."""
        self._echoed_cap(response.get("max_output_tokens"))
        self._report(response.get("usage"), USAGE)
        if error := response.get("error"):
            self._fail(error)
        reason = text_of(at_path(response, ("incomplete_details", "reason")))
        self._answer.detail = self._answer.detail or well_formed(reason[:200]) or None
        status = text_of(response.get("status")) or status
        output = response.get("output")
        self._items.read_all(output if is_list(output) else [], offset)
        self._items.end(whole=status == "completed")
        self._answer.finish(status)


def _part(value: dict[str, Any]) -> int:
    index = value.get("content_index", value.get("summary_index"))
    return index if isinstance(index, int) else 0
