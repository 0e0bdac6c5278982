"""Real processes that are killed: Redis, one hub of two, a publisher. The full numbers are those of the soak."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from roundwatch.core.hub import backoff

from tests.soak import soak_killed_publisher, soak_killed_redis, soak_two_hubs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "CAP_S", 0.5)


async def test_a_redis_that_flushes_every_write_loses_nothing_when_it_is_killed(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    require_program("redis-server")
    outcome = await soak_killed_redis.run(tmp_path, 3, "always")
    assert outcome.faults == []
    assert outcome.stored == outcome.sent > 0
    assert (outcome.streams, outcome.told_losses) == (1, 0)


async def test_a_redis_that_flushes_every_second_takes_a_new_stream_and_the_loss_is_said(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    require_program("redis-server")
    outcome = await soak_killed_redis.run(tmp_path, 3, "everysec")
    assert outcome.faults == []
    assert outcome.sent > 0
    assert outcome.streams > 1
    assert outcome.told_losses == outcome.streams - 1


async def test_of_two_hubs_one_is_killed_and_everybody_goes_on_at_the_other(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    require_program("redis-server")
    outcome = await soak_two_hubs.run(tmp_path, kills=4, rate=200)
    assert outcome.faults == []
    assert outcome.sent > 0


async def test_a_publisher_that_is_killed_finds_what_it_had_taken_in_its_spool(tmp_path: Path) -> None:
    outcome = await soak_killed_publisher.run(tmp_path, kills=4)
    assert outcome.faults == []
    assert outcome.stored > 0
