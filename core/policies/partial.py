"""The work of a delegate that was killed, gathered while it runs: text, or failing that reasoning and tool calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from .tool_digest import tool_line

SOURCE_TEXT = "spawn-accumulator"
SOURCE_REASONING = "spawn-accumulator:reasoning"
MAX_REASONING_CHARS = 100_000
"""Five times what a consumer keeps by default (20,000); chosen, not measured."""

_LABEL = "[RECOVERED FROM AN UNFINISHED DELEGATE -- NOT DRAFT OUTPUT]"
HEAD_LABEL = (
    f"{_LABEL} What follows is the private reasoning and the tool-call trace of a delegate that did not finish. "
    "It is not a draft and not a partial answer."
)
TAIL_LABEL = (
    f"{_LABEL} What stands above is the private reasoning and the tool-call trace of a delegate that did not "
    "finish. It is not a draft and not a partial answer."
)
"""Repeated at the end because a consumer keeps the end of a long payload."""


class PartialKind(StrEnum):
    """What was recovered."""

    TEXT = "text"
    REASONING = "reasoning"


@dataclass(frozen=True, slots=True)
class Partial:
    """What a killed delegate had produced."""

    text: str
    """The payload; of reasoning with a label at its head and its tail."""
    kind: PartialKind
    source: str
    segments: int
    """Text blocks; of reasoning the segments kept plus the tool calls."""
    reasoning_segments: int = 0
    reasoning_chars: int = 0
    """Kept, labels and tool lines not counted."""
    total_reasoning_chars: int = 0
    """Produced, what was dropped or cut included."""
    dropped_segments: int = 0
    """Whole segments that the bound pushed out, oldest first."""
    tool_calls: int = 0

    def as_payload(self) -> dict[str, object]:
        """Return the three fields that cross to a consumer in another process."""
        return {"text": self.text, "segments": self.segments, "source": self.source}


class PartialAccumulator:
    """Takes the closed content blocks of a running delegate and gives back what is worth recovering.

    Never raises over a block: a delegate's odd block must not end its run. Tool *results* are not gathered.
    """

    def __init__(self, max_reasoning_chars: int = MAX_REASONING_CHARS) -> None:
        """
        Args:
            max_reasoning_chars: bound on the reasoning kept, above 0. Text and tool calls are not bounded.
        """
        if max_reasoning_chars < 1:
            raise ValueError(f"the bound has to be at least 1 character, not {max_reasoning_chars}")
        self._bound = max_reasoning_chars
        self._texts: list[str] = []
        self._tools: list[str] = []
        self._reasoning: deque[str] = deque()
        self._kept_chars = 0
        self._total_chars = 0
        self._dropped = 0
        self._thought = False  # something visible was thought, even if the bound has cut it away

    def take(self, block: object) -> None:
        """Take one closed block: ``text`` and ``thinking`` (both under ``text``) or ``tool_call`` (under ``input``).

        Every other type, an empty string and a malformed block add nothing.
        """
        if not isinstance(block, Mapping):
            return
        fields = cast("Mapping[object, object]", block)
        kind, text = fields.get("type"), fields.get("text")
        if kind == "tool_call":
            self._tools.append(tool_line(fields))
        elif isinstance(text, str) and text:
            if kind == "text":
                self._texts.append(text)
            elif kind == "thinking":
                self._think(text)

    def _think(self, text: str) -> None:
        self._total_chars += len(text)
        self._thought = self._thought or bool(text.strip())
        self._reasoning.append(text)
        self._kept_chars += len(text)
        while self._kept_chars > self._bound and len(self._reasoning) > 1:
            self._kept_chars -= len(self._reasoning.popleft())
            self._dropped += 1
        if self._kept_chars > self._bound:  # the only one left is never dropped: its end is kept
            self._reasoning[0] = self._reasoning[0][-self._bound :]
            self._kept_chars = self._bound

    def recovered(self) -> Partial | None:
        """Return what there is so far; None when nothing was produced, never a made-up partial.

        Any visible text is handed over alone: private reasoning must not dilute it. A lone line break is no text.
        """
        text = "".join(self._texts)
        if text.strip():
            return Partial(text, PartialKind.TEXT, SOURCE_TEXT, segments=len(self._texts))
        if not self._tools and not self._thought:
            return None
        return Partial(
            self._labelled(),
            PartialKind.REASONING,
            SOURCE_REASONING,
            segments=len(self._reasoning) + len(self._tools),
            reasoning_segments=len(self._reasoning),
            reasoning_chars=self._kept_chars,
            total_reasoning_chars=self._total_chars,
            dropped_segments=self._dropped,
            tool_calls=len(self._tools),
        )

    def _labelled(self) -> str:
        parts = [HEAD_LABEL]
        if self._tools:
            lines = (f"{number}. {line}" for number, line in enumerate(self._tools, 1))
            parts.append("\n".join(("Tool calls, in order:", *lines)))
        if self._reasoning:
            parts.append("\n\n".join(("Reasoning, oldest first:", *self._reasoning)))
        return "\n\n".join((*parts, TAIL_LABEL))


def is_recoverable(first_evidence_s: float | None, killed_at_s: float) -> bool:
    """Return whether a delegate killed at ``killed_at_s`` had already produced something.

    Args:
        first_evidence_s: when its first block closed, seconds since its start; None = none has closed.
    """
    return first_evidence_s is not None and first_evidence_s <= killed_at_s
