"""Nothing that is stored, logged or published holds a secret of a request."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.feeds import Capture, Observer, Upstream, Upstreams
from roundwatch.core.feeds.proxy import Proxy
from roundwatch.core.hub import Access, Hub, Identity, Publisher
from roundwatch.core.rounds.events import CallOutput

from tests.core.feeds.stand import answer, connect, post, proxied, read_head, serving

SECRETS = [
    *("sk-ant-in-a-header-123", "bearer-token-456", "cookie-value-789", "google-key-in-the-query-012"),
    *("body-key-of-a-gateway-345", "tool-server-token-678", "user:open-sesame-901"),
]
HEADERS = (
    f"X-Api-Key: {SECRETS[0]}",
    f"Authorization: Bearer {SECRETS[1]}",
    f"Cookie: a=b; session={SECRETS[2]}",
    "Proxy-Authorization: Basic dXNlcjpvcGVuLXNlc2FtZS05MDE=",
)
ALL = " and ".join(SECRETS)
PATHS = [
    f"/up/v1/chat/completions?key={SECRETS[3]}",
    f"/up/v1beta/models/{SECRETS[3]}:generateContent?key={SECRETS[3]}",
    f"/up/v1/messages?key={SECRETS[3]}",
    f"/up/v1/nothing?key={SECRETS[3]}",
    f"/nowhere?key={SECRETS[3]}",
]


def everything_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def request(n: int) -> dict[str, Any]:
    """The n-th request of a conversation; every one brings the result of a tool that the one before asked for."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"keep {ALL}"}]
    for _ in range(n):
        call = {"id": SECRETS[1], "type": "function", "function": {"name": SECRETS[2], "arguments": "{}"}}
        messages.append({"role": "assistant", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": SECRETS[1], "content": f"Error: {ALL}"})
    return {
        "model": f"a model {ALL}",
        "api_key": SECRETS[4],
        "prompt_cache_key": SECRETS[0],
        "tools": [{"type": "mcp", "authorization": f"Bearer {SECRETS[5]}"}],
        "messages": messages,
    }


def repeated(n: int) -> tuple[str, Any]:
    """What an upstream answers: every secret in every field."""
    error = {"error": {"type": ALL, "code": ALL, "message": f"You sent {ALL}", "status": ALL}}
    call = {"id": SECRETS[1], "type": "function", "function": {"name": SECRETS[2], "arguments": json.dumps({ALL: 1})}}
    said = {"role": "assistant", "content": ALL, "reasoning_content": ALL, "tool_calls": [call]}
    chosen = {"index": 0, "message": said, "finish_reason": ALL, "native_finish_reason": ALL}
    bodies: list[tuple[str, Any]] = [
        ("200 OK", {"choices": [chosen]}),
        ("200 OK", {"choices": [{**chosen, "finish_reason": "stop"}, {**chosen, "index": 1}], "error": error["error"]}),
        ("401 No", error),
        ("200 OK", {"content": [{"type": "text", "text": ALL}], "stop_reason": ALL, "stop_sequence": ALL}),
        ("200 OK", {"promptFeedback": {"blockReason": ALL, "blockReasonMessage": ALL}}),
        ("500 No", f"<h1>{ALL}</h1>"),
    ]
    return bodies[n % len(bodies)]


@pytest.mark.parametrize("capture", Capture)
async def test_no_secret_is_stored_logged_or_published(
    capture: Capture, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        await read_head(reader)
        status, body = repeated(asked)
        asked += 1
        writer.write(answer(json.dumps(body).encode(), "Connection: close", status=status))

    caplog.set_level(logging.DEBUG)
    names = tuple(f"x-roundwatch-{name}: {SECRETS[0]}" for name in ("round", "thread", "agent", "parent"))
    async with (
        serving(serve) as upstream,
        Hub(tmp_path / "s.sqlite3", port=0, access=Access({"token": Identity("t")})) as hub,
        Publisher(hub.url, token="token", producer="proxy", folder=tmp_path / "spool") as publisher,
        Observer(publisher.publish, capture=capture, idle_s=0.0) as observer,
        Proxy(Upstreams([Upstream.parse("up", upstream)]), observer, port=0) as proxy,
    ):
        for n in range(36):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            headers = (*HEADERS, "Connection: close", f"User-Agent: {SECRETS[0]}", *(names if n % 7 == 0 else ()))
            writer.write(post(PATHS[n // 6 % len(PATHS)], json.dumps(request(n % 6)).encode(), *headers))
            assert await reader.read()
            writer.close()

    kept = everything_in(tmp_path)
    for seen in (b"call.finished", b"tool.requested", b"tool.finished", b"next_request_missing"):
        assert seen in kept
    for secret in (*SECRETS, "open-sesame-901"):
        assert secret.encode() not in kept
        assert secret not in caplog.text


@pytest.mark.parametrize("at", [1, 9, 23])
@pytest.mark.parametrize("field", ["content", "reasoning_content", "refusal"])
async def test_a_secret_in_two_pieces_with_a_pause_between_them_is_not_published(field: str, at: int) -> None:
    secret = SECRETS[0] + "-x"
    go_on = asyncio.Event()

    def piece(text: str) -> bytes:
        data = json.dumps({"choices": [{"index": 0, "delta": {field: text}, "finish_reason": None}]}).encode()
        return b"data: " + data + b"\n\n"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\n\r\n")
        writer.write(piece("It is ") + piece(secret[:at]))
        await go_on.wait()
        writer.write(piece(secret[at:] + ".") + b"data: [DONE]\n\n")

    async with serving(serve) as upstream, proxied(upstream) as stand:
        reader, writer = await connect(stand)
        writer.write(post("/up/v1/chat/completions", b"{}", f"X-Api-Key: {secret}"))
        await reader.readuntil(b'"' + secret[:at].encode() + b'"')  # the traffic does not wait
        await stand.until(lambda: any(isinstance(event, CallOutput) for event in stand.events))
        go_on.set()
        assert secret[at:].encode() + b"." in await reader.read()
        writer.close()
        await stand.ended()

    told = "".join(event.text or "" for event in stand.events if isinstance(event, CallOutput))
    assert told == "It is […]."
