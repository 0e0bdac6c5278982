from __future__ import annotations

import json

from roundwatch.core.rounds import Call, ToolCall
from roundwatch.tui.exact_text import call_text, entry_text, finish_reason_text

from tests.scenes import asks, call, event, start
from tests.tui.lines import round_of

RAW = "a\x1b[2J\r\n\u202e  ß\t"


def test_text_and_arguments_are_exactly_what_was_received() -> None:
    told = call("r", "c", 0, first=1, total=2, text=RAW, finish=RAW, between=asks("r", "c", "t", "tool", 1, RAW))
    round_ = round_of([*start("r", 0), *told])
    found, tool = round_.entries
    assert isinstance(found, Call)
    assert isinstance(tool, ToolCall)
    assert entry_text(found).text == RAW
    assert entry_text(tool).text == RAW
    reason = finish_reason_text(found)
    assert reason is not None
    assert reason.text == RAW
    assert json.loads(call_text(found).text)["text"] == RAW


def test_a_reason_that_was_not_reported_is_not_copied_as_anything() -> None:
    round_ = round_of([*start("r", 0), *call("r", "c", 0, first=1, total=2, finish=None)])
    assert finish_reason_text(round_.calls[0]) is None
    assert json.loads(call_text(round_.calls[0]).text)["finish_reason"] is None


def test_characters_that_were_never_sent_are_counted() -> None:
    held = event("call.output", "r", 1, call="c", kind="text", chars=500)
    round_ = round_of([*start("r", 0), *event("call.started", "r", 0, call="c"), *held])
    assert entry_text(round_.calls[0]).withheld == 500


def test_an_event_is_copied_as_it_came() -> None:
    round_ = round_of([*start("r", 0), *event("x.new", "r", 1, strange=[1, {"a": None}])])
    assert json.loads(entry_text(round_.entries[0]).text)["strange"] == [1, {"a": None}]
    round_ = round_of([*start("r", 0), *event("round.stopped", "r", 1, why="iterations")])
    assert json.loads(entry_text(round_.entries[0]).text)["why"] == "iterations"
