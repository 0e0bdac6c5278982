"""What is spoken on the OpenAI Responses wire: each text is an item with one part, under names of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .script import Reasoning, RefusalText, Text

Json = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """One text and the words that the wire has for it."""

    text: str
    rate: float
    event: str
    """Its pieces are ``response.<event>.delta``."""
    field: str
    """What its ``done`` event holds the text in."""
    holder: str
    """What begins and ends around the pieces."""
    index: str
    """What counts the parts of an item."""
    begun: Json
    """The item as it is announced."""
    item: Json
    """The item as it ends."""
    empty: Json
    full: Json


def part_of(step: Text | RefusalText | Reasoning, id: str) -> Part:
    """Return how ``step`` is told as the item ``id``."""
    if isinstance(step, Reasoning):
        full: Json = {"type": "summary_text", "text": step.text}
        item: Json = {"id": id, "type": "reasoning", "summary": [full]}
        words = ("reasoning_summary_text", "text", "reasoning_summary_part", "summary_index")
        return Part(step.text, step.rate, *words, {**item, "summary": []}, item, {**full, "text": ""}, full)
    if isinstance(step, RefusalText):
        full, words = {"type": "refusal", "refusal": step.text}, ("refusal", "refusal", "content_part", "content_index")
    else:
        full = {"type": "output_text", "text": step.text, "annotations": []}
        words = ("output_text", "text", "content_part", "content_index")
    item = {"id": id, "type": "message", "role": "assistant", "status": "completed", "content": [full]}
    begun: Json = {**item, "status": "in_progress", "content": []}
    return Part(step.text, step.rate, *words, begun, item, {**full, words[1]: ""}, full)
