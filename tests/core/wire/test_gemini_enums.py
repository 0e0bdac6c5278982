from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.rounds import StopReason, stop_reason
from roundwatch.core.wire.gemini_enums import (
    BLOCK_REASONS,
    FINISH_REASONS,
    VERTEX_BLOCK_REASONS,
    VERTEX_FINISH_REASONS,
    enum_name,
    is_vertex,
)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("STOP", "STOP"),
        (1, "STOP"),
        (2, "MAX_TOKENS"),
        (999, "999"),
        (True, None),
        (None, None),
        (1.0, None),
        ([], None),
    ],
)
def test_an_enum_is_its_name_and_an_unknown_number_its_digits(value: Any, name: str | None) -> None:
    assert enum_name(value, FINISH_REASONS) == name


def test_the_two_apis_number_the_same_names_differently() -> None:
    assert (enum_name(9, FINISH_REASONS), enum_name(9, VERTEX_FINISH_REASONS)) == ("SPII", "MALFORMED_FUNCTION_CALL")
    assert (enum_name(5, BLOCK_REASONS), enum_name(5, VERTEX_BLOCK_REASONS)) == ("IMAGE_SAFETY", "MODEL_ARMOR")


@pytest.mark.parametrize(
    ("chunk", "vertex"),
    [
        ({"createTime": "2026-01-01T00:00:00Z"}, True),
        ({"usageMetadata": {"trafficType": 1}}, True),
        ({"usageMetadata": {"promptTokenCount": 1}, "responseId": "x"}, False),
        ({"usageMetadata": None}, False),
    ],
)
def test_vertex_is_known_by_what_only_it_tells(chunk: dict[str, Any], vertex: bool) -> None:
    assert is_vertex(chunk, chunk.get("usageMetadata")) is vertex


@pytest.mark.parametrize("reason", sorted({*BLOCK_REASONS.values(), *VERTEX_BLOCK_REASONS.values()}))
def test_every_block_reason_means_filtered(reason: str) -> None:
    assert stop_reason(None, reason) is StopReason.FILTERED
