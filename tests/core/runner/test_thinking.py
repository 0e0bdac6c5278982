from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from roundwatch.core.policies import ThinkingMode, ThinkingRow
from roundwatch.core.rounds.events import RoundWarning
from roundwatch.core.runner import Rules, ThinkingSetting
from roundwatch.core.runner.script import Counts, Finish, Reply, Text, ToolUse

from tests.core.runner.stand import Stand

ANSWER = Reply((Text("It lies east."), Finish("end_turn")), Counts(10, 4))
EXTENDED = ThinkingSetting(ThinkingMode.EXTENDED, ThinkingRow.BUDGETED)


async def warned(stand: Stand, setting: ThinkingSetting, cap: int, model: str = "claude") -> list[tuple[str, Any]]:
    stand.settings = replace(stand.settings, rules=Rules(thinking={model: setting}))
    stand.models = [replace(each, max_output_tokens=cap) for each in stand.models]
    asks = Reply((ToolUse("gone", "{}"), Finish("tool_use" if model == "claude" else "tool_calls")), Counts(1, 1))
    end = ANSWER if model == "claude" else Reply((Text("It lies east."), Finish("stop")), Counts(10, 4))
    assert (await stand.run([asks, end], model=model)).is_answer
    return [(event.code, event.facts) for event in stand.only(RoundWarning)]


@pytest.mark.parametrize(
    ("setting", "cap", "expected"),
    [
        (EXTENDED, 4096, [("thinking_budget_clamped", {"from": 16_000, "to": 4_095})]),
        (EXTENDED, 1024, [("thinking_budget_impossible", {"max_tokens": 1024})]),
        (EXTENDED, 64_000, []),
        (
            ThinkingSetting(ThinkingMode.EXTENDED, ThinkingRow.ADAPTIVE), 4096,
            [("thinking_dialect_translated", {"from": "EXTENDED", "to": "ADAPTIVE"})],
        ),
    ],
)  # fmt: skip
async def test_what_is_odd_about_a_setting_is_told_once(
    stand: Stand, setting: ThinkingSetting, cap: int, expected: list[tuple[str, Any]]
) -> None:
    assert await warned(stand, setting, cap) == expected


async def test_a_wire_without_a_thinking_part_has_nothing_to_find(stand: Stand) -> None:
    assert await warned(stand, EXTENDED, 4096, "gpt") == []
