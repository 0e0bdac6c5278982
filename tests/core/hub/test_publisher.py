from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import pytest
from roundwatch.core.hub import (
    Hub,
    HubRefused,
    LinesReport,
    Link,
    LinkState,
    Publisher,
    Received,
    ensure_token,
    spool_folder,
    stored_events,
    watch,
)
from roundwatch.core.hub.published_lines import LinesOutbox
from roundwatch.core.hub.sender import Sender
from roundwatch.core.hub.spool import DEAD_LETTERS
from roundwatch.core.rounds.events import RoundStarted
from roundwatch.core.rounds.parse import EventError
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.core.hub.peers import PATIENCE_S, dial, heard

HUB = """
import asyncio, sys
from pathlib import Path
from roundwatch.core.hub import Hub

async def main() -> None:
    async with Hub(Path(sys.argv[1]), port=int(sys.argv[2])) as hub:
        print(hub.url, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


async def hub_process(store: Path, port: int) -> tuple[Process, str]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", HUB, str(store), str(port), stdout=PIPE)
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        return process, (await process.stdout.readline()).decode().strip()


def output(n: int) -> dict[str, object]:
    return {"type": "round.output", "round": "r", "kind": "text", "text": f"t{n}"}


def texts(store: Path) -> list[str]:
    return [json.loads(event.line)["text"] for event in stored_events(store)]


async def test_events_objects_and_lines_arrive_numbered_and_stamped(tmp_path: Path) -> None:
    async with Hub(tmp_path / "s.db", port=0) as hub, Publisher(hub.url, producer="me") as publisher:
        await publisher.publish(RoundStarted(round="r", title="ü"))
        await publisher.publish(output(2))
        await publisher.publish(json.dumps(output(3)).encode())
        assert await publisher.flush(PATIENCE_S)
        assert publisher.undelivered == 0
        assert publisher.state.acknowledged == 3
    stored = [json.loads(event.line) for event in stored_events(tmp_path / "s.db")]
    assert [fields["id"].rpartition(":")[2] for fields in stored] == ["1", "2", "3"]
    assert {fields["id"].partition(".")[0] for fields in stored} == {"me"}
    assert all(fields["at"].endswith("Z") and fields["v"] == 1 for fields in stored)
    assert list(spool_folder().iterdir()) == []


async def test_what_is_no_event_is_told_to_the_caller_and_the_rest_goes_on(hub: Hub) -> None:
    async with Publisher(hub.url) as publisher:
        with pytest.raises(EventError, match="kind"):
            await publisher.publish({"type": "round.output", "round": "r", "kind": "song"})
        await publisher.publish(output(1))
        assert await publisher.flush(PATIENCE_S)
    assert hub.counters.stored == 1


async def test_events_wait_for_a_hub_that_is_not_there_yet(tmp_path: Path) -> None:
    ensure_token()
    first = Hub(port=0)
    await first.start()
    port = int(first.url.rpartition(":")[2])
    await first.stop()
    async with Publisher(f"ws://127.0.0.1:{port}") as publisher:
        for n in range(1, 2501):
            await publisher.publish(output(n))
        assert not await publisher.flush(0.2)
        assert publisher.state.reason is not None
        async with Hub(tmp_path / "s.db", port=port):
            assert await publisher.flush(60)
    assert texts(tmp_path / "s.db") == [f"t{n}" for n in range(1, 2501)]


async def test_killing_the_hub_again_and_again_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    store, total = tmp_path / "s.db", 3000
    process, url = await hub_process(store, 0)
    port = int(url.rpartition(":")[2])
    seen: list[int] = []

    async def follow() -> None:
        async with watch(url, after="begin", rand=lambda: 0.2) as feed:
            async for item in feed:
                if isinstance(item, Received):
                    seen.append(item.seq)
                    if len(seen) == total:
                        return

    following = asyncio.create_task(follow())
    async with Publisher(url) as publisher:
        for n in range(1, total + 1):
            await publisher.publish(output(n))
            if n % 1000 == 500:
                await asyncio.sleep(0.1)
                acknowledged = publisher.state.acknowledged
                process.send_signal(signal.SIGKILL)
                await process.wait()
                assert len(texts(store)) >= acknowledged
                process, _ = await hub_process(store, port)
        assert await publisher.flush(60)
        assert publisher.state.reconnects > 0
    async with asyncio.timeout(60):
        await following
    process.kill()
    await process.wait()
    assert texts(store) == [f"t{n}" for n in range(1, total + 1)]
    assert seen == list(range(1, total + 1))


async def test_a_hub_with_a_new_store_gets_what_was_not_acknowledged(tmp_path: Path) -> None:
    hub = Hub(tmp_path / "one.db", port=0)
    await hub.start()
    port = int(hub.url.rpartition(":")[2])
    async with Publisher(hub.url) as publisher:
        await publisher.publish(output(1))
        assert await publisher.flush(PATIENCE_S)
        await hub.stop()
        await publisher.publish(output(2))
        async with Hub(tmp_path / "two.db", port=port):
            assert await publisher.flush(PATIENCE_S)
    assert texts(tmp_path / "one.db") == ["t1"]
    assert texts(tmp_path / "two.db") == ["t2"]


async def test_what_could_not_be_delivered_is_sent_by_the_next_publisher(tmp_path: Path) -> None:
    ensure_token()
    hub = Hub(tmp_path / "s.db", port=0)
    await hub.start()
    await hub.stop()
    publisher = Publisher(hub.url, producer="me")
    await publisher.publish(output(1))
    await publisher.close(0.1)
    again = Hub(tmp_path / "s.db", port=int(hub.url.rpartition(":")[2]))
    async with again, Publisher(again.url, producer="me") as heir:
        await heir.publish(output(2))
        assert await heir.flush(PATIENCE_S)
    assert texts(tmp_path / "s.db") == ["t1", "t2"]


async def test_a_wrong_token_is_told_and_keeps_the_events(hub: Hub) -> None:
    publisher = Publisher(hub.url, token="wrong")
    await publisher.publish(output(1))
    with pytest.raises(HubRefused, match="401"):
        await publisher.flush(PATIENCE_S)
    with pytest.raises(HubRefused):
        await publisher.publish(output(2))
    await publisher.close()
    assert len(list(spool_folder().glob("*.spool"))) == 1


async def test_leaving_with_something_undelivered_that_the_hub_refuses_is_an_error(hub: Hub) -> None:
    async def publish(divisor: int) -> None:
        async with Publisher(hub.url, token="wrong") as publisher:
            await publisher.publish(output(1 // divisor))

    with pytest.raises(HubRefused, match="not authorised"):
        await publish(1)
    with pytest.raises(ZeroDivisionError):
        await publish(0)


async def test_a_long_text_is_cut_and_what_does_not_fit_is_a_dead_letter(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Hub(tmp_path / "s.db", port=0) as hub, Publisher(hub.url) as publisher:
        await publisher.publish(output(1) | {"text": "x" * 5_000_000})
        await publisher.publish({"type": "x", "numbers": list(range(400_000))})
        await publisher.publish(output(2))
        assert await publisher.flush(PATIENCE_S)
    long, short = (json.loads(event.line) for event in stored_events(tmp_path / "s.db"))
    assert (long["chars"], long["cut"], short["text"]) == (5_000_000, {"text": 5_000_000}, "t2")
    [letter] = (spool_folder() / DEAD_LETTERS).read_text().splitlines()
    assert len(json.loads(letter)["event"]["numbers"]) == 400_000
    assert "dead letters" in caplog.text


async def test_an_event_that_closes_the_link_with_1009_is_taken_out_and_the_others_arrive() -> None:
    stored: list[dict[str, object]] = []

    async def small_hub(link: ServerConnection) -> None:
        async for frame in link:
            events: list[dict[str, object]] = json.loads(frame if frame[:1] in ("[", b"[") else f"[{frame!s}]")
            for fields in events:
                if fields["id"] not in [known["id"] for known in stored]:
                    stored.append(fields)
                await link.send(json.dumps({"type": "feed.ack", "id": fields["id"]}))

    protocols = [Subprotocol("roundwatch.v1")]
    async with (
        serve(small_hub, "127.0.0.1", 0, subprotocols=protocols, max_size=2000, close_timeout=1) as server,
        Publisher(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}") as publisher,
    ):
        for n in (1, 2, 3):
            await publisher.publish(output(n) | {"text": "x" * (5000 if n == 2 else n)})
        assert await publisher.flush(60)
    assert [fields["type"] for fields in stored] == ["round.output", "round.warning", "round.output"]
    assert stored[1]["code"] == "event_dropped"
    assert len((spool_folder() / DEAD_LETTERS).read_text().splitlines()) == 1


async def test_a_publisher_whose_name_is_taken_over_ends_instead_of_fighting(hub: Hub) -> None:
    async with Publisher(hub.url) as publisher:
        await publisher.publish(output(1))
        assert await publisher.flush(PATIENCE_S)
        [spool] = spool_folder().glob("*.spool")
        name = spool.stem
        async with dial(hub, "/v1/publish") as thief:
            await thief.send(json.dumps(output(2) | {"id": f"{name}:2"}))
            await heard(thief)
            async with asyncio.timeout(PATIENCE_S):
                while publisher.state.fault is None:
                    publisher.state.changed.clear()
                    await publisher.state.changed.wait()
        assert "4409" in str(publisher.state.fault)


async def test_an_event_reaches_a_watcher_that_is_live(hub: Hub) -> None:
    async with Publisher(hub.url) as publisher, watch(hub.url) as feed:
        async with asyncio.timeout(PATIENCE_S):
            async for item in feed:
                if isinstance(item, Link) and item.state is LinkState.LIVE:
                    await publisher.publish(output(1))
                if isinstance(item, Received):
                    assert item.seq == 1
                    break


@pytest.mark.parametrize("producer", ["", "a\nb", "x" * 101])
def test_a_producer_name_that_cannot_be_is_told_at_once(producer: str) -> None:
    with pytest.raises(ValueError, match="producer"):
        Publisher(producer=producer)


async def test_a_publisher_that_never_published_closes() -> None:
    await Publisher().close()


class _Broken(LinesOutbox):
    def lines_from(self, n: int, limit_bytes: int) -> list[bytes]:
        raise ZeroDivisionError


async def test_a_fault_of_our_own_in_sending_is_told_to_whoever_waits(hub: Hub) -> None:
    sender = Sender(hub.url, None, _Broken("p", iter(()), LinesReport("p")))
    async with asyncio.timeout(10):
        await sender.run()
    assert sender.state.changed.is_set()
    assert "ZeroDivisionError" in str(sender.state.fault)


@pytest.mark.parametrize("spoilt", ['{"v":1,"type":"feed.reject","why":"not JSON"}', '{"v":1,"type":"feed.a\x00ck"'])
async def test_what_was_spoilt_on_its_way_is_sent_again(spoilt: str, tmp_path: Path) -> None:
    frames: list[str] = []

    async def half_deaf(link: ServerConnection) -> None:
        async for frame in link:
            frames.append(str(frame))
            named = json.loads(frame)["id"]
            again = len(frames) > 1
            await link.send(json.dumps({"v": 1, "type": "feed.ack", "id": named}) if again else spoilt)

    protocols = [Subprotocol("roundwatch.v1")]
    async with serve(half_deaf, "127.0.0.1", 0, subprotocols=protocols) as server:
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with Publisher(url, folder=tmp_path) as publisher:
            await publisher.publish(output(1))
            assert await publisher.flush(PATIENCE_S)
            assert publisher.state.rejected == 0
    assert len(set(frames)) == 1 < len(frames)
