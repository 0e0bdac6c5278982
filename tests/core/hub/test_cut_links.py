from __future__ import annotations

import sys
from pathlib import Path

import pytest
from roundwatch.core.hub import backoff

from tests.soak.relay import Fault
from tests.soak.soak_cut_links import run


@pytest.mark.skipif(sys.platform == "win32", reason="needs processes that SIGTERM ends in good order")
async def test_links_that_break_at_fifty_random_bytes_lose_nothing_and_store_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backoff, "CAP_S", 0.5)
    outcome = await run(tmp_path, cuts=50)
    assert outcome.faults == []
    assert outcome.sent > 0
    assert all(outcome.cuts[fault] for fault in Fault)
