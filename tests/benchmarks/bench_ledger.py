"""Parsing, folding and judging against the least that any reader must do: ``json.loads`` of the same lines."""

from __future__ import annotations

import json

from roundwatch.core.rounds import Ledger, classify, parse_event
from roundwatch.core.rounds.rules import decide

from tests.benchmarks.timing import compare
from tests.rounds import Lines, asks, call, end, event, fold, result, start

ROUNDS = 200
OUTPUTS = 40


def one_round() -> Lines:
    said = [line for n in range(OUTPUTS) for line in event("call.output", call="c1", kind="text", text=f"piece {n} ")]
    return [
        *start(agent="worker"),
        *said,
        *call("c1", "tool_use"),
        *asks("c1"),
        *result(),
        *call("c2", text="x"),
        *end(),
    ]


def lines_of(rounds: int) -> list[str]:
    body = one_round()
    return [json.dumps({"v": 1, "round": f"r{n}", **fields}) for n in range(rounds) for fields in body]


def main() -> None:
    lines = lines_of(ROUNDS)
    events = [parse_event(line) for line in lines]

    def decode() -> int:
        for line in lines:
            json.loads(line)
        return len(lines)

    def parse() -> int:
        for line in lines:
            parse_event(line)
        return len(lines)

    def apply() -> int:
        Ledger().apply_all(events)
        return len(events)

    compare("parse_event / json.loads", parse, decode, "event")
    compare("Ledger.apply / json.loads", apply, decode, "event")
    _growth()


def _growth() -> None:
    """Judging must not grow with the round: one of 10,000 calls against one of 10."""

    def classified(calls: int) -> int:
        round_ = rounds[calls]
        for _ in range(2_000):
            classify(round_)
        return 2_000

    rounds = {
        calls: fold(start(), *(call(f"c{n}", "stop", "x") for n in range(calls)), end()).rounds["r"]
        for calls in (10, 10_000)
    }

    def decided(calls: int) -> int:
        for _ in range(20_000):
            decide(rounds[calls])
        return 20_000

    compare("decide, 10,000 calls / 10 calls", lambda: decided(10_000), lambda: decided(10), "round")
    compare("classify, 10,000 calls / 10 calls", lambda: classified(10_000), lambda: classified(10), "round")


if __name__ == "__main__":
    main()
