"""Gemini's enums as numbers: what ``$alt=json;enum-encoding=int`` sends instead of names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .shapes import is_object

_SHARED: Mapping[int, str] = {
    0: "FINISH_REASON_UNSPECIFIED",
    1: "STOP",
    2: "MAX_TOKENS",
    3: "SAFETY",
    4: "RECITATION",
    5: "OTHER",
}
FINISH_REASONS: Mapping[int, str] = {
    **_SHARED,
    6: "LANGUAGE",
    7: "BLOCKLIST",
    8: "PROHIBITED_CONTENT",
    9: "SPII",
    10: "MALFORMED_FUNCTION_CALL",
    11: "IMAGE_SAFETY",
    12: "UNEXPECTED_TOOL_CALL",
}
"""The Gemini API's numbers (google.ai.generativelanguage.v1beta)."""
VERTEX_FINISH_REASONS: Mapping[int, str] = {
    **_SHARED,
    6: "BLOCKLIST",
    7: "PROHIBITED_CONTENT",
    8: "SPII",
    9: "MALFORMED_FUNCTION_CALL",
    10: "MODEL_ARMOR",
    11: "IMAGE_SAFETY",
    12: "IMAGE_PROHIBITED_CONTENT",
    13: "IMAGE_RECITATION",
    14: "IMAGE_OTHER",
    15: "UNEXPECTED_TOOL_CALL",
    16: "NO_IMAGE",
}
"""Vertex's numbers for the same names (google.cloud.aiplatform.v1): other ones from 6 on."""
_BLOCKED: Mapping[int, str] = {
    0: "BLOCKED_REASON_UNSPECIFIED",
    1: "SAFETY",
    2: "OTHER",
    3: "BLOCKLIST",
    4: "PROHIBITED_CONTENT",
}
BLOCK_REASONS: Mapping[int, str] = {**_BLOCKED, 5: "IMAGE_SAFETY"}
VERTEX_BLOCK_REASONS: Mapping[int, str] = {**_BLOCKED, 5: "MODEL_ARMOR", 6: "JAILBREAK"}


def is_vertex(value: Mapping[str, Any], usage: Any) -> bool:
    """Say whether a chunk with ``usage`` is Vertex's: only Vertex tells when it was made and who pays for it."""
    return "createTime" in value or (is_object(usage) and usage.get("trafficType") is not None)


def enum_name(value: Any, names: Mapping[int, str]) -> str | None:
    """Return an enum's name, an unknown number as its digits; None for what is neither."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return names.get(value, str(value)[:20])
