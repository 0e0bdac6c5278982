from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.soak.soak_stuck_watcher import run


@pytest.mark.skipif(sys.platform != "linux", reason="reads the hub's memory from /proc")
async def test_watchers_that_stop_reading_cost_a_bounded_amount_and_the_others_get_everything(tmp_path: Path) -> None:
    outcome = await run(tmp_path, stuck=5, seconds=4)
    assert outcome.faults == []
    assert outcome.received > 0
