from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from roundwatch.core.hub import (
    At,
    Gap,
    Hello,
    Hub,
    HubRefused,
    Link,
    LinkState,
    Live,
    Received,
    TokenError,
    Unreadable,
    WatchItem,
    ensure_token,
    token_file,
    watch,
)
from roundwatch.core.rounds.events import Unrecognised
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.core.hub.peers import PATIENCE_S, event, publish


async def items_until(feed: AsyncIterator[WatchItem], enough: Callable[[WatchItem], bool]) -> list[WatchItem]:
    found: list[WatchItem] = []
    async with asyncio.timeout(PATIENCE_S):
        async for item in feed:
            found.append(item)
            if enough(item):
                break
    return found


def seqs(items: list[WatchItem]) -> list[int]:
    return [item.seq for item in items if isinstance(item, Received)]


def brief(items: list[WatchItem]) -> list[str]:
    return [item.state.value if isinstance(item, Link) else type(item).__name__ for item in items]


async def test_a_watch_tells_what_it_does_and_yields_events_with_their_text(hub: Hub) -> None:
    await publish(hub, event(1), {"type": "robot.waved", "id": "p:2", "arms": 1.50})
    async with watch(hub.url, after="begin") as feed:
        found = await items_until(aiter(feed), lambda item: isinstance(item, At))
        assert brief(found) == [
            "connecting", "Hello", "replaying", "Received", "Received", "Live", "live", "At",
        ]  # fmt: skip
        known, unknown = (item for item in found if isinstance(item, Received))
        assert json.loads(known.raw) == event(1) | {"seq": 1}
        assert isinstance(unknown.event, Unrecognised)
        assert unknown.event.raw == unknown.raw == '{"seq":2,"type": "robot.waved", "id": "p:2", "arms": 1.5}'


async def test_nothing_counts_as_applied_before_the_next_item_is_asked_for(hub: Hub) -> None:
    await publish(hub, event(1), event(2))
    async with watch(hub.url, after="begin") as feed:
        items = aiter(feed)
        [*_, first] = await items_until(items, lambda item: isinstance(item, Received))
        assert isinstance(first, Received)
        assert feed.position is not None
        assert (first.seq, feed.position[1]) == (1, 0)
        await anext(items)
        assert feed.position[1] == 1


async def test_filters_are_passed_on(hub: Hub) -> None:
    await publish(hub, event(1, round="a"), event(2, round="b"), event(3, round="c"))
    async with watch(hub.url, after="begin", round=["a", "c"]) as feed:
        assert seqs(await items_until(aiter(feed), lambda item: isinstance(item, Live))) == [1, 3]


async def test_events_come_once_and_in_order_while_the_hub_restarts_again_and_again(tmp_path: Path) -> None:
    store, rounds_of_hubs, each = tmp_path / "s.db", 4, 200
    hub = Hub(store, port=0)
    await hub.start()
    port = int(hub.url.rpartition(":")[2])
    found: list[int] = []

    async def follow() -> None:
        async with watch(hub.url, after="begin", rand=lambda: 0.0) as feed:
            async for item in feed:
                assert not isinstance(item, Gap | Unreadable)
                if isinstance(item, Received):
                    found.append(item.seq)
                    if item.seq == rounds_of_hubs * each:
                        return

    following = asyncio.create_task(follow())
    for number in range(rounds_of_hubs):
        for n in range(number * each + 1, (number + 1) * each + 1, 50):
            await publish(hub, *(event(m) for m in range(n, n + 50)))
        await hub.stop()
        hub = Hub(store, port=port)
        await hub.start()
    async with asyncio.timeout(60):
        await following
    await hub.stop()
    assert found == list(range(1, rounds_of_hubs * each + 1))


async def test_a_resumed_watch_gets_only_what_it_has_not_applied(hub: Hub) -> None:
    await publish(hub, *(event(n) for n in range(1, 6)))
    async with watch(hub.url, after="begin") as feed:
        await items_until(aiter(feed), lambda item: isinstance(item, Received) and item.seq == 4)
        assert feed.position is not None
        stream, seq = feed.position
    async with watch(hub.url, after=f"{stream}:{seq}") as feed:
        assert seqs(await items_until(aiter(feed), lambda item: isinstance(item, Live))) == [4, 5]


async def test_a_new_store_is_told_as_a_gap_and_replayed_from_its_beginning(hub: Hub) -> None:
    await publish(hub, event(1), event(2))
    async with watch(hub.url, after="other:50") as feed:
        found = await items_until(aiter(feed), lambda item: isinstance(item, Live))
    assert [(gap.from_, gap.to, gap.why) for gap in found if isinstance(gap, Gap)] == [(51, None, "stream_changed")]
    assert seqs(found) == [1, 2]


async def test_a_wrong_token_ends_the_watch_with_what_to_do(hub: Hub) -> None:
    async with watch(hub.url, token="wrong-token") as feed:
        items = aiter(feed)
        found = await items_until(items, lambda item: isinstance(item, Link) and item.state is LinkState.REFUSED)
        assert brief(found) == ["connecting", "refused"]
        with pytest.raises(HubRefused, match=r"401.*token") as caught:
            await anext(items)
    assert "wrong-token" not in f"{caught.value} {found}"


async def test_a_token_file_that_is_not_to_be_trusted_ends_the_watch(hub: Hub) -> None:
    token_file().chmod(0o644)
    async with watch(hub.url) as feed:
        with pytest.raises(TokenError, match="others can read"):
            await items_until(aiter(feed), lambda item: False)


async def test_a_hub_that_is_not_there_is_tried_again_with_the_reason() -> None:
    ensure_token()
    async with watch("ws://127.0.0.1:9", rand=lambda: 0.0) as feed:
        tries = 0
        found: list[WatchItem] = []
        async for item in feed:
            found.append(item)
            tries += isinstance(item, Link) and item.state is LinkState.RECONNECTING
            if tries == 3:
                break
    assert brief(found) == ["connecting", "reconnecting"] * 3
    assert found[1] == Link(LinkState.RECONNECTING, "nobody listens there", 0.05)


@asynccontextmanager
async def scripted(*scripts: list[object]) -> AsyncGenerator[tuple[str, list[str]]]:
    """Serve each connection the frames of the next script (bytes and texts as they are), then close it."""
    targets: list[str] = []

    async def play(link: ServerConnection) -> None:
        assert link.request is not None
        targets.append(link.request.path)
        if len(targets) > len(scripts):
            await link.wait_closed()
            return
        for frame in scripts[len(targets) - 1]:
            await link.send(frame if isinstance(frame, str) else json.dumps(frame))

    handler: Callable[[ServerConnection], Awaitable[None]] = play
    async with serve(handler, "127.0.0.1", 0, subprotocols=[Subprotocol("roundwatch.v1")], close_timeout=1) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", targets


def hello(first: int, last: int, stream: str = "s") -> dict[str, object]:
    return {"type": "feed.hello", "stream": stream, "first": first, "last": last, "server": "x"}


def numbered(seq: int, **fields: object) -> dict[str, object]:
    return event(seq) | {"seq": seq} | fields


async def test_the_resume_point_is_the_newest_applied_seq_and_repetitions_are_dropped() -> None:
    script: list[list[object]] = [
        [hello(1, 9), [numbered(1), numbered(2)], {"type": "feed.live"}],
        [hello(1, 9), [numbered(2), numbered(3)], {"type": "feed.at", "seq": 5}],
        [hello(1, 9), numbered(6)],
    ]
    async with scripted(*script) as (url, targets), watch(url, after="s:0", rand=lambda: 0.0) as feed:
        found = await items_until(aiter(feed), lambda item: isinstance(item, Received) and item.seq == 6)
    assert seqs(found) == [1, 2, 3, 6]
    assert targets == [f"/v1/rounds?after=s%3A{seq}" for seq in (0, 2, 5)]
    assert not any(isinstance(item, Gap) for item in found)


async def test_a_live_watch_resumes_where_it_joined_even_if_nothing_came() -> None:
    script: list[list[object]] = [[hello(1, 7)], [hello(1, 9), numbered(8)]]
    async with scripted(*script) as (url, targets), watch(url, rand=lambda: 0.0) as feed:
        await items_until(aiter(feed), lambda item: isinstance(item, Received))
    assert targets == ["/v1/rounds", "/v1/rounds?after=s%3A7"]


async def test_gaps_move_the_resume_point_and_an_unexplained_hole_is_told() -> None:
    gap = {"type": "feed.gap", "from": 121, "to": 599, "why": "trimmed"}
    rewound = {"type": "feed.gap", "from": 602, "to": 605, "why": "rewound"}
    script: list[object] = [hello(600, 1111), gap, numbered(600), numbered(605), rewound, numbered(602)]
    async with scripted(script) as (url, _), watch(url, after="s:120") as feed:
        found = await items_until(aiter(feed), lambda item: isinstance(item, Received) and item.seq == 602)
    gaps = [(item.from_, item.to, item.why) for item in found if isinstance(item, Gap)]
    assert gaps == [(121, 599, "trimmed"), (601, 604, "hole"), (602, 605, "rewound")]
    assert seqs(found) == [600, 605, 602]


async def test_what_is_no_event_is_told_with_its_place_and_the_rest_goes_on() -> None:
    script: list[object] = [
        numbered(1), hello(1, 9), "garbage", [numbered(1, kind="song"), 7, {"type": "feed.new"}, numbered(2)],
        {"type": "feed.ack", "id": "p:1"}, event(3) | {"seq": True},
        numbered(3, type=["round.started"]), numbered(4),
    ]  # fmt: skip
    async with scripted(script) as (url, _), watch(url, after="begin") as feed:
        found = await items_until(aiter(feed), lambda item: isinstance(item, Received) and item.seq == 4)
        assert feed.position == ("s", 3)
    bad = [(item.where, item.seq) for item in found if isinstance(item, Unreadable)]
    assert bad == [
        ("frame 1, element 1", None), ("frame 3", None), ("frame 4, element 1", 1), ("frame 4, element 2", None),
        ("frame 4, element 3", None), ("frame 5, element 1", None), ("frame 6, element 1", None),
        ("frame 7, element 1", 3),
    ]  # fmt: skip
    assert seqs(found) == [2, 4]
    assert not any(isinstance(item, Gap) for item in found)


async def test_a_watch_that_is_closed_ends_its_connection(hub: Hub) -> None:
    async with watch(hub.url) as feed, aclosing(feed):
        await items_until(aiter(feed), lambda item: isinstance(item, Hello))
    async with asyncio.timeout(PATIENCE_S):
        while hub.counters.watchers:  # noqa: ASYNC110 - the hub tells by its counters only
            await asyncio.sleep(0.01)


def test_a_wrong_url_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="URL"):
        watch("hub")


@pytest.mark.parametrize(("first", "missing"), [(1, []), (600, [(1, 599, "trimmed")])])
async def test_from_the_beginning_of_a_trimmed_store_something_is_missing(
    first: int, missing: list[tuple[int, int, str]]
) -> None:
    script: list[list[object]] = [[hello(first, 1111), numbered(first)], [hello(first, 1111), numbered(first + 1)]]
    async with scripted(*script) as (url, _), watch(url, after="begin", rand=lambda: 0.0) as feed:
        found = await items_until(aiter(feed), lambda item: isinstance(item, Received) and item.seq == first + 1)
    assert [(item.from_, item.to, item.why) for item in found if isinstance(item, Gap)] == missing
