"""What only a Redis store has: a server that dies, keeps less than was acknowledged, or is shared by several hubs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from roundwatch.core.hub import (
    Access,
    Hub,
    Limits,
    Live,
    Promise,
    Publisher,
    Received,
    StoreError,
    StoreUnavailable,
    watch,
)
from roundwatch.core.hub.redis_store import RedisStore
from roundwatch.core.hub.store import Fate, Producer, StoredEvent, StoreListener, Submission
from roundwatch.core.hub.store_health import WELL, Writing

from tests.core.hub.peers import dial, event, heard
from tests.core.hub.redis_process import RedisProcess
from tests.core.hub.store_kinds import Heard, fates, one, wires

PATIENCE_S = 30


@pytest.fixture
def make_server(tmp_path: Path, require_program: Callable[[str], str]) -> Iterator[Callable[..., RedisProcess]]:
    require_program("redis-server")
    made: list[RedisProcess] = []

    def make(**settings: str) -> RedisProcess:
        server = RedisProcess(tmp_path / f"redis{len(made)}", **settings)
        server.start()
        made.append(server)
        return server

    yield make
    for server in made:
        server.kill()


MakeServer = Callable[..., RedisProcess]


async def opened(server: RedisProcess, heard: Heard | None = None) -> RedisStore:
    store = RedisStore(server.url)
    await store.open((heard or Heard()).listener())
    return store


async def well_again(store: RedisStore) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while store.health != WELL:  # noqa: ASYNC110 - nobody appends meanwhile
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("fsync", "promise"),
    [("always", Promise.POWER_CUT), ("everysec", Promise.POWER_CUT_BUT_A_SECOND), ("no", Promise.HUB_END)],
)
async def test_what_an_acknowledgement_promises_is_what_the_server_is_set_to(
    make_server: MakeServer, fsync: str, promise: Promise
) -> None:
    store = await opened(make_server(appendfsync=fsync))
    assert store.promise is promise
    await store.close()


async def test_a_server_that_keeps_nothing_is_refused_unless_that_is_wanted(make_server: MakeServer) -> None:
    server = make_server(appendonly="no")
    with pytest.raises(StoreError, match="--allow-volatile"):
        await opened(server)
    store = RedisStore(server.url, allow_volatile=True)
    await store.open(Heard().listener())
    assert store.promise is Promise.NOTHING
    assert await fates(store, one(1)) == [(Fate.STORED, 1, 1)]
    await store.close()


async def test_a_server_that_may_evict_keys_keeps_nothing(make_server: MakeServer) -> None:
    server = make_server()
    with server.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
    with pytest.raises(StoreError, match="evict"):
        await opened(server)


async def test_nobody_there_is_said_with_the_address_and_without_the_password() -> None:
    store = RedisStore("redis://me:sesame@127.0.0.1:1/3?socket_connect_timeout=1")
    assert store.place == "redis://127.0.0.1:1/3"
    with pytest.raises(StoreError, match=r"redis://127\.0\.0\.1:1/3") as refused:
        await store.open(Heard().listener())
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://x", "redis://", "redis:///0", "redis://h:port", "rounds.sqlite3", "unix://"])
def test_what_is_no_redis_address_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="no Redis address"):
        RedisStore(url)


async def test_a_wrong_password_is_said_and_not_repeated(make_server: MakeServer) -> None:
    server = make_server()
    with server.client() as client:
        client.config_set("requirepass", "sesame")
    for url in (server.url, server.url.replace("//", "//:wrongpass@"), server.url.replace("//", "//me:wrongpass@")):
        with pytest.raises(StoreError, match="wrong password") as refused:
            await RedisStore(url).open(Heard().listener())
        assert (refused.value.code, "wrongpass" in str(refused.value)) == ("redis_login", False)
    store = RedisStore(server.url.replace("//", "//:sesame@"))
    await store.open(Heard().listener())
    await store.close()


async def test_a_history_of_a_newer_version_is_refused_and_left_alone(make_server: MakeServer) -> None:
    server = make_server()
    with server.client() as client:
        client.hset("{roundwatch}:meta", mapping={"schema": "2", "stream": "s", "last": "5"})
    with pytest.raises(StoreError, match="newer"):
        await opened(server)
    with server.client() as client:
        assert client.hgetall("{roundwatch}:meta") == {b"schema": b"2", b"stream": b"s", b"last": b"5"}


async def test_a_killed_server_that_flushes_every_write_goes_on_where_it_was(make_server: MakeServer) -> None:
    server, heard = make_server(), Heard()
    store = await opened(server, heard)
    stream = store.stream
    await store.append([one(n) for n in range(1, 51)])
    await asyncio.to_thread(server.kill)
    with pytest.raises(StoreUnavailable):
        await store.append([one(51)])
    assert store.health.writing is Writing.FAILING
    await asyncio.to_thread(server.start)
    await well_again(store)
    assert await fates(store, one(51), one(50)) == [(Fate.STORED, 51, 51), (Fate.DUPLICATE, 51, None)]
    assert (store.stream, heard.restarts, heard.seqs) == (stream, 0, list(range(1, 52)))
    await store.close()


async def test_a_killed_server_that_may_have_lost_a_second_begins_another_stream(make_server: MakeServer) -> None:
    server, heard = make_server(appendfsync="everysec"), Heard()
    store = await opened(server, heard)
    stream = store.stream
    await store.append([one(1), one(2)])
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    async with asyncio.timeout(PATIENCE_S):
        while not heard.restarts:  # noqa: ASYNC110 - found out in its own time
            await asyncio.sleep(0.05)
    await well_again(store)
    assert store.stream != stream
    last = store.last
    assert [fate for fate, _, _ in await fates(store, one(last + 1))] == [Fate.STORED]
    await store.close()
    again = await opened(server)
    assert again.stream == store.stream
    await again.close()


async def test_a_history_that_somebody_emptied_is_another_one(make_server: MakeServer) -> None:
    server, heard = make_server(), Heard()
    store = await opened(server, heard)
    stream = store.stream
    await store.append([one(1), one(2)])
    with server.client() as client:
        client.flushall()
    with pytest.raises(StoreUnavailable):
        await store.append([one(3)])
    await well_again(store)
    assert (store.stream != stream, heard.restarts, store.last) == (True, 1, 0)
    assert await fates(store, one(1)) == [(Fate.STORED, 1, 1)]
    await store.close()


async def test_numbers_beyond_what_lua_counts_exactly_are_kept_exactly(make_server: MakeServer) -> None:
    server = make_server()
    store = await opened(server)
    await store.append([one(1)])
    near = 2**63 - 3
    with server.client() as client:
        client.hset("{roundwatch}:settled", "p", str(near))
    assert await fates(store, one(near + 2), one(near), one(near + 1), one(near + 2)) == [
        (Fate.GAP, near, None),
        (Fate.DUPLICATE, near, None),
        (Fate.STORED, near + 1, 2),
        (Fate.STORED, near + 2, 3),
    ]
    assert await store.producer("p") == Producer("me", near + 2)
    await store.close()


async def test_texts_that_look_like_anything_are_texts(make_server: MakeServer) -> None:
    heard = Heard()
    store = await opened(make_server(), heard)
    line = '{"id":"p:1","text":"\\u0000 %s KEYS[1] \' \\" ä"}'
    odd = "r\x00\n%d'"
    await store.append([Submission("me", "p", 1, line, round=odd, thread="t:1")])
    page = await store.read(0)
    assert json.loads(page.wires[0]) == {"seq": 1, **json.loads(line)}
    assert [(event.round, event.thread, event.line.decode()) for event in heard.events] == [(odd, "t:1", line)]
    await store.close()


async def test_a_watcher_goes_on_at_another_hub_of_the_same_store(make_server: MakeServer) -> None:
    server = make_server()

    def hub() -> Hub:
        return Hub(RedisStore(server.url), port=0, access=Access.anyone())

    async with hub() as other:
        async with hub() as mine:
            async with Publisher(mine.url, producer="p") as publisher:
                for number in range(10):
                    await publisher.publish({"type": "round.started", "round": f"r{number}"})
            seen = await _seen(mine, "begin")
        assert [round_ for _, round_ in seen] == [f"r{number}" for number in range(10)]
        async with Publisher(other.url, producer="q") as publisher:
            await publisher.publish({"type": "round.started", "round": "late"})
        later = await _seen(other, f"{stream_of(other)}:{seen[4][0]}")
    assert [round_ for _, round_ in later] == [*(f"r{number}" for number in range(5, 10)), "late"]


def stream_of(hub: Hub) -> str:
    return hub._store.stream  # pyright: ignore[reportPrivateUsage]


async def _seen(hub: Hub, after: str) -> list[tuple[int, str | None]]:
    found: list[tuple[int, str | None]] = []
    async with asyncio.timeout(PATIENCE_S), watch(hub.url, after=after) as feed:
        async for item in feed:
            if isinstance(item, Received):
                found.append((item.seq, getattr(item.event, "round", None)))
            elif isinstance(item, Live):
                return found
    return found


async def test_two_hubs_number_what_comes_at_once_without_a_hole(make_server: MakeServer) -> None:
    server = make_server()
    here, there = Heard(), Heard()
    mine, theirs = await opened(server, here), await opened(server, there)
    await asyncio.gather(
        *(
            store.append([one(n, f"{name}{part}") for n in range(1, 41)])
            for part in range(10)
            for name, store in (("a", mine), ("b", theirs))
        )
    )
    assert len(await wires(mine)) == 800
    async with asyncio.timeout(PATIENCE_S):
        while min(len(here.seqs), len(there.seqs)) < 800:  # noqa: ASYNC110 - what the other stored comes in its time
            await asyncio.sleep(0.02)
    assert here.seqs == there.seqs == list(range(1, 801))
    await mine.close()
    await theirs.close()


async def test_a_user_who_may_not_is_told_so_and_nobody_waits_for_the_server_to_answer(make_server: MakeServer) -> None:
    server = make_server()
    with server.client() as client:
        client.execute_command("ACL", "SETUSER", "weak", "on", ">sesame", "~*", "+@connection", "+info")
    with pytest.raises(StoreError, match="allow this user") as refused:
        await RedisStore(server.url.replace("//", "//weak:sesame@")).open(Heard().listener())
    assert (refused.value.code, "sesame" in str(refused.value)) == ("redis_fault", False)


async def test_a_password_that_is_changed_while_a_hub_runs_is_said(make_server: MakeServer) -> None:
    server = make_server()
    store = await opened(server)
    with server.client() as client:
        client.config_set("requirepass", "sesame")
        client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    with pytest.raises(StoreUnavailable):  # its connection is gone
        await store.append([one(1)])
    with pytest.raises(StoreUnavailable, match=r"^the store redis://127\S+ refuses the login: wrong password"):
        await store.append([one(1)])
    assert "wrong password" in (store.health.why or "")
    await store.close()


async def test_a_fault_of_telling_watchers_keeps_no_publisher_waiting(
    make_server: MakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: object) -> None:
        raise LookupError("a fault of ours")

    store = RedisStore(make_server().url)
    await store.open(StoreListener(committed=fails))
    async with asyncio.timeout(PATIENCE_S):
        assert await fates(store, one(1), one(2)) == [(Fate.STORED, 1, 1), (Fate.STORED, 2, 2)]
        assert await fates(store, one(3)) == [(Fate.STORED, 3, 3)]
    assert store.last == 3
    assert "watchers were not told of events up to 2" in caplog.text
    await store.close()


async def test_a_hub_ends_although_its_server_stands_still_and_publishers_wait(make_server: MakeServer) -> None:
    server = make_server()
    hub = Hub(RedisStore(server.url), port=0, access=Access.anyone(), limits=Limits(drain_s=0.2))
    await hub.start()
    async with dial(hub, "/v1/publish") as link:
        await link.send(json.dumps(event(1)))
        await heard(link)
        server.freeze()
        for n in range(2, 100):  # more frames than wait for their commits
            await link.send(json.dumps(event(n)))
        await asyncio.sleep(0.2)
        async with asyncio.timeout(2 * PATIENCE_S):
            await hub.stop()
    server.thaw()


async def test_a_client_that_keeps_a_cancellation_to_itself_does_not_keep_the_store_open(
    make_server: MakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await opened(make_server())
    calls = store._calls  # pyright: ignore[reportPrivateUsage]
    really = calls.news

    async def deaf(after: int) -> list[StoredEvent]:
        try:
            return await really(after)
        except asyncio.CancelledError:
            return []

    monkeypatch.setattr(calls, "news", deaf)
    await store.append([one(1)])  # from now on it waits in the deaf one
    async with asyncio.timeout(PATIENCE_S):
        await store.close()
