from __future__ import annotations

import pytest
from roundwatch.core.rounds import StopReason, reasons
from roundwatch.core.rounds.reasons import stop_reason
from roundwatch.core.rounds.usage import CACHE_BESIDE_INPUT, REASONING_BESIDE_OUTPUT
from roundwatch.core.wire.formats import WIRES

from tests.docs.pages import tables

PAGE = "providers.md"
WORDS: dict[str, StopReason] = vars(reasons)["_NEUTRAL"]
WORD_ROWS = tables(PAGE, "0")[0]
TOKEN_ROWS = tables(PAGE, "2")[0]


def test_the_finish_words_are_those_of_the_one_table() -> None:
    listed = {word: reason for reason, words in WORD_ROWS if reason != "unknown" for word in words.split()}

    assert listed == WORDS
    assert sum(len(words.split()) for reason, words in WORD_ROWS if reason != "unknown") == len(WORDS)


def test_every_neutral_reason_has_its_row() -> None:
    assert [reason for reason, _ in WORD_ROWS] == list(StopReason)
    assert stop_reason("every other word") is StopReason.UNKNOWN


def test_words_are_told_apart_by_upper_and_lower_case() -> None:
    assert stop_reason("length") is StopReason.OUTPUT_CAP
    assert stop_reason("LENGTH") is StopReason.UNKNOWN


def test_every_wire_is_described() -> None:
    assert [row[0] for row in tables(PAGE, "1")[0]] == list(WIRES)
    assert [row[0] for row in TOKEN_ROWS] == list(WIRES)
    assert {wire for row in tables(PAGE, "3")[0] for wire in row[0].split(", ")} == set(WIRES)


@pytest.mark.parametrize("row", TOKEN_ROWS, ids=lambda row: row[0])
def test_each_wire_counts_and_caps_as_said(row: tuple[str, ...]) -> None:
    wire, _, cached, reasoning, caps = row
    beside = {provider for name, provider in REASONING_BESIDE_OUTPUT if name == wire}
    but = "".join(f" ({provider}: no)" for provider in sorted(provider for provider in beside if provider))

    assert cached == ("no" if wire in CACHE_BESIDE_INPUT else "yes")
    assert reasoning == ("no" if None in beside else f"yes{but}")
    assert caps.split(", ") == [".".join(map(str, path)) for path in WIRES[wire].caps]
