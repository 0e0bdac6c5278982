from __future__ import annotations

import asyncio
from collections.abc import Sequence

from roundwatch.core.hub.frames import Ack, Reject
from roundwatch.core.hub.metrics import Counters
from roundwatch.core.hub.settled_frames import Answers, Pending
from roundwatch.core.hub.store import Fate, Receipt, Submission

BAD = Reject(why="no event")


async def pending(
    *fates: tuple[str, int, Fate, int], rejects: Sequence[Reject] = (), error: Exception | None = None
) -> Pending:
    """Return a frame that the store has answered: producer, number, fate and what is settled of each event."""

    async def answer() -> list[Receipt]:
        if error is not None:
            raise error
        return [Receipt(fate, settled) for _, _, fate, settled in fates]

    receipts = asyncio.create_task(answer())
    await asyncio.wait([receipts])
    return Pending(list(rejects), [Submission("me", name, n) for name, n, _, _ in fates], receipts, 0.0, 10)


def stored(name: str, *numbers: int) -> list[tuple[str, int, Fate, int]]:
    return [(name, n, Fate.STORED, n) for n in numbers]


async def test_frames_of_one_commit_are_acknowledged_by_the_newest_of_each_producer() -> None:
    frames = [await pending(*stored("p", 1, 2)), await pending(*stored("q", 1)), await pending(*stored("p", 3, 4))]
    assert Answers(Counters(), lambda _: None).of(frames) == [Ack(id="p:4"), Ack(id="q:1")]


async def test_what_was_settled_before_a_rejection_is_acknowledged_before_it() -> None:
    counters = Counters()
    answers = Answers(counters, lambda _: None)
    frames = [
        await pending(*stored("p", 1, 2)),
        await pending(("p", 3, Fate.REJECTED, 3), ("p", 9, Fate.GAP, 3), rejects=[BAD]),
        await pending(("p", 3, Fate.DUPLICATE, 3), *stored("p", 4)),
    ]
    assert answers.of(frames) == [
        Ack(id="p:2"),
        BAD,
        Reject(id="p:3", why=""),
        Reject(id="p:9", why="gap", expected=4),
        Ack(id="p:4"),
    ]
    assert (counters.frames_rejected, counters.rejected, counters.gaps, counters.duplicates) == (1, 1, 1, 1)
    assert answers.rejected == 2  # a gap is nobody's fault


async def test_a_name_is_claimed_once_and_never_one_that_belongs_to_another() -> None:
    claimed: list[str] = []
    answers = Answers(Counters(), claimed.append)
    frame = await pending(*stored("p", 1, 2), ("theirs", 1, Fate.NOT_OWNER, 0), ("late", 7, Fate.GAP, 0))
    told = answers.of([frame, await pending(*stored("p", 3))])
    assert claimed == ["p", "late"]
    assert told == [
        Reject(id="theirs:1", why="not_owner"),
        Reject(id="late:7", why="gap", expected=1),
        Ack(id="p:3"),
    ]


async def test_a_frame_is_settled_when_the_store_has_answered_without_failing() -> None:
    assert (await pending(*stored("p", 1))).is_settled
    assert not (await pending(error=OSError())).is_settled
    waiting = Pending([], [], asyncio.create_task(asyncio.sleep(3600, [])), 0.0, 10)
    assert not waiting.is_settled
    waiting.receipts.cancel()
    await asyncio.wait([waiting.receipts])
    assert not waiting.is_settled
