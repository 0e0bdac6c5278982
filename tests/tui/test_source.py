from __future__ import annotations

import pytest
from roundwatch.core.hub import Access, Hub, Identity, Link, LinkState, Publisher, Received, Unreadable
from roundwatch.core.rounds import parse_event
from roundwatch.tui.source import LONGEST_PAUSE_S, SHORTEST_PAUSE_S, Ended, HubSource, Playing, ReplaySource

from tests.scenes import answer, start


async def played(source: ReplaySource) -> list[object]:
    return [item async for item in source.items()]


async def test_a_recording_is_played_in_order_and_then_ends() -> None:
    events = [parse_event(line) for line in answer()]
    items = await played(ReplaySource([events[0], Unreadable("line 2", "not JSON"), *events[1:]], speed=0))
    assert items[0] == Playing(0)
    assert items[1] == Received(events[0], "", 1)
    assert items[2] == Unreadable("line 2", "not JSON")
    assert items[-1] == Ended()
    assert len(items) == len(events) + 3


async def test_an_event_of_a_recording_keeps_the_text_it_came_as() -> None:
    raw = '{"type":  "round.started", "round": "r", "at": "2026-11-30T13:02:00Z"}'
    items = await played(ReplaySource([(parse_event(raw), raw)], speed=0))
    assert items[1] == Received(parse_event(raw), raw, 1)


@pytest.mark.parametrize(("speed", "pauses"), [(1.0, [2.0, LONGEST_PAUSE_S]), (4.0, [0.5, LONGEST_PAUSE_S]), (0.0, [])])
async def test_pauses_are_those_of_the_recording_but_never_long(speed: float, pauses: list[float]) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    recorded = [parse_event(line) for seconds in (0, 2, 1, 9000) for line in start(f"r{seconds}", seconds)]
    await played(ReplaySource(recorded, speed=speed, sleep=sleep))
    assert slept == pauses


async def test_pauses_too_short_to_wait_for_are_saved_up() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    recorded = [parse_event(line) for number in range(1001) for line in start(f"r{number}", number)]
    await played(ReplaySource(recorded, speed=1e4, sleep=sleep))  # 0.1 ms each
    assert abs(sum(slept) - 0.1) <= SHORTEST_PAUSE_S
    assert len(slept) <= 0.1 / SHORTEST_PAUSE_S


async def test_a_hub_is_watched_from_the_first_event_it_keeps(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    access = Access({"secret": Identity("test")})
    async with Hub(folder / "rounds.sqlite3", port=0, access=access) as hub:
        async with Publisher(hub.url, token="secret", producer="p", folder=folder / "spool") as publisher:
            for line in answer():
                await publisher.publish(parse_event(line))
            await publisher.flush()
        seen: list[str] = []
        items = HubSource(hub.url, "secret").items()
        async for item in items:
            if isinstance(item, Received):
                seen.append(item.event.type)
            if item == Link(LinkState.LIVE):
                break
        await items.aclose()
    assert seen == [line["type"] for line in answer()]


def test_a_wrong_address_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="form ws://"):
        HubSource("not a url")
