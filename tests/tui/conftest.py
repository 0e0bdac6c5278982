"""Everything that could make two runs of the screen differ is pinned, as users of the snapshot kit have it pinned."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _pinned(roundwatch_pinned: None) -> None:  # pyright: ignore[reportUnusedFunction]
    """Size and clock come from the stage, the rest from the kit."""
