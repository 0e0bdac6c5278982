"""Rounds of foreign records: what such a record never holds says nothing about the agent."""

from __future__ import annotations

from roundwatch.core.rounds import Silence

from tests.rounds import call, end, event, folded, judge, start

TRANSCRIPT = start(source="claude-code", silent=["finish_reason", "first_output", "something_new"])


def test_the_source_and_its_silence_are_kept_words_of_later_versions_too() -> None:
    round_ = folded(TRANSCRIPT, start(title="again", silent=["end"]))
    assert round_.source == "claude-code"
    assert round_.silent == {Silence.FINISH_REASON, Silence.FIRST_OUTPUT, Silence.END, "something_new"}


def test_a_reason_that_the_source_does_not_record_is_a_doubt_and_no_cut_even_where_an_earlier_one_is_there() -> None:
    outcome = judge(TRANSCRIPT, call("c1", "tool_use"), call("c2", None, "All done."), end())
    assert (outcome.verdict, outcome.evidence, outcome.doubts) == ("completed", "unconfirmed", ("inferred",))
    assert not outcome.is_answer


def test_without_such_a_silence_the_same_round_is_cut() -> None:
    spoken = start(source="claude-code", silent=["first_output"])
    outcome = judge(spoken, call("c1", "tool_use"), call("c2", None, "All done."), end())
    assert outcome.verdict == "stream_ended_without_finish"


def test_a_reason_that_is_there_counts_as_ever() -> None:
    assert judge(TRANSCRIPT, call("c1", "end_turn", "All done."), end()).is_answer
    assert judge(TRANSCRIPT, call("c1", "max_tokens", "All d"), end()).verdict == "output_cap_reached"


def test_a_call_that_never_ended_is_a_cut_in_a_transcript_too() -> None:
    lines = event("call.started", call="c1") + event("call.output", call="c1", kind="text", text="Once")
    assert judge(TRANSCRIPT, lines, end()).verdict == "stream_ended_without_finish"


def test_nothing_but_silence_is_no_output() -> None:
    assert judge(TRANSCRIPT, call("c1", None), end()).verdict == "no_output"


def test_no_note_counts_the_reasons_that_the_source_never_records() -> None:
    lines = call("c1", None, "a") + call("c2", None, "b")
    assert not judge(TRANSCRIPT, lines, call("c3", None, "c"), end()).notes
    assert [note.code for note in judge(start(), lines, call("c3", None, "c"), end()).notes] == ["calls_without_finish"]


WORDLESS = start(source="otlp", silent=["progress", "text"])


def test_where_texts_are_left_out_their_absence_proves_nothing() -> None:
    counted = {"input_tokens": 9, "output_tokens": 4}
    outcome = judge(WORDLESS, call("c1", "stop", usage=counted), end())
    assert (outcome.verdict, outcome.is_answer) == ("completed", True)
    tool = event("tool.requested", tool_call="t1", name="look") + event("tool.finished", tool_call="t1", ok=True)
    assert judge(WORDLESS, tool, call("c1", "stop", usage=counted), end()).verdict == "completed"


def test_without_counts_that_tell_of_text_it_is_a_doubt() -> None:
    for usage in (None, {"output_tokens": 7, "reasoning_tokens": 7}):
        outcome = judge(WORDLESS, call("c1", "stop", usage=usage), end())
        assert (outcome.verdict, outcome.doubts) == ("completed", ("text_not_recorded",))


def test_a_count_of_zero_is_no_output_and_a_cut_stays_one() -> None:
    assert judge(WORDLESS, call("c1", "stop", usage={"output_tokens": 0}), end()).verdict == "no_output"
    assert judge(WORDLESS, call("c1", "length", usage={"output_tokens": 8}), end()).verdict == "output_cap_reached"


def test_a_missing_reason_without_text_is_no_cut_unless_reasons_are_reported() -> None:
    assert judge(WORDLESS, call("c1", None, usage={"output_tokens": 4}), end()).verdict == "completed"
    proven = judge(WORDLESS, call("c1", "tool_calls"), call("c2", None, usage={"output_tokens": 4}), end())
    assert proven.verdict == "stream_ended_without_finish"


def test_a_result_told_late_takes_no_later_text_back() -> None:
    asked = event("tool.requested", tool_call="t1", name="look")
    late = event("tool.finished", tool_call="t1", ok=True, at="2026-01-01T00:00:01Z")
    wrote = call("c2", "stop", "All done.", sent={"at": "2026-01-01T00:00:02Z"})
    assert judge(start(), asked, wrote, late, end()).is_answer
    unread = event("tool.finished", tool_call="t1", ok=True, at="2026-01-01T00:00:09Z")
    assert judge(start(), asked, wrote, unread, end()).verdict == "no_final_answer"
