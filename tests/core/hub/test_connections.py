from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from pathlib import Path

import pytest
import trustme
from roundwatch.core.feeds.loops import loop_factory
from roundwatch.core.hub import Access, Hub, Limits
from roundwatch.core.hub.tls import client_context, server_context

from tests.core.hub.peers import PATIENCE_S
from tests.core.hub.rough_clients import closed, exchanged, request, status_of

EVER = 3600.0
"""Longer than any test waits: what ends before was ended by something else."""


@pytest.fixture
def handshakes(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let a few sockets that have not said who they are be all that there may be; return how many."""
    monkeypatch.setattr("roundwatch.core.hub.door.HANDSHAKES", 20)
    return 20


def port_of(hub: Hub) -> int:
    return int(hub.url.rpartition(":")[2])


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path) -> Path:
    authority.cert_pem.write_to_path(tmp_path / "trusted.pem")
    return tmp_path / "trusted.pem"


async def is_ended(reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await reader.read() == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("turns", range(5))
async def test_a_socket_is_closed_by_a_stop_however_lately_it_came(turns: int) -> None:
    async with Hub(port=0) as hub:
        with socket.create_connection(("127.0.0.1", port_of(hub))) as late:
            for _ in range(turns):  # of the loop, which accepts it in one of them and begins with it in another
                await asyncio.sleep(0)
            await hub.stop()
            gc.collect()  # a socket that nobody closed would warn here
            late.settimeout(PATIENCE_S)
            with contextlib.suppress(ConnectionResetError):
                assert late.recv(1) == b""


async def test_a_stop_does_not_wait_for_handshakes_that_never_end(files: tuple[Path, Path]) -> None:
    async with Hub(port=0, tls=server_context(*files), limits=Limits(handshake_s=EVER)) as hub:
        silent, half = [await asyncio.open_connection("127.0.0.1", port_of(hub)) for _ in range(2)]
        half[1].write(b"\x16\x03\x01")
        async with asyncio.timeout(PATIENCE_S):
            await hub.stop()
        for reader, writer in (silent, half):
            assert await is_ended(reader)
            await closed(writer)


async def test_sockets_in_a_tls_handshake_are_counted(files: tuple[Path, Path], handshakes: int) -> None:
    limits = Limits(connections=1, handshake_s=EVER)
    async with Hub(port=0, tls=server_context(*files), limits=limits) as hub:
        room = limits.connections + handshakes
        sockets = [await asyncio.open_connection("127.0.0.1", port_of(hub)) for _ in range(room + 1)]
        async with asyncio.timeout(PATIENCE_S):
            ends = [asyncio.create_task(is_ended(reader)) for reader, _ in sockets]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        assert hub.counters.turned_away == 1
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        for _, writer in sockets:
            await closed(writer)


async def test_a_client_with_tls_is_told_by_a_hub_without() -> None:
    async with Hub(port=0) as hub:
        answer = await exchanged(port_of(hub), b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    assert status_of(answer) == 400
    assert b"ws://" in answer


async def test_a_request_that_comes_with_the_end_of_the_handshake_is_read(
    files: tuple[Path, Path], trusted: Path
) -> None:
    async with Hub(port=0, access=Access.anyone(), tls=server_context(*files)) as hub:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port_of(hub), ssl=client_context(trusted), server_hostname="localhost"
        )
        writer.write(request("/healthz"))
        async with asyncio.timeout(PATIENCE_S):
            assert status_of(await reader.read()) == 200
        await closed(writer)


async def test_a_client_that_leaves_in_its_handshake_is_forgotten(files: tuple[Path, Path], handshakes: int) -> None:
    limits = Limits(connections=1, handshake_s=EVER)
    async with Hub(port=0, tls=server_context(*files), limits=limits) as hub:
        for _ in range(limits.connections + handshakes + 10):
            _, writer = await asyncio.open_connection("127.0.0.1", port_of(hub))
            writer.write(b"\x16garbage")
            await closed(writer)
        async with asyncio.timeout(PATIENCE_S):
            while status_of(await exchanged(port_of(hub), request("/healthz"))) != 426:
                pass


def test_a_hub_speaks_tls_in_uvloop_too(files: tuple[Path, Path], trusted: Path) -> None:
    factory = loop_factory()
    assert factory is not None

    async def run() -> None:
        assert type(asyncio.get_running_loop()).__module__.startswith("uvloop")
        await test_a_request_that_comes_with_the_end_of_the_handshake_is_read(files, trusted)

    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(run())
