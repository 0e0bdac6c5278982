from __future__ import annotations

import pytest
from roundwatch.core.policies import HEAD_LABEL, TAIL_LABEL, PartialRegistry
from roundwatch.core.rounds import CallOutcome, Event, OutputKind
from roundwatch.core.rounds.events import CallFinished, CallOutput, ToolRequested
from roundwatch.core.runner.recovery import NOT_RESUMABLE, Recover, Recovery


def output(kind: OutputKind, text: str) -> Event:
    return CallOutput(round="r.1", call="c1", kind=kind, text=text)


TEXT = output(OutputKind.TEXT, "so far")
THOUGHT = output(OutputKind.REASONING, "first the list")
TOOL = ToolRequested(round="r.1", call="c1", tool_call="t", name="grep", arguments='{"q": 1}')
END = CallFinished(round="r.1", call="c1", outcome=CallOutcome.COMPLETED, finish_reason="stop")


def recovery(*events: Event, recover: Recover = Recover.ALL) -> tuple[PartialRegistry, Recovery]:
    """A recovery that began at second 100 and saw one event a second."""
    registry = PartialRegistry()
    found = Recovery(registry, "r.1", recover, 100.0)
    for second, event in enumerate(events, 101):
        found.see(event, float(second))
    return registry, found


def test_the_record_stands_from_the_start_and_is_read_once() -> None:
    registry, found = recovery()
    assert "r.1" in registry
    found.salvage(5.0, 104.0)
    assert "r.1" not in registry
    assert not found.salvage(5.0, 104.0).report.partial_available


def test_a_delegate_that_ends_by_itself_leaves_no_record() -> None:
    registry, found = recovery(TEXT, END)
    found.discard()
    assert len(registry) == 0


def test_the_event_tells_what_was_kept_and_when() -> None:
    event = recovery(THOUGHT, TOOL, THOUGHT, END)[1].salvage(5.0, 105.5).event("r.1")
    assert event.text is not None
    assert (event.text.startswith(HEAD_LABEL), event.text.endswith(TAIL_LABEL)) == (True, True)
    assert (event.kept_chars, event.total_chars) == (len(event.text), len(event.text))
    assert (event.segments, event.reasoning_segments, event.tool_calls, event.dropped_segments) == (3, 2, 1, 0)
    assert (event.first_evidence_ms, event.elapsed_ms, event.timeout_ms) == (2000.0, 5500.0, 5000.0)
    assert (event.resumable, event.resume_reason) == (False, NOT_RESUMABLE)


def test_blank_text_is_no_first_evidence() -> None:
    blank = output(OutputKind.TEXT, " \n")
    event = recovery(blank, TOOL)[1].salvage(5.0, 105.0).event("r.1")
    assert event.first_evidence_ms == 2000.0
    assert recovery(blank, END)[1].salvage(5.0, 105.0).event("r.1").first_evidence_ms is None


@pytest.mark.parametrize(
    ("recover", "events", "source"),
    [
        (Recover.ALL, (THOUGHT, TEXT, END), "spawn-accumulator"),
        (Recover.TEXT, (THOUGHT, TEXT, END), "spawn-accumulator"),
        (Recover.NOTHING, (THOUGHT, TEXT, END), "none"),
        (Recover.ALL, (THOUGHT, TOOL), "spawn-accumulator:reasoning"),
        (Recover.TEXT, (THOUGHT, TOOL), "none"),
    ],
)
def test_what_is_recovered_is_what_was_asked_for(recover: Recover, events: tuple[Event, ...], source: str) -> None:
    registry, found = recovery(*events, recover=recover)
    assert (len(registry) == 0) is (recover is Recover.NOTHING)
    assert found.salvage(5.0, 105.0).event("r.1").source == source
