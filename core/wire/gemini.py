"""Gemini's generateContent, from the Gemini API and from Vertex, streamed as SSE or as a JSON array, or not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from ..rounds.base import OutputKind
from ..rounds.reasons import NATURAL, reported, stop_reason
from .base import Translator
from .gemini_calls import GeminiCalls
from .gemini_enums import (
    BLOCK_REASONS,
    FINISH_REASONS,
    VERTEX_BLOCK_REASONS,
    VERTEX_FINISH_REASONS,
    enum_name,
    is_vertex,
)
from .json_text import compact, well_formed
from .shapes import Path, is_list, is_object, text_of

USAGE: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("promptTokenCount",),),
    "output_tokens": (("candidatesTokenCount",),),
    "reasoning_tokens": (("thoughtsTokenCount",),),
    "cache_read_tokens": (("cachedContentTokenCount",),),
}
"""Where the counts stand, cumulative; the output count leaves thoughts out."""
DETAIL_CHARS = 500
MAX_WORDS = 16
"""Different finish words of one candidate that are kept."""
CODE_EXECUTION = "code_execution"
_CALLS = frozenset(("functionCall", "executableCode", "toolCall"))


class Gemini(Translator):
    """One response of generateContent or streamGenerateContent; the finish word does not tell of tool calls."""

    wire: ClassVar[str] = "gemini"
    caps: ClassVar[tuple[Path, ...]] = (
        ("generationConfig", "maxOutputTokens"),
        ("generation_config", "max_output_tokens"),
        ("maxOutputTokens",),
    )
    json_streams: ClassVar[bytes] = b"["
    marks_end: ClassVar[bool] = False

    _vertex = False

    @cached_property
    def _words(self) -> dict[int, dict[str, None]]:
        """The finish words of each candidate, the latest last: an earlier one may stand before more text."""
        return {}

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        if "candidates" not in value and is_object(wrapped := value.get("response")):  # Code Assist's envelope
            value = wrapped
        usage = value.get("usageMetadata")
        self._vertex = self._vertex or is_vertex(value, usage)
        if usage is not None:
            self._report(usage, USAGE)
        if error := value.get("error"):
            self._fail(error)
        candidates, feedback = value.get("candidates"), value.get("promptFeedback")
        if feedback is not None and is_object(feedback):
            self._prompt_feedback(feedback)
        if is_list(candidates):
            for position, candidate in enumerate(candidates):
                if is_object(candidate):
                    self._candidate(position, candidate, offset)
                else:
                    self._fault(offset, "a candidate that is no object")
        elif not (error or "usageMetadata" in value or is_object(feedback)):
            self._foreign(offset, "an object without candidates, usage, prompt feedback or error")

    def _end(self) -> None:
        self._calls.seal_all()
        for choice, words in self._words.items():
            for word in reversed(words):
                self._answer.finish(word, choice=choice)
        super()._end()

    def _prompt_feedback(self, feedback: dict[str, Any]) -> None:
        """Take in why the prompt was blocked: there is no candidate and no finish word then."""
        names = VERTEX_BLOCK_REASONS if self._vertex else BLOCK_REASONS
        reason = enum_name(feedback.get("blockReason"), names)
        if reason:
            self._answer.detail = self._answer.detail or well_formed(reason[:DETAIL_CHARS])

    def _candidate(self, position: int, candidate: dict[str, Any], offset: int) -> None:
        index = candidate.get("index")
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            index = position
        if index not in self._answer.followed and self._answer.choice(index) is None:
            self._fault(offset, "more candidates than are followed")
            return
        content = candidate.get("content")
        parts = content.get("parts") if is_object(content) else None
        for part in parts if is_list(parts) else ():
            if is_object(part):
                self._part(index, part, offset)
            else:
                self._fault(offset, "a part that is no object")
        if "finishReason" in candidate or "finishMessage" in candidate:
            self._finish(index, candidate, offset)

    def _part(self, choice: int, part: dict[str, Any], offset: int) -> None:
        if text := text_of(part.get("text")):
            kind = OutputKind.REASONING if part.get("thought") is True else OutputKind.TEXT
            self._answer.output(kind, text, choice=choice)
        if _CALLS.isdisjoint(part):
            return
        call, code, served = part.get("functionCall"), part.get("executableCode"), part.get("toolCall")
        if is_object(call):
            self._calls.read(choice, call, offset)
        if is_object(code):
            self._server_tool(choice, code, CODE_EXECUTION, code.get("code"), offset)
        if is_object(served):
            name = text_of(served.get("toolType")) or text_of(served.get("name"))
            self._server_tool(choice, served, name, served.get("args"), offset)

    def _server_tool(self, choice: int, fields: dict[str, Any], name: str, given: Any, offset: int) -> None:
        id_ = text_of(fields.get("id"))
        self._asked.whole(
            given, id_=id_, name=name, offset=offset, choice=choice, server=True, free_text=isinstance(given, str)
        )

    def _finish(self, choice: int, candidate: dict[str, Any], offset: int) -> None:
        given = candidate.get("finishReason")
        word = enum_name(given, VERTEX_FINISH_REASONS if self._vertex else FINISH_REASONS)
        if word is None and given is not None:
            self._fault(offset, "a finish reason that is neither text nor number")
            word = compact(given)
        if choice == 0:
            message = well_formed(text_of(candidate.get("finishMessage"))[:DETAIL_CHARS])
            self._answer.detail = self._answer.detail or message or None
        if word and reported(word):
            self._calls.seal(choice, whole=stop_reason(word) in NATURAL)
            words = self._words.setdefault(choice, {})
            words.pop(word, None)
            words[word] = None
            if len(words) > MAX_WORDS:
                del words[next(iter(words))]

    @cached_property
    def _calls(self) -> GeminiCalls:
        return GeminiCalls(self._asked)
