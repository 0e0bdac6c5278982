from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from roundwatch.core.hub import Hub, RedisStore, Selection, StoreError
from roundwatch.core.hub.redis_read import redis_events

from tests.core.hub.peers import event, publish
from tests.core.hub.redis_process import RedisProcess, free_port


@pytest.fixture
def redis(tmp_path: Path, require_program: Callable[[str], str]) -> Iterator[RedisProcess]:
    require_program("redis-server")
    server = RedisProcess(tmp_path / "redis")
    server.start()
    yield server
    server.kill()


async def test_all_is_read_in_order_and_a_selection_of_it(redis: RedisProcess) -> None:
    async with Hub(RedisStore(redis.url), port=0) as hub:
        await publish(hub, *(event(n, round=f"r{n % 2}") for n in range(1, 151)))
    assert [each.seq for each in redis_events(redis.url)] == list(range(1, 151))
    odd = list(redis_events(redis.url, Selection(frozenset({"r1"}))))
    assert [each.seq for each in odd] == list(range(1, 151, 2))
    assert b'"t1"' in odd[0].line


def test_a_server_without_a_history_and_one_that_is_not_there_are_told(redis: RedisProcess) -> None:
    with pytest.raises(StoreError, match="keeps no history"):
        list(redis_events(redis.url))
    with pytest.raises(StoreError, match="does not answer"):
        list(redis_events(f"redis://user:s3cret@127.0.0.1:{free_port()}/0"))
