from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import CallOutcome, Event, OutputKind
from roundwatch.core.rounds.events import CallFinished, CallOutput, RoundWarning, ToolRequested
from roundwatch.core.runner.blocks import Block, BlockEnds


def said(text: str | None, kind: OutputKind = OutputKind.TEXT, call: str = "c1", choice: int | None = None) -> Event:
    return CallOutput(round="r", call=call, kind=kind, text=text, choice=choice)


def thought(text: str) -> Event:
    return said(text, OutputKind.REASONING)


def asked(name: str = "grep", arguments: str | None = '{"q": "x"}') -> Event:
    return ToolRequested(round="r", call="c1", tool_call="t1", name=name, arguments=arguments)


END = CallFinished(round="r", call="c1", outcome=CallOutcome.COMPLETED, finish_reason="stop")


def blocks(*events: Event) -> list[Block]:
    ended: list[Block] = []
    reader = BlockEnds(ended.append)
    for event in events:
        reader.see(event)
    return ended


def test_a_block_ends_with_whatever_follows_it() -> None:
    call = {"type": "tool_call", "id": "t1", "name": "grep", "input": {"q": "x"}}
    assert blocks(thought("a"), thought("b"), said("c"), said("d"), asked(), said("e"), END) == [
        {"type": "thinking", "text": "ab"},
        {"type": "text", "text": "cd"},
        call,
        {"type": "text", "text": "e"},
    ]


@pytest.mark.parametrize("following", [said("{", OutputKind.TOOL_ARGUMENTS), said("no", OutputKind.REFUSAL)])
def test_output_that_is_no_block_of_ours_ends_the_one_before_it(following: Event) -> None:
    assert blocks(said("a"), following, END) == [{"type": "text", "text": "a"}]


def test_what_is_still_streaming_has_not_ended() -> None:
    assert blocks(said("a"), said("b")) == []


def test_the_next_call_ends_a_block_that_the_last_one_left_open() -> None:
    assert blocks(said("a"), said("b", call="c2")) == [{"type": "text", "text": "a"}]


@pytest.mark.parametrize(
    "between",
    [
        said(None, OutputKind.USAGE),
        said("other choice", choice=1),
        RoundWarning(round="r", code="cut_answer"),
    ],
)
def test_what_says_nothing_about_the_block_does_not_end_it(between: Event) -> None:
    assert blocks(said("a"), between, said("b"), END) == [{"type": "text", "text": "ab"}]


@pytest.mark.parametrize("arguments", [None, "", "{", "[1]", '{"half": "jso'])
def test_arguments_that_are_no_object_are_left_out(arguments: str | None) -> None:
    assert blocks(asked(arguments=arguments)) == [{"type": "tool_call", "id": "t1", "name": "grep", "input": {}}]


def test_an_empty_placeholder_asks_for_nothing() -> None:
    assert blocks(asked(name="", arguments="")) == []


@given(pieces=st.lists(st.text(max_size=5), max_size=8))
def test_however_a_text_is_split_it_ends_as_one_block(pieces: list[str]) -> None:
    whole = "".join(pieces)
    expected = [{"type": "text", "text": whole}] if whole else []
    assert blocks(*map(said, pieces), END) == expected
