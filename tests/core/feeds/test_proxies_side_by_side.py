"""Several proxies of one machine, on IPv6 too, tell one hub of their rounds."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import pytest
from roundwatch.core.feeds import Observer, Upstream, Upstreams
from roundwatch.core.feeds.proxy import Proxy
from roundwatch.core.hub import Access, Hub, Publisher, stored_events

from tests.core.feeds.stand import PATIENCE_S, answer, post, read_head

CHAT = "/up/v1/chat/completions"
EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\n'


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as free:
            free.bind(("::1", 0))
    except OSError:
        return False
    return True


def url_of(server: asyncio.Server, host: str) -> str:
    port: int = server.sockets[0].getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await read_head(reader)
    await reader.readexactly(2)
    host = head.partition(b"Host: ")[2].split(b"\r\n")[0].decode()
    writer.write(answer(EVENT, "Connection: close", f"X-Host: {host}"))
    writer.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_two_proxies_of_one_hub_do_not_mix_up_their_rounds(host: str, tmp_path: Path) -> None:
    if ":" in host and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    server = await asyncio.start_server(serve, host, 0)
    address = url_of(server, host)
    upstreams = Upstreams([Upstream.parse("up", address)])
    async with server, Hub(tmp_path / "s.db", port=0, access=Access.anyone()) as hub:
        async with (
            Publisher(hub.url, token="none", producer="proxy", folder=tmp_path) as one,
            Publisher(hub.url, token="none", producer="proxy", folder=tmp_path) as other,
            Observer(one.publish) as seen,
            Observer(other.publish) as also_seen,
            Proxy(upstreams, seen, host=host, port=0) as first,
            Proxy(upstreams, also_seen, host=host, port=0) as second,
        ):
            for proxy in (first, second, first, second):
                place = proxy.url.removeprefix("http://")
                reader, writer = await asyncio.open_connection(host, int(place.rpartition(":")[2]))
                writer.write(post(CHAT, b"{}").replace(b"Host: 127.0.0.1", f"Host: {place}".encode()))
                async with asyncio.timeout(PATIENCE_S):
                    received = await reader.read()
                writer.close()
                assert f"X-Host: {address.removeprefix('http://')}\r\n".encode() in received
        events = [json.loads(stored.line) for stored in stored_events(tmp_path / "s.db")]

    assert len({event["round"] for event in events}) == 4
    assert sum(event["type"] == "round.finished" for event in events) == 4
