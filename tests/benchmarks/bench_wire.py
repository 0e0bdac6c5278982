"""The translators, bytes to events, against the least that any reader must do: ``json.loads`` of the same texts."""

from __future__ import annotations

import json
from collections.abc import Callable

from roundwatch.core.wire import translator

from tests.benchmarks.timing import CPU, compare
from tests.benchmarks.wire_bodies import bodies

READ_BYTES = 4096  # what a read from a socket brings of a stream that comes fast
REPEATS = 5


def translate(wire: str, body: bytes, size: int) -> Callable[[], int]:
    """Return what translates the body in pieces, and counts its JSON texts with ``texts``."""

    def work() -> int:
        events = 0
        for _ in range(REPEATS):
            reader = translator(wire, round="r", call="c")
            for start in range(0, len(body), size):
                events += len(reader.feed(body[start : start + size], 1.0))
            events += len(reader.close(2.0))
        return events

    return work


def decode(texts: list[bytes], units: int) -> Callable[[], int]:
    """Return what decodes the texts, and counts as many units as the translator's events."""

    def work() -> int:
        for _ in range(REPEATS):
            for text in texts:
                json.loads(text)
        return units

    return work


def main() -> None:
    for wire, (body, texts) in bodies().items():
        ours = translate(wire, body, READ_BYTES)
        compare(f"{wire} / json.loads", ours, decode(texts, ours()), "event", clock=CPU)


if __name__ == "__main__":
    main()
