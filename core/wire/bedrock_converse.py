"""Amazon Bedrock's Converse and ConverseStream: one shape for every model behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..rounds.base import OutputKind
from ..rounds.events import ToolFinished
from .base import Translator
from .json_text import well_formed
from .shapes import Path, at_path, is_list, is_object, text_of
from .tools import Tool

USAGE: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("inputTokens",),),
    "output_tokens": (("outputTokens",),),
    "cache_read_tokens": (("cacheReadInputTokens",),),
    "cache_write_tokens": (("cacheWriteInputTokens",),),
}
"""Where the counts stand, in an event after the finish word; the input count leaves cached tokens out."""

_EVENTS = frozenset(
    ("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata")
)


class BedrockConverse(Translator):
    """One response of Converse or ConverseStream.

    A tool that the provider ran has its result in the same response: that it is finished is told beside the call.
    """

    wire: ClassVar[str] = "bedrock-converse"
    caps: ClassVar[tuple[Path, ...]] = (("inferenceConfig", "maxTokens"),)
    kinds: ClassVar[frozenset[str]] = Translator.kinds | _EVENTS

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        if kind is None:
            kind, value = _unwrapped(value)
        match kind:
            case "contentBlockDelta":  # nearly all of a stream
                self._block_delta(value, offset)
            case "contentBlockStart":
                self._block_start(value, offset)
            case "contentBlockStop":
                self._block_stop(value)
            case "messageStop":
                self._answer.done = True
                self._over(value)
            case "metadata":
                self._report(value.get("usage"), USAGE)
            case None:
                self._whole(value, offset)
            case _:
                pass  # messageStart, or what is yet to be invented: the provider is alive

    def _whole(self, value: dict[str, Any], offset: int) -> None:
        """Take in an unstreamed response, or an error that came with a good status."""
        content = at_path(value, ("output", "message", "content"))
        if content is None and "stopReason" not in value:
            if _is_error(value):
                self._fail(value)
            else:
                self._foreign(offset, "an object without output or error")
            return
        self._report(value.get("usage"), USAGE)
        self._over(value)
        tool: Tool | None = None
        for block in content if is_list(content) else ():
            tool = self._whole_block(block, offset)
        if tool is not None and self._answer.is_cut():  # a cut may have hit the last block, well formed or not
            tool.ended = False

    def _whole_block(self, block: Any, offset: int) -> Tool | None:
        use = at_path(block, ("toolUse",))
        if is_object(use):
            id_, name = text_of(use.get("toolUseId")), text_of(use.get("name"))
            tool = self._asked.open(object(), id_=id_, name=name, offset=offset)
            if tool is not None:
                tool.ended = True
                self._asked.arguments(tool, use.get("input"), offset)
            return tool
        if is_object(block):
            self._said(block)
            self._result(block.get("toolResult"))
        else:
            self._fault(offset, "a content block that is no object")
        return None

    def _block_start(self, value: dict[str, Any], offset: int) -> None:
        start = value.get("start")
        use = at_path(start, ("toolUse",))
        if is_object(use):
            id_, name = text_of(use.get("toolUseId")), text_of(use.get("name"))
            self._asked.open(_key(value), id_=id_, name=name, offset=offset)
        self._result(at_path(start, ("toolResult",)))

    def _block_delta(self, value: dict[str, Any], offset: int) -> None:
        delta = value.get("delta")
        if not is_object(delta):
            self._fault(offset, "a delta that is no object")
            return
        self._said(delta)
        use = delta.get("toolUse")
        if not is_object(use):
            return
        tool = self._answer.tools.get(_key(value))
        if tool is None:
            self._fault(offset, "arguments for a block that is no tool call")
        else:
            self._asked.arguments(tool, use.get("input"), offset)

    def _block_stop(self, value: dict[str, Any]) -> None:
        self._asked.end(self._answer.tools.get(_key(value)))

    def _said(self, fields: dict[str, Any]) -> None:
        """Take in the text of a block or delta; a whole block's reasoning lies one level deeper."""
        if (reasoning := fields.get("reasoningContent")) is not None:
            deeper = at_path(reasoning, ("reasoningText", "text"))
            self._answer.output(OutputKind.REASONING, text_of(deeper or at_path(reasoning, ("text",))))
        self._answer.output(OutputKind.TEXT, text_of(fields.get("text")))
        if "citationsContent" not in fields:
            return
        cited = at_path(fields, ("citationsContent", "content"))
        for part in cited if is_list(cited) else ():
            self._answer.output(OutputKind.TEXT, text_of(at_path(part, ("text",))))

    def _result(self, result: Any) -> None:
        """Take in the result of a tool that the provider ran itself."""
        id_ = text_of(at_path(result, ("toolUseId",)))
        tool = next((tool for tool in self._answer.tools.all if tool.wire_id == id_), None) if id_ else None
        if tool is not None:
            self._answer.tools.tell(tool, cut=False)
            failed = well_formed(text_of(at_path(result, ("status",)))) == "error"
            self._answer.tell(ToolFinished(round=self._round, call=self._call, tool_call=tool.id, ok=not failed))

    def _over(self, fields: dict[str, Any]) -> None:
        self._answer.finish(text_of(fields.get("stopReason")))


def _unwrapped(value: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Return the event's name and fields where the name is the only key, as SDKs and gateways write it."""
    names = _EVENTS.intersection(value)
    if len(value) == 1 and names:
        (name,) = names
        inner = value[name]
        return name, inner if is_object(inner) else {}
    return None, value


def _is_error(value: dict[str, Any]) -> bool:
    return any(value.get(name) for name in ("error", "message", "Message", "__type"))


def _key(value: dict[str, Any]) -> int | None:
    index = value.get("contentBlockIndex")
    return index if isinstance(index, int) else None
