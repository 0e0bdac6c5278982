from __future__ import annotations

from datetime import UTC, datetime

from roundwatch.core.feeds.transcripts.telling import Origin, Telling
from roundwatch.core.feeds.transcripts.told_text import OUTPUT_CHARS
from roundwatch.core.rounds import Event, Ledger
from roundwatch.core.rounds.base import CancelledBy, OutputKind, RefusedWhy
from roundwatch.core.rounds.events import ToolFinished, ToolRefused

AT = datetime(2026, 10, 1, tzinfo=UTC)


def telling() -> tuple[Telling, list[Event]]:
    events: list[Event] = []
    return Telling(Origin("s", "some-agent", ("end",)), events.append), events


def kinds(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def test_a_round_ends_once_and_at_the_last_moment_that_it_holds() -> None:
    told, events = telling()
    told.begin(AT)
    told.note(AT.replace(minute=5))
    told.note(AT.replace(minute=3))
    told.finish(None)
    told.finish(AT)
    assert kinds(events) == ["round.started", "round.finished"]
    assert events[-1].at == AT.replace(minute=5)


def test_before_a_round_there_is_nothing_to_end_cancel_or_name() -> None:
    told, events = telling()
    told.finish(AT)
    told.cancel(AT, CancelledBy.USER)
    told.name("x")
    assert not events


def test_a_call_without_a_round_begins_one() -> None:
    told, events = telling()
    told.start_call("c", "m")
    assert kinds(events) == ["round.started", "call.started"]


def test_a_new_round_ends_the_one_before_whose_tools_may_still_be_answered_once() -> None:
    told, events = telling()
    call = told.start_call("c", None)
    told.request_tool(call, "t1", "ls", {}, AT)
    told.request_tool(call, "t2", "ls", {}, AT)
    told.begin(AT)
    told.start_tool("t1", AT)
    for _ in range(2):
        told.finish_tool("t1", AT, ok=True)
        told.refuse_tool("t2", AT, RefusedWhy.POLICY, "no")
    late = events[-2:]
    assert kinds(events)[-4:] == ["round.finished", "round.started", "tool.finished", "tool.refused"]
    assert [(event.round, event.call) for event in late if isinstance(event, ToolFinished | ToolRefused)] == [
        ("s", "c")
    ] * 2
    assert told.round == "s#2"


def test_what_an_older_round_left_open_is_forgotten() -> None:
    told, events = telling()
    told.request_tool(told.start_call("c", None), "t", "ls", {}, AT)
    told.begin(AT)
    told.begin(AT)
    assert told.round_of("t") is None
    told.finish_tool("t", AT, ok=True)
    assert kinds(events)[-1] == "round.started"


def test_long_output_is_cut_and_its_length_told() -> None:
    told, events = telling()
    call = told.start_call("c", None)
    told.output(call, OutputKind.TEXT, "", AT)
    told.output(call, OutputKind.TEXT, "x" * (OUTPUT_CHARS + 5), AT)
    ledger = Ledger()
    ledger.apply_all(events)
    output = ledger.rounds["s"].calls[0].output
    assert (output.chars, output.withheld, len(events)) == (OUTPUT_CHARS + 5, 5, 3)


def test_blank_text_is_no_speech() -> None:
    told, _ = telling()
    call = told.start_call("c", None)
    told.output(call, OutputKind.TEXT, "\n\n", AT)
    assert not call.speaks
    told.output(call, OutputKind.TEXT, "a", AT)
    assert call.speaks
