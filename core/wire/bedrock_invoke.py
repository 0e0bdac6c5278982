"""Amazon Bedrock's InvokeModel for Claude: Anthropic's events, base64-coded inside binary frames."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, ClassVar

from .anthropic import Anthropic
from .counts import read_usage
from .json_text import Unread, load
from .shapes import Path, is_object

CHUNK = "chunk"
METRICS = "amazon-bedrock-invocationMetrics"
METRIC_COUNTS: Mapping[str, tuple[Path, ...]] = {
    "input_tokens": (("inputTokenCount",),),
    "output_tokens": (("outputTokenCount",),),
    "cache_read_tokens": (("cacheReadInputTokenCount",),),
    "cache_write_tokens": (("cacheWriteInputTokenCount",),),
}
"""What Bedrock counts itself, on the last event; read where the model's own usage left something out."""


class BedrockInvoke(Anthropic):
    """One response of InvokeModel or InvokeModelWithResponseStream with a Claude model."""

    wire: ClassVar[str] = "bedrock-invoke"
    kinds: ClassVar[frozenset[str]] = Anthropic.kinds | frozenset((CHUNK,))

    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        coded = value.get("bytes")
        if isinstance(coded, str) and "type" not in value:
            self._chunk(coded, offset)
            return
        if "completion" in value and "content" not in value:  # the older text completions
            self._fault(offset, "the text of a completion of the older API")
            self._words(value)
        elif isinstance(value.get("message"), str) and "type" not in value:
            self._fail(value)
        else:
            super()._read(value, None if kind == CHUNK else kind, offset)
        self._metrics(value.get(METRICS))

    def _chunk(self, coded: str, offset: int) -> None:
        try:
            inner = load(base64.b64decode(coded, validate=True).decode("utf-8"))
        except (binascii.Error, ValueError):
            self._fault(offset, "a chunk that is no base64 of UTF-8")
            return
        if is_object(inner) and "bytes" not in inner:
            self._read(inner, CHUNK, offset)
        else:
            self._fault(offset, inner.why if isinstance(inner, Unread) else "a chunk that holds no JSON object")

    def _metrics(self, value: Any) -> None:
        counted = read_usage(value, METRIC_COUNTS)
        if counted is None:
            return
        known = self._answer.usage
        self._answer.report(counted.merged(known) if known is not None else counted, tell=False)
