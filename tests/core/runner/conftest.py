from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.runner.stand import Stand

SPEED = 50.0


@pytest.fixture
async def stand() -> AsyncIterator[Stand]:
    async with ScriptedProvider({}, speed=SPEED) as provider:
        yield Stand(provider)
