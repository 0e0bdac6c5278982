"""What goes wrong on either side of the proxy, over real sockets: passed on as it is, told as it was."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import pytest
from roundwatch.core.feeds import Capture, Observer, Upstream, Upstreams
from roundwatch.core.feeds.proxy import Proxy
from roundwatch.core.hub import Access, Hub, Publisher, stored_events
from roundwatch.core.rounds import CallOutcome, Verdict, classify

from tests.core.feeds.stand import PATIENCE_S, answer, connect, post, proxied, read_head, serving

CHAT = "/up/v1/chat/completions"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"


def event(text: str, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def chunked(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def ask(n: int = 0) -> bytes:
    return post(CHAT, json.dumps({"model": "gpt", "messages": [{"role": "user", "content": f"Question {n}"}]}).encode())


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await read_head(reader)
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    return head + await reader.readexactly(length)


GARBAGE = {
    "no http": b"\x00\xff" * 5000,
    "another protocol": b"SSH-2.0-OpenSSH_9.9\r\n",
    "a broken chunk": HEAD + chunked(event("So")) + b"zz\r\n" + event(" far"),
    "a body of noise": HEAD + chunked(bytes(range(256)) * 40) + END,
    "broken events": HEAD + chunked(b"data: {\n\ndata: ]\n\nnonsense\n\ndata: 17\n\n") + END,
    "half an event": HEAD + chunked(event("So")) + chunked(event(" far")[:-9]),
}


@pytest.mark.parametrize("name", GARBAGE)
async def test_garbage_reaches_the_client_untouched_and_is_no_success(name: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(GARBAGE[name])

    async with serving(serve) as upstream, proxied(upstream, idle_s=0.0) as stand:
        reader, writer = await connect(stand)
        writer.write(ask())
        assert await reader.read() == GARBAGE[name]
        writer.close()
        outcome = await stand.outcome()

    assert not outcome.is_success


async def test_ten_megabytes_in_one_event_pass_byte_for_byte_and_are_counted() -> None:
    body = event("x" * 7_000_000) + event(" and the end", "stop")
    sent = HEAD + chunked(body) + END

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(sent)
        await reader.read()

    async with serving(serve) as upstream, proxied(upstream, capture=Capture.NONE, idle_s=0.0) as stand:
        reader, writer = await connect(stand)
        writer.write(ask())
        assert await reader.readexactly(len(sent)) == sent
        (round_,) = await stand.ended()
        writer.close()

    assert round_.calls[0].text_chars == 7_000_012
    assert round_.calls[0].outcome is CallOutcome.COMPLETED


async def test_a_provider_that_falls_silent_is_shown_while_it_is_and_ended_by_its_client() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(HEAD + chunked(event("So far")))
        await reader.read()

    async with serving(serve) as upstream, proxied(upstream, idle_s=0.0) as stand:
        reader, writer = await connect(stand)
        writer.write(ask())
        await reader.readuntil(b"\n\n\r\n")
        await stand.until(lambda: any(event.type == "call.output" for event in stand.events))
        (round_,) = stand.ledger.rounds.values()
        assert round_.calls[0].outcome is None
        writer.close()
        outcome = await stand.outcome()

    assert outcome.verdict is Verdict.CANCELLED
    assert stand.proxy.counts.clients_left == 1


async def test_two_hundred_streams_are_open_at_once_and_all_come_through() -> None:
    many = 200
    gate = asyncio.Barrier(many)
    spoken = b"".join(chunked(event(f"{n} ", "stop" if n == 4 else None)) for n in range(5))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(HEAD)
        await gate.wait()
        for start in range(0, len(spoken), 300):
            writer.write(spoken[start : start + 300])
            await asyncio.sleep(0.01)
        writer.write(END)
        await reader.read()

    async with serving(serve) as upstream, proxied(upstream, idle_s=0.0) as stand:

        async def client(n: int) -> bytes:
            reader, writer = await connect(stand)
            writer.write(ask(n))
            received = await reader.readexactly(len(HEAD + spoken + END))
            writer.close()
            return received

        async with asyncio.timeout(3 * PATIENCE_S):
            received = await asyncio.gather(*(client(n) for n in range(many)))
        rounds = await stand.ended(many)

    assert set(received) == {HEAD + spoken + END}
    assert len(rounds) == many
    assert {round_.calls[0].text for round_ in rounds} == {"0 1 2 3 4 "}
    assert all(classify(round_).is_answer for round_ in rounds)


async def test_without_a_hub_traffic_goes_on_and_all_events_are_delivered_once_it_is_there(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await read_request(reader)
            writer.write(answer(event("Hello.", "stop")))

    async with (
        serving(serve) as upstream,
        Publisher(f"ws://127.0.0.1:{port}", token="none", folder=tmp_path) as publisher,
    ):
        observer = Observer(publisher.publish)
        async with observer, Proxy(Upstreams([Upstream.parse("up", upstream)]), observer, port=0) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            for n in range(20):
                writer.write(ask(n))
                await read_head(reader)
                await reader.readuntil(b"\n\n")
            writer.close()
        assert publisher.undelivered == 20 * 5
        async with Hub(tmp_path / "store.db", port=port, access=Access.anyone()):
            assert await publisher.flush(PATIENCE_S)

    kept = [stored.line.decode() for stored in stored_events(tmp_path / "store.db")]
    assert sum('"round.finished"' in line for line in kept) == 20
    assert observer.unpublished == 0
