from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest
from roundwatch.core.hub import Gap, HubRefused, Link, LinkState, Received, State, Unreadable
from roundwatch.core.rounds import parse_event
from roundwatch.tui.cli import plain
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.plain import follow
from roundwatch.tui.source import Ended, SourceItem

from tests.rounds import Lines
from tests.tui.cli.recorded import answer, cut, open_round, recording
from tests.tui.cli.surroundings import Surroundings


class Told:
    """A source that says what it was given, then ends, raises or stays silent."""

    is_recording = True

    def __init__(self, items: Sequence[SourceItem], end: Exception | None = None, *, stays: bool = False) -> None:
        self._items, self._end, self._stays = items, end, stays
        self.all_said = asyncio.Event()

    async def items(self) -> AsyncGenerator[SourceItem, None]:
        for item in self._items:
            yield item
        self.all_said.set()
        if self._end is not None:
            raise self._end
        if self._stays:
            await asyncio.Event().wait()


def received(lines: Lines) -> list[SourceItem]:
    return [Received(parse_event(line), "", number) for number, line in enumerate(lines, start=1)]


async def test_rounds_are_told_in_the_order_they_end() -> None:
    around = Surroundings()
    first, *rest = answer("slow")

    outcomes = await follow(Told(received([first, *cut("quick"), *rest])), around.context)

    assert [outcome.round for outcome in outcomes] == ["quick", "slow"]
    assert around.out.index(" quick ") < around.out.index(" slow ")


async def test_an_open_round_is_not_told_before_a_recording_ends() -> None:
    live, recorded = Surroundings(), Surroundings()

    assert await follow(Told(received(open_round())), live.context) == []
    (outcome,) = await follow(Told([*received(open_round()), Ended()]), recorded.context)

    assert live.out == ""
    assert not outcome.is_answer


async def test_a_gap_of_our_own_is_told_and_doubts_what_was_running() -> None:
    around = Surroundings()
    lines = answer()
    items = [*received(lines[:2]), Gap(from_=3, to=7, why="trimmed"), *received(lines[2:])]

    (outcome,) = await follow(Told(items), around.context)

    assert "misses 5 events (trimmed)" in around.err
    assert not outcome.is_answer


@pytest.mark.parametrize(("delay_s", "span"), [(4.0, "4 s"), (0.448024, "448 ms"), (1.2345, "1.2 s")])
async def test_the_link_is_told(delay_s: float, span: str) -> None:
    around = Surroundings()
    items = [Link(LinkState.RECONNECTING, "nobody listens there", delay_s), Link(LinkState.LIVE)]

    await follow(Told(items), around.context)

    assert around.err.splitlines() == [f"connection lost (nobody listens there); trying again in {span}", "live"]


async def test_a_hub_that_cannot_store_is_told_and_so_is_the_end_of_it() -> None:
    around = Surroundings()
    full, running = (
        State(writing="full", checking="not_needed", why="no space"),
        State(writing="ok", checking="running"),
    )

    await follow(Told([running, full, State(writing="ok", checking="sound")]), around.context)

    assert around.err.splitlines() == [
        "the hub stores nothing just now, publishers wait: no space",
        "the hub's store is well",
    ]


async def test_many_unreadable_events_are_counted_not_listed() -> None:
    around = Surroundings()

    await follow(Told([Unreadable(f"frame {n}", "not JSON") for n in range(100)]), around.context)

    assert len(around.err.splitlines()) == 6
    assert "95 more events" in around.err


async def test_a_refusal_ends_it_after_what_came_before_was_told() -> None:
    around = Surroundings()

    with pytest.raises(CommandFailed) as raised:
        await follow(Told(received(answer()), HubRefused("wrong token")), around.context)

    assert str(raised.value.values["why"]) == "wrong token"
    assert " r1 " in around.out


async def test_it_ends_when_nothing_more_will_come() -> None:
    ended = asyncio.Event()
    ended.set()

    outcomes = await follow(Told(received(answer()), stays=True), Surroundings().context, ended=ended)

    assert len(outcomes) == 1


async def test_it_ends_after_some_seconds() -> None:
    outcomes = await follow(Told(received(answer()), stays=True), Surroundings().context, seconds=0.5)

    assert len(outcomes) == 1


async def test_an_interrupt_still_tells_what_had_ended() -> None:
    around = Surroundings()
    source = Told(received(answer()), stays=True)
    following = asyncio.create_task(follow(source, around.context))
    await source.all_said.wait()
    await asyncio.sleep(0)  # what was said is taken in one go
    following.cancel()

    with pytest.raises(asyncio.CancelledError):
        await following
    assert " r1 " in around.out


async def test_only_so_many_ended_rounds_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "KEPT_ROUNDS", 2)
    around = Surroundings()
    teller = plain.Teller(around.context)
    for number in range(5):
        for item in received(answer(f"r{number}")):
            teller.take(item)
        teller.tell()

    for item in received(recording("r0", [{"type": "round.finished"}])):
        teller.take(item)

    assert len(teller.close()) == 2 + 1  # of those let go, one stands for all: each was an answer
    assert "late news about the round r0" in around.err


@pytest.mark.parametrize("end", [None, HubRefused("the hub will not have us")])
async def test_a_source_that_ends_with_a_full_queue_is_followed_to_its_end(end: Exception | None) -> None:
    around = Surroundings()
    items: list[SourceItem] = [Link(LinkState.REPLAYING)] * plain.QUEUED_ITEMS  # taken in one go, so full at its end

    async with asyncio.timeout(30):
        if end is None:
            assert await follow(Told(items), around.context) == []
        else:
            with pytest.raises(CommandFailed):
                await follow(Told(items, end), around.context)


async def test_a_recording_that_cannot_be_read_on_ends_with_its_own_words() -> None:
    unreadable = CommandFailed("cli.input.unreadable", file="rounds.jsonl", why="Input/output error")

    with pytest.raises(CommandFailed) as failed:
        await follow(Told(received(answer()), unreadable), Surroundings().context)

    assert failed.value is unreadable
