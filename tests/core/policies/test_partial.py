from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import HEAD_LABEL, TAIL_LABEL, Partial, PartialAccumulator, PartialKind, is_recoverable
from roundwatch.core.policies.partial import MAX_REASONING_CHARS

LABEL = "[RECOVERED FROM AN UNFINISHED DELEGATE -- NOT DRAFT OUTPUT]"


def text(said: object) -> dict[str, object]:
    return {"type": "text", "text": said}


def thinking(thought: object) -> dict[str, object]:
    return {"type": "thinking", "text": thought}


def tool(name: object = "grep", **arguments: object) -> dict[str, object]:
    return {"type": "tool_call", "id": "c", "name": name, "input": arguments}


def recovered(blocks: Iterable[object], bound: int = MAX_REASONING_CHARS) -> Partial | None:
    accumulator = PartialAccumulator(bound)
    for block in blocks:
        accumulator.take(block)
    return accumulator.recovered()


def reasoning(blocks: Iterable[object], bound: int = MAX_REASONING_CHARS) -> Partial:
    found = recovered(blocks, bound)
    assert found is not None
    assert found.source == "spawn-accumulator:reasoning"
    assert found.kind == "reasoning"
    return found


def test_text_is_joined_and_nothing_of_the_other_channels_dilutes_it() -> None:
    found = recovered([thinking("secret"), text("one "), tool(), text("two"), thinking("more")])
    assert found is not None
    assert found == Partial("one two", PartialKind.TEXT, "spawn-accumulator", segments=2)
    assert found.as_payload() == {"text": "one two", "segments": 2, "source": "spawn-accumulator"}


def test_without_text_the_trace_and_the_reasoning_stand_between_two_labels() -> None:
    found = reasoning([thinking("first"), tool("read", path="/a"), thinking("second"), tool("grep", q="x")])
    assert found.text == "\n\n".join(
        (
            HEAD_LABEL,
            "Tool calls, in order:\n1. read(path=/a)\n2. grep(q=x)",
            "Reasoning, oldest first:",
            "first",
            "second",
            TAIL_LABEL,
        )
    )
    assert (found.segments, found.reasoning_segments, found.tool_calls) == (4, 2, 2)
    assert (found.reasoning_chars, found.total_reasoning_chars, found.dropped_segments) == (11, 11, 0)


def test_one_channel_alone_is_enough() -> None:
    assert "Tool calls" not in reasoning([thinking("only")]).text
    assert "Reasoning, oldest" not in reasoning([tool()]).text
    assert reasoning([tool(), tool()]).segments == 2


@pytest.mark.parametrize("label", [HEAD_LABEL, TAIL_LABEL])
def test_each_label_says_what_the_payload_is_and_is_not(label: str) -> None:
    assert label.startswith(LABEL)
    for part in ("private", "did not finish", "reasoning", "tool-call trace", "not a draft", "not a partial answer"):
        assert part in label


@pytest.mark.parametrize(
    "blocks",
    [
        [],
        [text(""), thinking("")],
        [text("\n"), text("  ")],
        [thinking(" \n ")],
        [{"type": "image", "text": "x"}, {"type": "tool_result", "content": "x"}],
        [text(5), text(None), thinking(["x"]), {"type": "text"}, {"text": "x"}],
        [None, "text", 5, ["type"], {}],
    ],
)
def test_nothing_visible_is_never_made_into_a_partial(blocks: list[object]) -> None:
    assert recovered(blocks) is None


def test_a_lone_line_break_does_not_displace_the_reasoning() -> None:
    assert reasoning([thinking("thought"), text("\n")]).segments == 1


def test_whole_segments_are_dropped_oldest_first_beyond_the_bound() -> None:
    found = reasoning([thinking("a" * 4), thinking("b" * 4), thinking("c" * 4)], bound=10)
    assert (found.reasoning_segments, found.reasoning_chars, found.dropped_segments) == (2, 8, 1)
    assert found.total_reasoning_chars == 12
    assert "aaaa" not in found.text
    assert "bbbb\n\ncccc" in found.text


def test_a_bound_that_is_exactly_reached_drops_nothing() -> None:
    assert reasoning([thinking("a" * 5), thinking("b" * 5)], bound=10).dropped_segments == 0


def test_the_only_segment_is_never_dropped_its_end_is_kept() -> None:
    found = reasoning([thinking("old " + "x" * 8 + "END")], bound=10)
    assert (found.reasoning_segments, found.reasoning_chars, found.dropped_segments) == (1, 10, 0)
    assert found.total_reasoning_chars == 15
    assert "\nxxxxxxxEND\n" in found.text


def test_a_newest_segment_above_the_bound_pushes_the_others_out_and_keeps_its_end() -> None:
    found = reasoning([thinking("aa"), thinking("b" * 12)], bound=10)
    assert (found.reasoning_segments, found.reasoning_chars, found.dropped_segments) == (1, 10, 1)


def test_tool_calls_are_not_bounded() -> None:
    assert reasoning([tool()] * 500, bound=1).tool_calls == 500


def test_the_tail_label_survives_a_consumer_that_keeps_the_end() -> None:
    assert reasoning([thinking("x" * 200_000)]).text[-20_000:].endswith(TAIL_LABEL)


def test_what_is_there_so_far_can_be_read_again_and_again_while_it_grows() -> None:
    accumulator = PartialAccumulator()
    accumulator.take(thinking("a"))
    assert accumulator.recovered() == accumulator.recovered()
    accumulator.take(text("now an answer begins"))
    found = accumulator.recovered()
    assert found is not None
    assert found.text == "now an answer begins"


def test_a_bound_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        PartialAccumulator(0)


@given(st.lists(st.text(min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=20), st.integers(1, 40))
def test_the_newest_reasoning_is_kept_within_the_bound_and_the_rest_is_counted(parts: list[str], bound: int) -> None:
    found = reasoning([thinking(part) for part in parts], bound)
    assert 0 < found.reasoning_chars <= bound
    assert found.dropped_segments + found.reasoning_segments == len(parts)
    assert found.total_reasoning_chars == sum(map(len, parts))
    assert parts[-1][-bound:] in found.text


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.integers(),
            st.dictionaries(
                st.sampled_from(["type", "text", "name", "input", 5]),
                st.one_of(
                    st.sampled_from(["text", "thinking", "tool_call"]), st.none(), st.integers(), st.lists(st.text())
                ),
            ),
        ),
        max_size=8,
    )
)
def test_no_block_whatever_its_shape_raises(blocks: list[object]) -> None:
    recovered(blocks)


@pytest.mark.parametrize(
    ("first", "killed", "there"), [(5.0, 4.9, False), (5.0, 5.0, True), (5.0, 60.0, True), (None, 9e9, False)]
)
def test_work_is_recoverable_from_its_first_evidence_on(first: float | None, killed: float, there: bool) -> None:
    assert is_recoverable(first, killed) is there
