"""What a Redis server says of itself: which run of it this is, and what an acknowledged write of it survives."""

from __future__ import annotations

from dataclasses import dataclass

from redis.exceptions import ResponseError

from .errors import StoreError
from .redis_link import Commands
from .store_health import Promise

FSYNC_PROMISES = {"always": Promise.POWER_CUT, "everysec": Promise.POWER_CUT_BUT_A_SECOND, "no": Promise.HUB_END}
EVICTING = "allkeys-"
"""Begins the names of the policies by which Redis may throw any key away when its memory is full."""


@dataclass(frozen=True, slots=True)
class RedisServer:
    """One run of a server."""

    run: str
    """Changes at every start of it."""
    version: str
    promise: Promise


async def meet(redis: Commands) -> RedisServer:
    """Return what the server says.

    Raises:
        redis.RedisError: it does not answer.
    """
    about = await redis.execute_command("INFO", "server")
    persistence = await redis.execute_command("INFO", "persistence")
    promise = Promise.NOTHING
    if int(persistence.get("aof_enabled", 0)) == 1 and not await _evicts(redis):
        promise = FSYNC_PROMISES.get(await _setting(redis, "appendfsync") or "", Promise.HUB_END)
    return RedisServer(str(about["run_id"]), str(about["redis_version"]), promise)


def refuse_volatile(server: RedisServer, place: str) -> None:
    """Refuse a server that keeps nothing.

    Raises:
        StoreError: what is acknowledged would be lost with the server.
    """
    if server.promise is Promise.NOTHING:
        raise StoreError(
            f"{place} keeps nothing: it runs with 'appendonly no', or may evict keys; set 'appendonly yes' and "
            "'maxmemory-policy noeviction', or say --allow-volatile to accept the loss",
            code="redis_volatile",
            place=place,
        )


async def _evicts(redis: Commands) -> bool:
    return (await _setting(redis, "maxmemory-policy") or "").startswith(EVICTING)


async def _setting(redis: Commands, name: str) -> str | None:
    """Return a setting, or None where the server will not say: hosted ones forbid the question."""
    try:
        found = await redis.execute_command("CONFIG GET", name)
    except ResponseError:
        return None
    value = found.get(name)
    return None if value is None else str(value)
