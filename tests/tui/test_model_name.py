from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from roundwatch.tui.model_name import short_model


@pytest.mark.parametrize(
    ("name", "cells", "shown"),
    [
        ("claude-sonnet-5", 15, "claude-sonnet-5"),
        ("claude-sonnet-5", 12, "…sonnet-5"),
        ("claude-sonnet-4-5-20250929", 20, "claude-sonnet-4-5…"),
        ("claude-sonnet-4-5-20250929", 14, "…sonnet-4-5…"),
        ("gpt-5-mini-2025-08-07", 12, "gpt-5-mini…"),
        ("openai/gpt-5-mini", 12, "…gpt-5-mini"),
        ("anthropic.claude-opus-5-20260101-v1:0", 16, "…claude-opus-5…"),
        ("models/gemini-3-pro-preview", 20, "…3-pro-preview"),
        ("claude-sonnet-4-6", 8, "…net-4-6"),
        ("averyveryverylongname", 8, "averyve…"),
    ],
)
def test_a_long_name_keeps_what_tells_it_from_its_siblings(name: str, cells: int, shown: str) -> None:
    assert short_model(name, cells) == shown


@given(st.text(max_size=60), st.integers(1, 40))
def test_no_name_is_wider_than_its_column(name: str, cells: int) -> None:
    assert cell_len(short_model(name, cells)) <= cells
