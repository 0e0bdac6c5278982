from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub.coalesce import EVENT_S, MERGED_CHARS, Coalescer
from roundwatch.core.rounds import CallOutcome, Event, OutputKind, Usage
from roundwatch.core.rounds.events import CallFinished, CallOutput, CallUsage, ToolRequested


def out(
    text: str | None, kind: OutputKind = OutputKind.TEXT, tool: str | None = None, chars: int | None = None
) -> Event:
    return CallOutput(round="r", call="c", kind=kind, text=text, tool_call=tool, chars=chars)


def usage(n: int) -> Event:
    return CallUsage(round="r", call="c", usage=Usage(output_tokens=n))


END = CallFinished(round="r", call="c", outcome=CallOutcome.COMPLETED)

OUTPUTS = st.builds(
    out,
    st.text(max_size=5),
    st.sampled_from([OutputKind.TEXT, OutputKind.REASONING, OutputKind.TOOL_ARGUMENTS]),
    st.sampled_from([None, "t1", "t2"]),
)
STEPS = st.lists(st.tuples(st.floats(0, 0.3), st.one_of(OUTPUTS, st.builds(usage, st.integers(0, 9)))), max_size=40)


def runs(events: Iterable[Event]) -> list[tuple[object, str]]:
    """Text by kind, with neighbours of one kind joined: what must be the same before and after."""
    found: list[tuple[object, str]] = []
    for event in events:
        if isinstance(event, CallOutput):
            key = (event.kind, event.tool_call)
            if found and found[-1][0] == key:
                found[-1] = (key, found[-1][1] + (event.text or ""))
            else:
                found.append((key, event.text or ""))
    return found


@given(STEPS)
def test_no_character_is_lost_or_moved(steps: list[tuple[float, Event]]) -> None:
    coalescer, now, published = Coalescer(), 0.0, list[Event]()
    for pause, event in steps:
        now += pause
        published += coalescer.add(event, now)
    published += coalescer.add(END, now)
    assert runs(published) == runs(event for _, event in steps)
    assert published[-1] == END


@given(STEPS)
def test_no_more_than_ten_a_second_once_the_first_is_out(steps: list[tuple[float, Event]]) -> None:
    coalescer, now, count = Coalescer(), 0.0, 0
    for pause, event in steps:
        now += pause
        before = coalescer.due_s()
        released = coalescer.add(event, now)
        if released and before is not None:
            assert now >= before
        count += len(released)
    held = 0 if coalescer.due_s() is None else len(coalescer.flush(now))
    switches = len(runs(event for _, event in steps)) + 1  # each flush may end in the middle of a run, once
    assert count <= now / EVENT_S + switches + 1
    assert held <= len(steps)


def test_the_first_output_goes_out_at_once_and_the_next_ones_wait() -> None:
    coalescer = Coalescer()
    assert coalescer.add(out("a"), 5.0) == [out("a")]
    assert coalescer.due_s() is None
    assert coalescer.add(out("b"), 5.01) == []
    assert coalescer.add(out("c"), 5.02) == []
    assert coalescer.due_s() == 5.0 + EVENT_S
    assert coalescer.flush(5.1) == [out("bc")]


def test_any_other_event_comes_behind_what_was_held_back() -> None:
    coalescer = Coalescer()
    coalescer.add(out("a"), 0.0)
    coalescer.add(out("b"), 0.0)
    asked = ToolRequested(round="r", call="c", tool_call="t", name="read")
    assert coalescer.add(asked, 0.0) == [out("b"), asked]


def test_a_switch_of_kind_makes_a_further_event_and_a_longer_wait() -> None:
    coalescer = Coalescer()
    coalescer.add(out("a"), 0.0)
    coalescer.add(out("b"), 0.0)
    coalescer.add(out("r", OutputKind.REASONING), 0.0)
    assert coalescer.flush(0.1) == [out("b"), out("r", OutputKind.REASONING)]
    coalescer.add(out("c"), 0.1)
    assert coalescer.due_s() == 0.1 + 2 * EVENT_S


def test_arguments_of_two_tool_calls_are_not_mixed() -> None:
    coalescer = Coalescer()
    coalescer.add(out("x"), 0.0)
    for tool in ("t1", "t2", "t1"):
        coalescer.add(out(tool, OutputKind.TOOL_ARGUMENTS, tool), 0.0)
    held = [event.tool_call for event in coalescer.flush(1.0) if isinstance(event, CallOutput)]
    assert held == ["t1", "t2", "t1"]


def test_only_the_newest_running_usage_is_told() -> None:
    coalescer = Coalescer()
    assert coalescer.add(usage(1), 0.0) == [usage(1)]
    assert coalescer.add(usage(2), 0.01) == []
    assert coalescer.add(usage(3), 0.02) == []
    assert coalescer.flush(0.2) == [usage(3)]


def test_withheld_text_keeps_its_length() -> None:
    coalescer = Coalescer()
    coalescer.add(out("a"), 0.0)
    coalescer.add(out(None, chars=7), 0.0)
    coalescer.add(out(None, chars=5), 0.0)
    assert coalescer.flush(1.0) == [out(None, chars=12)]


def test_a_merged_text_stays_small_enough_for_a_frame() -> None:
    coalescer = Coalescer()
    coalescer.add(out("a"), 0.0)
    for _ in range(5):
        coalescer.add(out("x" * MERGED_CHARS), 0.0)
    assert [len(event.text or "") for event in coalescer.flush(1.0) if isinstance(event, CallOutput)] == [
        MERGED_CHARS
    ] * 5


def test_output_that_came_together_goes_out_together() -> None:
    coalescer = Coalescer()
    assert coalescer.add_all([out("a"), out("b"), out("c")], 5.0) == [out("abc")]
    assert coalescer.add_all([out("d"), END], 5.01) == [out("d"), END]
    assert coalescer.due_s() is None
