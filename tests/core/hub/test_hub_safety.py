"""What strangers and careless clients do to a hub, over real sockets; afterwards it works, and they learned nothing."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trustme
from roundwatch.core.hub import Access, Hub, Identity, Limits, Role, ensure_token
from roundwatch.core.hub.tls import server_context
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidStatus

from tests.core.hub.peers import PATIENCE_S, dial, event, heard, heard_until, publish
from tests.core.hub.rough_clients import STOLEN, after_upgrade, closed, crowd, exchanged, request, status_of, upgrade

PATHS = ("/v1/rounds", "/v1/publish", "/healthz", "/metrics")
MAY = {
    Role.METRICS: {"/healthz", "/metrics"},
    Role.WATCH: {"/v1/rounds", "/healthz", "/metrics"},
    Role.PUBLISH: {"/v1/publish"},
    Role.ADMIN: set(PATHS),
}
OK = (101, 200)


def port_of(hub: Hub) -> int:
    return int(hub.url.rpartition(":")[2])


async def works(hub: Hub, producer: str = "after") -> bool:
    """Return whether the hub still takes, stores and acknowledges."""
    answers = await publish(hub, event(1, producer=producer))
    return answers == [{"v": 1, "type": "feed.ack", "id": f"{producer}:1"}]


async def answered(hub: Hub, path: str, token: str | None, *headers: str) -> int | None:
    """Return the status of an upgrade on the websocket paths, of a plain request on the others."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(hub))
    given = [f"Authorization: Bearer {token}"] if token else []
    writer.write(upgrade(path, token, *headers) if path.startswith("/v1") else request(path, *given, *headers))
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read(100)
    await closed(writer)
    return status_of(answer)


async def ended(link: ClientConnection) -> int | None:
    """Return the code that a hub closes a connection with."""
    async with asyncio.timeout(PATIENCE_S):
        await link.wait_closed()
    return link.close_code


@pytest.fixture
async def roles() -> AsyncIterator[Hub]:
    tokens = {f"token-of-{role}": Identity(role, frozenset((role,))) for role in Role}
    async with Hub(port=0, access=Access({ensure_token(): Identity("account")} | tokens)) as hub:
        yield hub


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("path", PATHS)
async def test_a_role_opens_its_own_paths_and_no_other(roles: Hub, role: Role, path: str) -> None:
    status = await answered(roles, path, f"token-of-{role}")
    assert (status in OK) if path in MAY[role] else (status == 403)


@pytest.mark.parametrize("path", PATHS)
async def test_nothing_is_open_without_a_token_or_to_a_foreign_page_or_name(hub: Hub, path: str) -> None:
    token = ensure_token()
    assert await answered(hub, path, None) == 401
    assert await answered(hub, path, token + "x") == 401
    assert await answered(hub, path, token, f"Authorization: Bearer {token}") == 401  # two of them
    assert await answered(hub, path, token, "Origin: https://evil.example") == 403
    assert await answered(hub, path, token, "Host: evil.example") == 400  # two of them
    given = f"Authorization: Bearer {token}"
    assert status_of(await exchanged(port_of(hub), request(path, given, host="evil.example"))) == 403
    assert await works(hub)


async def test_plain_http_to_a_hub_with_tls_gets_no_more_than_that_it_is_needed(tmp_path: Path) -> None:
    certificate = trustme.CA().issue_cert("localhost")
    file = tmp_path / "hub.pem"
    certificate.private_key_and_cert_chain_pem.write_to_path(str(file))
    async with Hub(port=0, tls=server_context(file)) as hub:
        answer = await exchanged(port_of(hub), request("/healthz", f"Authorization: Bearer {ensure_token()}"))
        assert b"status" not in answer
        assert status_of(answer) == 426


async def test_a_head_that_comes_byte_by_byte_is_cut_off_and_holds_up_nobody() -> None:
    async with Hub(port=0, limits=Limits(handshake_s=1.0)) as hub:
        whole = upgrade("/v1/rounds", ensure_token())

        async def drip() -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(hub))
            try:
                for byte in whole:
                    writer.write(bytes([byte]))
                    await asyncio.sleep(0.05)
                return await reader.read(100)
            except ConnectionError:
                return b""
            finally:
                await closed(writer)

        async with asyncio.timeout(PATIENCE_S):
            dripping = [asyncio.create_task(drip()) for _ in range(50)]
            await asyncio.sleep(0.2)
            assert await works(hub)
            assert set(await asyncio.gather(*dripping)) == {b""}


@pytest.mark.parametrize("head", [b"X-Long: " + b"x" * 40_000, b"X-Many: 1\r\n" * 4000, b"\x00" * 40_000])
async def test_a_head_above_the_limit_is_refused_at_once(hub: Hub, head: bytes) -> None:
    answer = await exchanged(port_of(hub), b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + head)
    assert status_of(answer) in (431, 400, None)
    assert b"roundwatch" not in answer
    assert await works(hub)


async def test_a_large_head_counts_as_such(hub: Hub) -> None:
    pieces = [b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", *[b"X-Many: 1\r\n" * 100] * 20]
    assert status_of(await exchanged(port_of(hub), *pieces)) in (431, None)  # the end may overtake the answer
    assert hub.counters.heads_too_large == 1


async def test_a_frame_that_says_it_is_a_gibibyte_is_refused_before_it_is_read(hub: Hub) -> None:
    head = b"\x81" + bytes([0x80 | 127]) + struct.pack(">Q", 2**30) + b"\0\0\0\0"
    _, frames = await after_upgrade(port_of(hub), upgrade("/v1/publish", ensure_token()), head)
    assert frames[:1] == b"\x88"
    assert struct.unpack(">H", frames[2:4]) == (1009,)
    assert await works(hub)


async def test_compression_is_not_agreed_to_and_a_compressed_frame_ends_the_connection(hub: Hub) -> None:
    offered = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    bomb = b"\xc1\x85" + b"\0\0\0\0" + b"\xaa\x56\x4a\x01\x00"  # RSV1 set: "this is deflated"
    head, frames = await after_upgrade(port_of(hub), upgrade("/v1/publish", ensure_token(), offered), bomb)
    assert status_of(head) == 101
    assert b"permessage" not in head
    assert struct.unpack(">H", frames[2:4]) == (1002,)
    assert await works(hub)


async def test_one_connection_too_many_is_answered_before_it_is_a_websocket() -> None:
    access = Access({ensure_token(): Identity("account"), "token-of-b": Identity("b")})
    limits = Limits(connections=3, per_identity=2)
    async with (
        Hub(port=0, access=access, limits=limits) as hub,
        dial(hub, "/v1/rounds"),
        dial(hub, "/v1/publish"),
    ):
        assert await answered(hub, "/v1/rounds", ensure_token()) == 429
        async with dial(hub, "/v1/rounds", additional_headers={"Authorization": "Bearer token-of-b"}):
            with pytest.raises(InvalidStatus) as caught:
                async with dial(hub, "/v1/rounds", additional_headers={"Authorization": "Bearer token-of-b"}):
                    pass
            assert caught.value.response.status_code == 503
            assert caught.value.response.headers["Retry-After"]
            assert await answered(hub, "/healthz", ensure_token()) == 200  # whoever looks after it is let in
    assert hub.counters.refused_full == 2


async def test_one_address_cannot_take_all_connections() -> None:
    async with Hub(port=0, limits=Limits(per_address=1)) as hub, dial(hub, "/v1/rounds"):
        assert await answered(hub, "/v1/publish", ensure_token()) == 429


async def test_a_connection_for_too_many_producers_is_ended() -> None:
    async with Hub(port=0, limits=Limits(producers=2)) as hub, dial(hub, "/v1/publish") as link:
        await link.send(json.dumps([event(1, producer=name) for name in ("a", "b", "c")]))
        assert await ended(link) == 1008
        assert await works(hub)


async def test_a_withdrawn_token_ends_its_connections_and_only_these(hub: Hub) -> None:
    token = ensure_token()
    kept, withdrawn = {token: Identity("account")}, {"token-of-b": Identity("b")}
    hub.change_access(Access(kept | withdrawn))
    async with (
        dial(hub, "/v1/rounds") as ours,
        dial(hub, "/v1/rounds", additional_headers={"Authorization": "Bearer token-of-b"}) as theirs,
    ):
        await heard(ours)
        await heard(theirs)
        assert hub.change_access(Access(kept)) == 1
        assert await ended(theirs) == 1008
        assert await answered(hub, "/v1/rounds", "token-of-b") == 401
        assert await works(hub)
        assert (await heard_until(ours, "round.output"))[-1]["id"] == "after:1"


async def test_a_crowd_leaves_nothing_behind_and_learns_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "roundwatch.core.hub.quiet")
    token = ensure_token()
    async with Hub(tmp_path / "s.db", port=0) as hub:
        assert await works(hub, "warm")
        files = open_files()
        async with asyncio.timeout(240):
            seen = await crowd(port_of(hub), token, connects=1000, at_once=200)
            assert sum(seen.values()) == 1000
            assert seen["url 400"] > 100
            assert seen["watcher 101"] > 50
            assert not any(kind.startswith(("url", "no token")) and kind.split()[-1] in ("101", "200") for kind in seen)
            while hub.counters.watchers or hub.counters.publishers:  # noqa: ASYNC110 - told by counters only
                await asyncio.sleep(0.02)
            while open_files() > files:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        gc.collect()
        assert sum(issubclass(type(each), ServerConnection) for each in gc.get_objects()) <= 1
        assert await works(hub)
        given = f"Authorization: Bearer {token}"
        told = [await exchanged(port_of(hub), request(path, given)) for path in ("/metrics", "/healthz")]
        told.append(await exchanged(port_of(hub), upgrade(f"/v1/rounds?token={STOLEN}", None)))
    logged = [
        record.getMessage() + str(record.exc_info or "") for record in caplog.records if "roundwatch" in record.name
    ]
    assert len(logged) < 200  # strangers do not decide how much is logged
    title = own_title()
    for secret in (token, STOLEN):
        assert not any(secret in line for line in logged)
        assert not any(secret.encode() in answer for answer in told)
        assert secret.encode() not in title


def own_title() -> bytes:
    """Return how this process is listed; empty where the system does not say."""
    file = Path("/proc/self/cmdline")
    return file.read_bytes() if file.exists() else b""


def open_files() -> int:
    """Return how many descriptors this process has open; 0 where the system does not say."""
    folder = Path("/proc/self/fd")
    return len(os.listdir(folder)) if folder.exists() else 0
