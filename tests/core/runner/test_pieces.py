from __future__ import annotations

import pytest
from roundwatch.core.rounds import CallOutcome, Event, OutputKind, Usage
from roundwatch.core.rounds.events import CallFinished, CallOutput, CallUsage, IterationCompleted, ToolRequested
from roundwatch.core.runner.pieces import Listened, Piece, finish_of, is_output, releases

TEXT = CallOutput(round="r", call="c", kind=OutputKind.TEXT, text="It lies")
EMPTY = CallOutput(round="r", call="c", kind=OutputKind.TEXT, text="")
WITHHELD = CallOutput(round="r", call="c", kind=OutputKind.REASONING, chars=9)
SIGN = CallOutput(round="r", call="c", kind=OutputKind.USAGE, chars=9)
USAGE = CallUsage(round="r", call="c", usage=Usage(output_tokens=7))
TOOL = ToolRequested(round="r", call="c", tool_call="t", name="look")
END = CallFinished(round="r", call="c", outcome=CallOutcome.COMPLETED, finish_reason="stop")
BLANK = CallFinished(round="r", call="c", outcome=CallOutcome.COMPLETED, finish_reason=" ")


@pytest.mark.parametrize(
    ("event", "output", "release"),
    [
        (TEXT, True, True), (EMPTY, False, False), (WITHHELD, True, True), (SIGN, False, False),
        (USAGE, False, True), (TOOL, True, True), (END, False, False),
    ],
)  # fmt: skip
def test_usage_ends_the_holding_back_and_is_no_output(event: Event, output: bool, release: bool) -> None:
    assert (is_output(event), releases(event)) == (output, release)


@pytest.mark.parametrize(("event", "word"), [(END, "stop"), (BLANK, None), (TEXT, None)])
def test_a_blank_finish_reports_nothing(event: Event, word: str | None) -> None:
    assert finish_of(event) == word


class Above:
    def __init__(self) -> None:
        self.seen: list[Event | None] = []

    def take(self, event: Event) -> None:
        self.seen.append(event)

    def forget(self) -> None:
        self.seen.append(None)


def test_a_listener_is_told_what_a_message_says_and_everything_goes_on_up() -> None:
    above, pieces = Above(), list[Piece]()
    listened = Listened("m", pieces.append, above)
    done = IterationCompleted(round="r", iteration=1, will_continue=False)
    for event in (TEXT, USAGE, TOOL, END, done):
        listened.take(event)
    listened.forget()
    assert above.seen == [TEXT, USAGE, TOOL, END, done, None]
    assert pieces == [
        Piece("m", "It lies", OutputKind.TEXT),
        Piece("m", usage=Usage(output_tokens=7)),
        Piece("m", finish_reason="stop"),
        Piece("m", taken_back=True),
    ]


def test_without_a_listener_it_only_goes_on_up() -> None:
    above = Above()
    listened = Listened("m", None, above)
    listened.take(TEXT)
    listened.forget()
    assert above.seen == [TEXT, None]
