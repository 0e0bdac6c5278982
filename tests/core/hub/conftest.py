from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from roundwatch.core.hub import Hub


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
async def hub() -> AsyncIterator[Hub]:
    async with Hub(port=0) as running:
        yield running
