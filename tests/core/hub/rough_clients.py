"""Clients that a hub has to survive: each connects over a real socket, misbehaves in its own way, and is gone."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable

STOLEN = "a-token-that-somebody-put-where-it-does-not-belong"
PATIENCE_S = 60.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def request(path: str, *headers: str, host: str = "localhost") -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def upgrade(path: str, token: str | None, *headers: str) -> bytes:
    offered = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: roundwatch.v1",
    ]  # fmt: skip
    return request(path, *offered, *([f"Authorization: Bearer {token}"] if token else []), *headers)


def status_of(answer: bytes) -> int | None:
    """Return the HTTP status in an answer, or None where there is none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[0].startswith(b"HTTP/") else None


async def after_upgrade(port: int, opening: bytes, *said: bytes) -> tuple[bytes, bytes]:
    """Open a websocket, then say this, whatever it is; return the head of the answer, and all that followed it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write(opening)
            head = await reader.readuntil(b"\r\n\r\n")
            for piece in said:
                writer.write(piece)
            return head, await _rest(reader)
    finally:
        await closed(writer)


async def exchanged(port: int, *said: bytes) -> bytes:
    """Say this, and return all that comes back until the other end closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(ConnectionError):
                for piece in said:
                    writer.write(piece)
                    await writer.drain()
            return await _rest(reader)
    finally:
        await closed(writer)


async def _rest(reader: asyncio.StreamReader) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(65536):
            found += piece
    return found


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


async def _noise(port: int, rng: random.Random, token: str) -> str:
    await exchanged(port, rng.randbytes(rng.randrange(1, 3000)) + b"\r\n\r\n")
    return "noise"


async def _half_a_request(port: int, rng: random.Random, token: str) -> str:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    whole = upgrade("/v1/rounds", token)
    writer.write(whole[: rng.randrange(1, len(whole) - 4)])
    await closed(writer)
    return "half"


async def _gone_at_once(port: int, rng: random.Random, token: str) -> str:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.transport.abort()
    return "gone"


async def _token_in_url(port: int, rng: random.Random, token: str) -> str:
    return f"url {status_of(await exchanged(port, upgrade(f'/v1/rounds?token={STOLEN}', None)))}"


async def _no_token(port: int, rng: random.Random, token: str) -> str:
    path = rng.choice(["/v1/rounds", "/v1/publish", "/metrics", "/healthz"])
    return f"no token {status_of(await exchanged(port, upgrade(path, None)))}"


async def _leaves_as_watcher(port: int, rng: random.Random, token: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(upgrade("/v1/rounds", token))
    answer = await reader.read(500)
    writer.transport.abort()
    return f"watcher {status_of(answer)}"


async def _publishes_noise(port: int, rng: random.Random, token: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(upgrade("/v1/publish", token))
    answer = await reader.read(500)
    writer.write(rng.randbytes(rng.randrange(1, 500)))
    await closed(writer)
    return f"publisher {status_of(answer)}"


ROUGH: tuple[Callable[[int, random.Random, str], Awaitable[str]], ...] = (
    _noise, _half_a_request, _gone_at_once, _token_in_url, _no_token, _leaves_as_watcher, _publishes_noise,
)  # fmt: skip


async def crowd(port: int, token: str, *, connects: int, at_once: int, seed: int = 7) -> Counter[str]:
    """Connect so often, so many at a time, and return how often each thing happened."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    left = iter(range(connects))

    async def one() -> None:
        for number in left:
            rough = ROUGH[number % len(ROUGH)]
            try:
                seen[await rough(port, rng, token)] += 1
            except ConnectionError:  # cut while it was talking
                seen["cut"] += 1

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(one())
    return seen
