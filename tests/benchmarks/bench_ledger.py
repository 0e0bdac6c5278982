"""Reading, folding and judging against the least that any reader must do: ``json.loads`` of the same bytes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable

from pydantic import TypeAdapter
from roundwatch.core.rounds import Event, Ledger, classify, parse_event
from roundwatch.core.rounds.events import KnownEvent, RoundFinished
from roundwatch.core.rounds.parse import parse_known
from roundwatch.core.rounds.rules import decide

from tests.benchmarks.event_mix import arrays, lines
from tests.benchmarks.timing import CPU, compare
from tests.rounds import call, end, fold, start

ROUNDS = 60
PAIRS = 15
LINES = lines(ROUNDS)
ARRAYS = arrays(LINES)


def _each(read: Callable[[bytes], object], texts: list[bytes]) -> Callable[[], int]:
    def work() -> int:
        for text in texts:
            read(text)
        return len(LINES)

    return work


def _fold(ledger: Ledger, events: Iterable[Event]) -> None:
    """What a reader does with its events: fold each, and judge a round when it ends."""
    for event in events:
        ledger.apply(event)
        if type(event) is RoundFinished:
            classify(ledger.rounds[event.round])


def _from_lines() -> int:
    ledger = Ledger()
    for line in LINES:
        event = parse_event(line)
        ledger.apply(event)
        if type(event) is RoundFinished:
            classify(ledger.rounds[event.round])
    return len(LINES)


def _from_arrays() -> int:
    ledger = Ledger()
    for frame in ARRAYS:
        _fold(ledger, parse_known(frame) or ())
    return len(LINES)


def _compare(name: str, ours: Callable[[], int], baseline: Callable[[], int]) -> None:
    compare(name, ours, baseline, "event", clock=CPU, pairs=PAIRS)


def main() -> None:
    counted = Counter(json.loads(line)["type"] for line in LINES)
    mix = ", ".join(f"{name} {count * 100 / len(LINES):.1f} %" for name, count in counted.most_common())
    print(f"{len(LINES)} events of {sum(map(len, LINES)) // len(LINES)} bytes on average: {mix}")
    by_line, by_array = _each(json.loads, LINES), _each(json.loads, ARRAYS)
    _compare("per line: read, fold, judge / json.loads", _from_lines, by_line)
    _compare("  of that: parse_event", _each(parse_event, LINES), by_line)
    _compare("  pydantic alone", _each(TypeAdapter[Event](KnownEvent).validate_json, LINES), by_line)
    _compare("per array of 100: read, fold, judge", _from_arrays, by_array)
    _compare("  of that: parse_known", _each(parse_known, ARRAYS), by_array)
    _compare("  pydantic alone", _each(TypeAdapter(list[KnownEvent]).validate_json, ARRAYS), by_array)
    _trusted(by_line, by_array)
    _growth()


def _trusted(by_line: Callable[[], int], by_array: Callable[[], int]) -> None:
    """What not reading again would gain, for events that one's own process has checked before.

    Two ways: the objects themselves are handed over, or their text is decoded and taken at its word. The second is
    no gain: checking is cheaper than building the objects by another way than the one that checks.
    """
    events = [parse_event(line) for line in LINES]
    kinds = {event.type: type(event) for event in events}

    def handed_over() -> int:
        _fold(Ledger(), events)
        return len(LINES)

    def unchecked() -> int:
        for frame in ARRAYS:
            for fields in json.loads(frame):
                kinds[fields["type"]].model_construct(**fields)
        return len(LINES)

    _compare("trusted, handed over: fold, judge / per line", handed_over, by_line)
    _compare("trusted, handed over: fold, judge / per array", handed_over, by_array)
    _compare("trusted, unchecked: decode, construct / array", unchecked, by_array)


def _growth() -> None:
    """Judging must not grow with the round: one of 10,000 calls against one of 10."""
    rounds = {
        calls: fold(start(), *(call(f"c{n}", "stop", "x") for n in range(calls)), end()).rounds["r"]
        for calls in (10, 10_000)
    }

    def classified(calls: int) -> int:
        round_ = rounds[calls]
        for _ in range(2_000):
            classify(round_)
        return 2_000

    def decided(calls: int) -> int:
        for _ in range(20_000):
            decide(rounds[calls])
        return 20_000

    compare("decide, 10,000 calls / 10 calls", lambda: decided(10_000), lambda: decided(10), "round", clock=CPU)
    compare("classify, 10,000 calls / 10 calls", lambda: classified(10_000), lambda: classified(10), "round", clock=CPU)


if __name__ == "__main__":
    main()
