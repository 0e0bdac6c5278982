from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.soak.soak_killed_hub import run


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
async def test_a_hub_that_is_killed_ten_times_loses_nothing_and_stores_nothing_twice(tmp_path: Path) -> None:
    outcome = await run(tmp_path, kills=10)
    assert outcome.faults == []
    assert outcome.stored == outcome.sent > 0
