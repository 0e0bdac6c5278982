"""Nothing that is stored, logged or published holds a secret of a request."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path

import pytest
from roundwatch.core.feeds import Capture, Observer, Upstream, Upstreams
from roundwatch.core.feeds.proxy import Proxy
from roundwatch.core.hub import Access, Hub, Identity, Publisher

from tests.core.feeds.stand import post, read_head, serving

SECRETS = ["sk-ant-in-a-header-123", "bearer-token-456", "cookie-value-789", "google-key-in-the-query-012"]
HEADERS = (f"X-Api-Key: {SECRETS[0]}", f"Authorization: Bearer {SECRETS[1]}", f"Cookie: a=b; session={SECRETS[2]}")
PATHS = [
    f"/up/v1/chat/completions?key={SECRETS[3]}",
    f"/up/v1beta/models/gemini:generateContent?key={SECRETS[3]}",
    f"/up/v1/nothing?key={SECRETS[3]}",
    f"/nowhere?key={SECRETS[3]}",
]


def everything_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("capture", Capture)
async def test_no_secret_is_stored_logged_or_published(
    capture: Capture, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        echo = json.dumps({"error": {"message": " ".join(["You sent", *SECRETS])}}).encode()
        writer.write(b"HTTP/1.1 401 No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(echo) + echo)

    caplog.set_level(logging.DEBUG)
    asked = json.dumps({"model": "m", "messages": [{"role": "user", "content": f"keep {SECRETS[1]}"}]}).encode()
    async with (
        serving(serve) as upstream,
        Hub(tmp_path / "s.sqlite3", port=0, access=Access({"token": Identity("t")})) as hub,
        Publisher(hub.url, token="token", producer="proxy", folder=tmp_path / "spool") as publisher,
        Observer(publisher.publish, capture=capture, idle_s=0.0) as observer,
        Proxy(Upstreams([Upstream.parse("up", upstream)]), observer, port=0) as proxy,
    ):
        for path in PATHS:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            writer.write(post(path, asked, *HEADERS))
            assert await reader.read()
            writer.close()

    kept = everything_in(tmp_path)
    assert b"call.finished" in kept
    for secret in SECRETS:
        assert secret.encode() not in kept
        assert secret not in caplog.text
