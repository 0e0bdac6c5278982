from __future__ import annotations

import time

from roundwatch.core.hub.kept_history import History
from roundwatch.core.rounds import Doubt, parse_event
from roundwatch.tui.refolding import refold

from tests.scenes import Lines, call, end, event, start


def history(lines: Lines, *, is_trimmed: bool = False, damaged: frozenset[str] = frozenset()) -> History:
    return History("s", [*enumerate(map(parse_event, lines), start=1)], len(lines), is_trimmed, damaged)


ROUND = [*start("r", 0), *call("r", "c", 0, first=1, total=2, text="x"), *end("r", 3)]


async def test_calls_that_ended_before_the_first_late_event_were_measured_already() -> None:
    late = call("r", "d", 4, first=1, total=2, text="y")
    found = await refold(history([*ROUND, *late]), ["r"], {"r": len(ROUND) + 1}, time.monotonic)
    assert found["r"].measured == {"c"}
    assert {each.id for each in found["r"].round.calls} == {"c", "d"}


async def test_a_round_that_lost_its_beginning_is_gone_and_one_with_its_start_is_whole() -> None:
    trimmed = history([*ROUND[1:], *start("s", 5)], is_trimmed=True)
    assert list(await refold(trimmed, ["r", "s", "never"], {}, time.monotonic)) == ["s"]
    assert list(await refold(history(ROUND[1:]), ["r"], {}, time.monotonic)) == ["r"]


async def test_a_round_with_an_unreadable_event_has_the_doubt() -> None:
    found = await refold(history(ROUND, damaged=frozenset("r")), ["r"], {}, time.monotonic)
    assert Doubt.FEED_GAP in found["r"].round.doubts


async def test_a_supervisor_s_word_goes_to_the_round_it_was_said_about() -> None:
    lines = [
        *start("r", 0, thread="t"),
        {"type": "thread.supervised", "thread": "t", "state": "idle", "verdict": "stale"},
        *start("later", 9, thread="t"),
    ]
    found = await refold(history(lines), ["r"], {}, time.monotonic)
    assert found["r"].round.supervised is not None


async def test_a_long_history_lets_others_have_their_turn() -> None:
    ticks = iter(range(10_000))
    lines = [*ROUND, *(line for n in range(200) for line in event("round.output", "r", 3, kind="text", text=str(n)))]
    found = await refold(history(lines), ["r"], {}, lambda: float(next(ticks)))
    assert found["r"].round.output.text.endswith("199")
