"""OpenAI Chat Completions and its many dialects, streamed and not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from ..rounds.base import OutputKind
from .answer import Choice
from .base import DONE, Translator
from .chat_tools import ChatTools
from .json_text import compact, well_formed
from .pieces import Word
from .shapes import Path, at_path, is_list, is_object, text_of

USAGE: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("prompt_tokens",), ("input_tokens",)),
    "output_tokens": (("completion_tokens",), ("output_tokens",)),
    "reasoning_tokens": (("completion_tokens_details", "reasoning_tokens"), ("reasoning_tokens",)),
    "cache_read_tokens": (
        ("prompt_tokens_details", "cached_tokens"),
        ("prompt_cache_hit_tokens",),  # DeepSeek
        ("cached_tokens",),  # Hugging Face routers
        ("cache_read_input_tokens",),  # gateways in front of Anthropic
    ),
    "cache_write_tokens": (("prompt_tokens_details", "cache_write_tokens"), ("cache_creation_input_tokens",)),
}
"""Where dialects put the five counts."""

_REASONING = ("reasoning_content", "reasoning", "thinking")
"""One thing under several names; some servers send two of them at once, so the first filled one counts."""
_USAGE_PLACES: tuple[Path, ...] = (("usage",), ("x_groq", "usage"))
_ERROR_PLACES: tuple[Path, ...] = (("error",), ("x_groq", "error"))
_COMMON = frozenset(("usage", "error", "x_groq"))
"""What may stand beside the choices."""
_PLAIN = frozenset(("content", "role"))
"""All that most deltas hold."""
_FILTERS = ("content_filter_results", "content_filter_result")


class OpenAIChat(Translator):
    """One response of a Chat Completions endpoint."""

    wire: ClassVar[str] = "openai-chat"
    caps: ClassVar[tuple[Path, ...]] = (("max_completion_tokens",), ("max_tokens",), ("n_predict",))

    def _mark(self, word: Word) -> None:
        if word.text == DONE:
            self._answer.done = True
        else:
            super()._mark(word)

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        choices = value.get("choices")
        known = is_list(choices)
        for position, choice in enumerate(choices if is_list(choices) else ()):
            if is_object(choice):
                self._choice(position, choice, offset)
            else:
                self._fault(offset, "a choice that is no object")
        if not known or not _COMMON.isdisjoint(value):  # most chunks hold choices and nothing else
            known = self._beside(value, has_choices=known)
        if not known and (kind is None or kind in self.kinds):
            self._foreign(offset, "an object without choices, usage or error")

    def _beside(self, value: dict[str, Any], *, has_choices: bool) -> bool:
        """Take in what stands beside, or in place of, the choices; say whether anything is known."""
        known = self._errors(value, has_choices=has_choices) or has_choices
        for place in _USAGE_PLACES:
            known = self._report(at_path(value, place), USAGE) or known
        return known

    def _errors(self, value: dict[str, Any], *, has_choices: bool) -> bool:
        """Take in an error beside, or in place of, the choices; say whether there is one."""
        if not has_choices and "error" in (value.get("object"), value.get("type")):
            self._fail(value)
            return True
        found = [error for place in _ERROR_PLACES if (error := at_path(value, place))]
        for error in found:
            self._fail(error)
        return bool(found)

    def _choice(self, position: int, choice: dict[str, Any], offset: int) -> None:
        index = choice.get("index")
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            index = position
        holder = self._answer.choice(index)
        if holder is None:
            self._fault(offset, "more choices than are followed")
            return
        self._content(index, choice, holder, offset)
        if error := choice.get("error"):
            self._fail(error)
        if "usage" in choice:  # Moonshot's place for it
            self._report(choice["usage"], USAGE)
        self._finish(index, choice, offset)

    def _content(self, index: int, choice: dict[str, Any], holder: Choice, offset: int) -> None:
        delta, message = choice.get("delta"), choice.get("message")
        unstreamed = is_object(message) and self._body.streamed is not True  # Perplexity adds an empty delta to it
        if is_object(delta) and not unstreamed:
            holder.streamed = True
            text = delta.get("content")
            if isinstance(text, str) and delta.keys() <= _PLAIN:
                self._answer.output(OutputKind.TEXT, text, choice=index)
                return
            self._said(index, delta)
            self._tools.read(index, delta, offset)
        elif is_object(message):
            if not holder.streamed:  # else it says again what came in deltas
                self._said(index, message)
                self._tools.read_whole(index, message, offset)
        else:
            self._answer.output(OutputKind.TEXT, text_of(choice.get("text")), choice=index)  # the older completions

    @cached_property
    def _tools(self) -> ChatTools:
        return ChatTools(self._answer, self._fault)

    def _said(self, index: int, delta: dict[str, Any]) -> None:
        for kind, text in _pieces(delta):
            self._answer.output(kind, text, choice=index)

    def _finish(self, index: int, choice: dict[str, Any], offset: int) -> None:
        word, native = choice.get("finish_reason"), choice.get("native_finish_reason")
        if index == 0:
            self._answer.detail = self._answer.detail or _filtered(choice)
        if word is not None and not isinstance(word, str):
            self._fault(offset, "a finish reason that is no text")
            word = compact(word)
        self._answer.finish(word, choice=index, native=text_of(native))


def _pieces(delta: Mapping[str, Any]) -> Iterator[tuple[OutputKind, str]]:
    """Yield what a delta or message says, reasoning first."""
    reasoning = next((delta[name] for name in _REASONING if delta.get(name)), None)
    for _, text in _parts(reasoning if reasoning is not None else delta.get("reasoning_details")):
        yield OutputKind.REASONING, text
    yield from _parts(delta.get("content"))
    yield OutputKind.REFUSAL, text_of(delta.get("refusal"))


def _parts(content: Any) -> Iterator[tuple[OutputKind, str]]:
    """Yield the text of a content field: a string, one part, or a list of typed parts."""
    for part in _listed(content):
        if is_object(part):
            for inner in _listed(part.get("thinking")):
                yield OutputKind.REASONING, _part_text(inner)
            yield OutputKind.REFUSAL, text_of(part.get("refusal"))
        yield OutputKind.TEXT, _part_text(part)


def _listed(value: Any) -> list[Any]:
    return value if is_list(value) else [value]


def _part_text(part: Any) -> str:
    """Return a string, or what a part holds under ``text`` or ``summary``; empty for anything else."""
    return text_of((part.get("text") or part.get("summary")) if is_object(part) else part)


def _filtered(choice: dict[str, Any]) -> str | None:
    """Return the categories that a content filter withheld the choice for."""
    found: list[str] = []
    if _FILTERS[0] not in choice and _FILTERS[1] not in choice:
        return None
    for name in _FILTERS:
        results = choice.get(name)
        if is_object(results):
            found += [key for key, result in results.items() if at_path(result, ("filtered",)) is True]
    return well_formed(", ".join(found[:10]))[:200] or None
