"""One answer of the Gemini CLI, told piece by piece in an order that later states of it do not change."""

from __future__ import annotations

from collections.abc import Iterator

from ...rounds import Event
from ...rounds.base import CallOutcome, OutputKind, RefusedWhy, Usage
from ...rounds.events import CallFinished, CallStarted, CallUsage
from .conversation import Conversation
from .fields import Object, count_of, object_of, texts_of, word_of
from .values import any_moment_of, objects_of

NOT_ALLOWED = "did not allow"
"""In the result of a tool that the user turned down."""


class GeminiMessage:
    """First what it says, then its end and tokens, then its tools in their order, each once it has a result."""

    def __init__(self, talk: Conversation, call: str, *, corrects: bool) -> None:
        """Begin to tell the answer as the call of that name; ``corrects``: counts that change later are told too."""
        self._corrects = corrects
        self._tokens: Object = {}
        self._talk = talk
        self._call = call
        self._round = talk.round
        self._message: Object = {}
        self._is_over = False
        self._has_spoken = False
        self._tools_told = 0

    def update(self, message: Object, *, is_settled: bool) -> Iterator[Event]:
        """Yield what a state of the message adds."""
        self._message = message
        at = any_moment_of(message.get("timestamp"))
        self._talk.seen(at)
        if not self._has_spoken:
            self._has_spoken = True
            yield CallStarted(round=self._round, call=self._call, model=word_of(message.get("model")))
            for thought in objects_of(message.get("thoughts")):
                said = ": ".join(filter(None, (word_of(thought.get("subject")), word_of(thought.get("description")))))
                yield from self._talk.said(self._call, OutputKind.REASONING, said)
            yield from self._talk.said(self._call, OutputKind.TEXT, texts_of(message.get("content")))
        tokens = object_of(message.get("tokens"))
        if not self._is_over and (is_settled or tokens):
            yield self._end()
        elif self._corrects and tokens != self._tokens and (usage := _usage(tokens)) is not None:
            yield CallUsage(round=self._round, call=self._call, usage=usage)
        self._tokens = tokens or self._tokens
        if self._is_over:
            yield from self._tools(is_settled=is_settled)

    def settle(self) -> Iterator[Event]:
        """Yield the rest: no later state comes."""
        yield from self.update(self._message, is_settled=True)

    def _end(self) -> CallFinished:
        self._is_over = True
        return CallFinished(
            round=self._round,
            call=self._call,
            at=any_moment_of(self._message.get("timestamp")),
            outcome=CallOutcome.COMPLETED,
            usage=_usage(object_of(self._message.get("tokens"))),
        )

    def _tools(self, *, is_settled: bool) -> Iterator[Event]:
        tools = objects_of(self._message.get("toolCalls"))
        for index in range(self._tools_told, len(tools)):
            if tools[index].get("status") not in ("success", "error", "cancelled") and not is_settled:
                return
            self._tools_told = index + 1
            yield from self._tool(tools[index], index)

    def _tool(self, tool: Object, index: int) -> Iterator[Event]:
        given = word_of(tool.get("id"))
        id_ = given or f"{self._call}.{index + 1}"
        name = word_of(tool.get("name")) or "?"
        yield from self._talk.asked(self._call, id_, name, tool.get("args"), given=given is not None)
        at, said = any_moment_of(tool.get("timestamp")), _result(tool)
        self._talk.seen(at)
        match tool.get("status"):
            case "success" | "error" as status:
                yield from self._talk.answered(id_, ok=status == "success", call=self._call, at=at, said=said)
            case "cancelled":
                why = RefusedWhy.PERMISSION if NOT_ALLOWED in said else RefusedWhy.INTERRUPTED
                yield from self._talk.refused(id_, why, said or "cancelled", call=self._call, at=at)
            case _:
                pass


def _result(tool: Object) -> str:
    for part in objects_of(tool.get("result")):
        response = object_of(object_of(part.get("functionResponse")).get("response"))
        if said := word_of(response.get("output")) or word_of(response.get("error")):
            return said
    return word_of(tool.get("resultDisplay")) or ""


def _usage(tokens: Object) -> Usage | None:
    """Return the counts; thinking stands beside the output, tool prompts beside the input, caches inside it."""
    taken, made = count_of(tokens.get("input")), count_of(tokens.get("output"))
    thought, tool = count_of(tokens.get("thoughts")), count_of(tokens.get("tool"))
    read = count_of(tokens.get("cached"))
    if all(number is None for number in (taken, made, thought, read)):
        return None
    return Usage(
        input_tokens=None if taken is None else taken + (tool or 0),
        output_tokens=None if made is None else made + (thought or 0),
        reasoning_tokens=thought,
        cache_read_tokens=read,
    )
