"""The contract of ``Store``: every kind of store passes these same tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from roundwatch.core.hub import Retention, Selection, Store, StoreError, StoreUnavailable, Writing
from roundwatch.core.hub.limits import EVENT_BYTES, SEND_BYTES
from roundwatch.core.hub.lines import with_seq
from roundwatch.core.hub.retention import DAY_S
from roundwatch.core.hub.store import EVERYTHING, Fate, Producer, Submission
from roundwatch.core.hub.store_health import WELL

from tests.core.hub.store_kinds import KINDS, Heard, StoreKind, fates, one, wires

PATIENCE_S = 30


@pytest.fixture(params=sorted(KINDS))
async def kind(
    request: pytest.FixtureRequest, tmp_path: Path, require_program: Callable[[str], str]
) -> AsyncIterator[StoreKind]:
    wanted = KINDS[request.param]
    if wanted.needs is not None:
        require_program(wanted.needs)
    made = wanted(tmp_path)
    yield made
    await made.close()


async def opened(kind: StoreKind, heard: Heard | None = None, retention: Retention | None = None) -> Store:
    store = kind.make(retention or Retention())
    await store.open((heard or Heard()).listener())
    return store


@pytest.fixture
async def store(kind: StoreKind) -> AsyncIterator[Store]:
    made = await opened(kind)
    yield made
    await made.close()


def numbers(lines: list[bytes]) -> list[int]:
    return [json.loads(line)["seq"] for line in lines]


async def test_a_new_store_is_empty_well_and_has_a_name(store: Store) -> None:
    assert (store.first, store.last, store.health) == (1, 0, WELL)
    assert store.stream
    assert store.place
    assert (await store.read(0)).through == 0


async def test_numbers_rise_by_one_and_survive_a_restart_with_the_stream(kind: StoreKind) -> None:
    before = await opened(kind)
    assert await fates(before, one(1), one(2)) == [(Fate.STORED, 1, 1), (Fate.STORED, 2, 2)]
    await before.close()

    again = await opened(kind)
    assert (again.stream, again.first, again.last) == (before.stream, 1, 2)
    assert await fates(again, one(2), one(3)) == [(Fate.DUPLICATE, 2, None), (Fate.STORED, 3, 3)]
    assert numbers(await wires(again)) == [1, 2, 3]
    await again.close()


async def test_what_is_read_is_the_producers_own_text_with_the_seq_in_front(store: Store) -> None:
    line = '{"id":"p:1", "odd" :[1.0,1e2,"\\u00e4ß🙂"],"odd":2}'
    await store.append([Submission("me", "p", 1, line)])

    assert await wires(store) == [b'{"seq":1,' + line[1:].encode()]


async def test_gaps_rejections_and_foreign_names_store_nothing(store: Store) -> None:
    bad = Submission("me", "p", 1, fault="bad")

    assert await fates(store, one(2), bad, one(1), one(2), one(3, owner="other")) == [
        (Fate.GAP, 0, None),
        (Fate.REJECTED, 1, None),
        (Fate.DUPLICATE, 1, None),
        (Fate.STORED, 2, 1),
        (Fate.NOT_OWNER, 0, None),
    ]
    assert await fates(store, one(1, "q", "other"), one(3, owner="other")) == [
        (Fate.STORED, 1, 2),
        (Fate.NOT_OWNER, 0, None),
    ]
    assert store.last == 2


async def test_of_a_large_batch_every_event_is_settled_by_itself_and_stored_in_its_order(kind: StoreKind) -> None:
    heard = Heard()
    store = await opened(kind, heard)
    batch: list[Submission] = []
    for n in range(1, 101):
        batch += [one(n, "a", round=f"r{n % 3}"), one(n, "a"), one(n + 2, "b")]
        batch.append(Submission("me", "c", n, fault="bad") if n % 7 == 0 else one(n, "c", thread="t", round="r"))

    found = await fates(store, *batch)

    fresh = [n for n in range(1, 101) if n % 7]
    assert [fate for fate, _, _ in found[1::4]] == [Fate.DUPLICATE] * 100
    assert [fate for fate, _, _ in found[2::4]] == [Fate.GAP] * 100
    assert [(fate, settled) for fate, settled, _ in found[3::4]] == [
        (Fate.STORED if n in fresh else Fate.REJECTED, n) for n in range(1, 101)
    ]
    stored = [item for item, (fate, _, _) in zip(batch, found, strict=True) if fate is Fate.STORED]
    assert len(stored) == 100 + len(fresh)
    assert [seq for _, _, seq in found if seq is not None] == heard.seqs == list(range(1, len(stored) + 1))
    assert [event.line for event in heard.events] == [item.line.encode() for item in stored]
    assert [event.thread for event in heard.events] == [item.thread for item in stored]
    assert await wires(store) == [with_seq(event.line, event.seq) for event in heard.events]
    assert [(await store.producer(name)) for name in "abc"] == [Producer("me", 100), None, Producer("me", 100)]
    await store.close()


@pytest.mark.parametrize("name", ['a"b\\c', "\0", "\n", "ü\u2028\U0001f600", " ", "1"])
async def test_a_name_may_hold_any_character(kind: StoreKind, name: str) -> None:
    heard = Heard()
    store = await opened(kind, heard)
    await store.append([one(1, round=name, thread=name), one(2, round=name), one(3, round="child", parent=name)])

    assert [(event.round, event.thread) for event in heard.events] == [(name, name), (name, name), ("child", name)]
    page = await store.read(0, Selection(rounds=frozenset((name,)), threads=frozenset((name,))))
    assert numbers(list(page.wires)) == [1, 2]
    await store.close()


async def test_a_producer_is_known_by_its_owner_and_what_was_settled(store: Store) -> None:
    await store.append([one(1), one(2), Submission("me", "p", 3, fault="bad"), one(7, "late")])

    assert await store.producer("p") == Producer("me", 3)
    assert await store.producer("late") is None


async def test_a_name_belongs_to_nobody_before_something_of_it_was_settled(store: Store) -> None:
    assert await fates(store, one(5)) == [(Fate.GAP, 0, None)]
    assert await fates(store, one(1, owner="other")) == [(Fate.STORED, 1, 1)]


async def test_an_event_is_told_before_its_receipt_and_every_event_once_and_in_order(kind: StoreKind) -> None:
    heard = Heard()
    store = await opened(kind, heard)

    async def publish(producer: str) -> None:
        for n in range(1, 31):
            (receipt,) = await store.append([one(n, producer, round=producer)])
            assert receipt.seq in heard.seqs

    await asyncio.gather(*(publish(f"p{number}") for number in range(10)))

    assert heard.seqs == list(range(1, 301))
    assert store.last == 300
    assert [event.line for event in heard.events if event.round == "p3"] == [
        one(n, "p3").line.encode() for n in range(1, 31)
    ]
    await store.close()


async def test_batches_that_were_handed_in_are_committed_before_it_closes(kind: StoreKind) -> None:
    store = await opened(kind)
    waiting = [asyncio.create_task(store.append([one(1, f"p{number}")])) for number in range(20)]
    await asyncio.sleep(0)
    await store.close()
    receipts = await asyncio.gather(*waiting)

    assert {receipt.fate for (receipt,) in receipts} == {Fate.STORED}
    again = await opened(kind)
    assert again.last == 20
    await again.close()


async def test_a_caller_that_gives_up_does_not_undo_the_commit(store: Store) -> None:
    given_up = asyncio.create_task(store.append([one(1)]))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)

    assert await fates(store, one(1), one(2)) == [(Fate.DUPLICATE, 1, None), (Fate.STORED, 2, 2)]


async def test_a_page_has_a_bounded_size_and_an_event_is_never_divided(store: Store) -> None:
    large = "x" * (EVENT_BYTES - 100)
    await store.append([one(n) for n in range(1, 6001)])
    await store.append([Submission("me", "q", n, f'{{"id":"q:{n}","text":"{large}"}}') for n in range(1, 4)])
    after, seen = 0, list[int]()
    while (page := await store.read(after)).through > after:
        assert sum(len(wire) for wire in page.wires[:-1]) < SEND_BYTES
        seen += numbers(list(page.wires))
        assert page.through == seen[-1]
        after = page.through

    assert seen == list(range(1, 6004))


async def test_a_selection_finds_rounds_threads_and_the_rounds_that_work_for_them(store: Store) -> None:
    await store.append(
        [
            one(1, round="a", thread="t"),
            one(2, round="a"),
            one(3, round="child", parent="a"),
            one(4, round="child"),
            one(5, round="b"),
            one(6, thread="t"),
        ]
    )
    await store.append([one(7, round="child"), one(8, round="x", parent="unknown")])

    async def found(**names: str) -> list[int]:
        page = await store.read(0, Selection(**{key: frozenset({value}) for key, value in names.items()}))
        assert page.through == 8
        return numbers(list(page.wires))

    assert await found(threads="t") == [1, 2, 3, 4, 6, 7]
    assert await found(rounds="a") == [1, 2]
    assert await found(rounds="a", threads="t") == [1, 2]
    assert await found(rounds="b", threads="t") == []


async def test_live_events_carry_the_thread_that_a_selection_goes_by(kind: StoreKind) -> None:
    heard = Heard()
    store = await opened(kind, heard)
    await store.append([one(1, round="a", thread="t"), one(2, round="child", parent="a")])
    await store.append([one(3, round="child"), one(4, round="other"), one(5, round="a", thread="moved")])
    await store.append([one(6, round="a")])

    assert [event.thread for event in heard.events] == ["t", "t", "t", None, "moved", "moved"]
    assert EVERYTHING.matches(heard.events[3])
    await store.close()


async def trimmed(store: Store) -> int:
    gone = 0
    async with asyncio.timeout(PATIENCE_S):
        while step := await store.trim():
            gone += step
    return gone


async def test_by_number_the_newest_stay_first_rises_and_what_was_settled_stays_settled(kind: StoreKind) -> None:
    store = await opened(kind, retention=Retention(events=1000))
    await store.append([one(n) for n in range(1, 3001)])

    assert await trimmed(store) == 2000
    assert (store.first, store.last) == (2001, 3000)
    page = await store.read(5)
    assert page.first == 2001
    assert numbers(list(page.wires))[0] == 2001
    assert await fates(store, one(1), one(3001)) == [(Fate.DUPLICATE, 3000, None), (Fate.STORED, 3001, 3001)]
    await store.close()

    again = await opened(kind, retention=Retention(events=1000))
    assert again.first == 2001
    assert await fates(again, one(2), one(2, owner="other")) == [
        (Fate.DUPLICATE, 3001, None),
        (Fate.NOT_OWNER, 0, None),
    ]
    await again.close()


async def test_by_age_what_was_stored_before_the_cutoff_goes(kind: StoreKind) -> None:
    store = await opened(kind, retention=Retention(days=2))
    await store.append([one(1), one(2)])
    kind.clock.now_s += DAY_S
    await store.append([one(3)])
    kind.clock.now_s += 0.9 * DAY_S
    assert await trimmed(store) == 0
    kind.clock.now_s += 0.2 * DAY_S
    await trimmed(store)
    assert store.first == 3
    kind.clock.now_s += DAY_S
    await store.append([one(4)])
    await trimmed(store)
    assert (store.first, store.last) == (4, 4)
    await store.close()


async def test_a_clock_that_is_set_back_lets_nothing_go_early(kind: StoreKind) -> None:
    store = await opened(kind, retention=Retention(days=1))
    await store.append([one(1)])
    kind.clock.now_s -= 10 * DAY_S
    await store.append([one(2)])
    kind.clock.now_s += 9 * DAY_S
    assert await trimmed(store) == 0
    await store.append([one(3)])
    kind.clock.now_s += 1.9 * DAY_S
    assert await trimmed(store) == 0
    await store.close()


async def test_the_newest_event_always_stays_so_that_the_numbering_goes_on(kind: StoreKind) -> None:
    store = await opened(kind, retention=Retention(days=1))
    await store.append([one(n) for n in range(1, 11)])
    kind.clock.now_s += 30 * DAY_S
    await trimmed(store)
    kind.clock.now_s += 30 * DAY_S
    await trimmed(store)
    assert (store.first, store.last) == (10, 10)
    await store.close()

    again = await opened(kind)
    assert (again.first, again.last) == (10, 10)
    assert await fates(again, one(11)) == [(Fate.STORED, 11, 11)]
    await again.close()


async def test_events_go_by_themselves_while_the_store_is_open(kind: StoreKind) -> None:
    store = await opened(kind, retention=Retention(events=10))
    await store.append([one(n) for n in range(1, 101)])
    async with asyncio.timeout(PATIENCE_S):
        while store.first < 91:  # noqa: ASYNC110 - the store tells by its bounds only
            await asyncio.sleep(0.05)
    assert numbers(await wires(store)) == list(range(91, 101))
    await store.close()


async def test_without_bounds_nothing_ever_goes(store: Store) -> None:
    await store.append([one(n) for n in range(1, 101)])
    assert await store.trim() == 0


async def test_a_failed_write_acknowledges_nothing_is_told_and_mends_itself(kind: StoreKind) -> None:
    heard = Heard()
    store = await opened(kind, heard)
    await store.append([one(1)])
    mend = await kind.break_writing(store)
    with pytest.raises(StoreUnavailable):
        await store.append([one(2), one(3)])
    assert (store.last, heard.seqs) == (1, [1])
    told = store.health
    assert told.writing is not Writing.OK
    assert told.why
    assert heard.health == [told]

    mend()
    async with asyncio.timeout(PATIENCE_S):
        while store.health.writing is not Writing.OK:  # noqa: ASYNC110 - nobody appends meanwhile
            await asyncio.sleep(0.05)
    assert heard.health[-1] == store.health == WELL
    assert [fate for fate, _, _ in await fates(store, one(2), one(3))] == [Fate.STORED, Fate.STORED]
    assert heard.seqs == [1, 2, 3]
    await store.close()


async def test_a_closed_store_says_so(kind: StoreKind) -> None:
    store = await opened(kind)
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.append([one(1)])
    with pytest.raises(StoreUnavailable):
        await store.read(0)
    with pytest.raises(StoreUnavailable):
        await store.producer("p")


async def test_a_store_for_one_hub_refuses_the_second(kind: StoreKind) -> None:
    if kind.shared:
        pytest.skip("several hubs share this kind")
    mine = await opened(kind)
    with pytest.raises(StoreError, match="another hub"):
        await opened(kind)
    await mine.close()
    again = await opened(kind)
    await again.close()


async def test_hubs_that_share_a_store_hear_the_same_events_in_the_same_order(kind: StoreKind) -> None:
    if not kind.shared:
        pytest.skip("this kind is for one hub")
    here, there = Heard(), Heard()
    mine, theirs = await opened(kind, here), await opened(kind, there)
    assert theirs.stream == mine.stream
    await asyncio.gather(
        *(store.append([one(1, f"{name}{n}")]) for n in range(50) for name, store in (("a", mine), ("b", theirs)))
    )
    assert [fate for fate, _, _ in await fates(theirs, one(1, "a7"), one(2, "a7", "other"))] == [
        Fate.DUPLICATE,
        Fate.NOT_OWNER,
    ]
    async with asyncio.timeout(PATIENCE_S):
        while min(len(here.seqs), len(there.seqs)) < 100:  # noqa: ASYNC110 - what the other hub stored comes in its time
            await asyncio.sleep(0.02)
    assert here.seqs == there.seqs == list(range(1, 101))
    assert here.events == there.events
    assert await wires(mine) == await wires(theirs)
    await mine.close()
    await theirs.close()
