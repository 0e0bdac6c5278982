"""The Gemini CLI: messages that grow, one call each; no reason is recorded, so none is made up."""

from __future__ import annotations

from roundwatch.core.feeds.transcripts.gemini_cli import GeminiCli, GeminiCliDocument

from .foreign_records import (
    GEMINI,
    GEMINI_DOCUMENT,
    GEMINI_ROWS,
    Row,
    events_of,
    gemini_document,
    lines,
    outcomes,
    rounds_of,
    stamp,
)


def test_states_of_one_message_are_one_call_and_the_last_counts_win() -> None:
    first, second = rounds_of(events_of(GeminiCli(), GEMINI))
    assert [call.finish_reason for call in first.calls] == [None, None]
    usage = first.calls[0].usage
    assert (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cache_read_tokens) == (
        102,
        28,
        7,
        40,
    )
    assert [(tool.id, tool.state) for tool in first.calls[0].tool_calls] == [("t1", "ok")]
    assert first.calls[0].text == "Ich sehe nach …"
    ended = outcomes([first, second])
    assert (ended[0].verdict, ended[0].doubts) == ("completed", ("inferred",))
    assert not ended[0].is_answer
    assert second.calls[0].outcome == "failed"


def test_both_forms_tell_the_same_calls() -> None:
    newer, older = (rounds_of(events_of(parser, data))[0] for parser, data in FORMS)
    assert [(call.id, call.text, call.usage) for call in newer.calls] == [
        (call.id, call.text, call.usage) for call in older.calls
    ]


FORMS = ((GeminiCli(), GEMINI), (GeminiCliDocument(), GEMINI_DOCUMENT))


def test_a_later_state_of_the_document_only_adds_events() -> None:
    messages: list[Row] = [GEMINI_ROWS[1], GEMINI_ROWS[2]]
    states = [messages[:1], messages, [messages[0], GEMINI_ROWS[5]], [messages[0], GEMINI_ROWS[5], GEMINI_ROWS[6]]]
    before: list[object] = []
    for state in states:
        parser = GeminiCliDocument()
        parser.feed(gemini_document(state))
        now: list[object] = list(parser.settled())
        assert now[: len(before)] == before
        before = now
    assert len(before) > 5


def test_a_tool_that_the_user_turned_down_is_refused_and_a_stopped_request_is_cancelled() -> None:
    result = [{"functionResponse": {"response": {"error": "User did not allow tool call"}}}]
    tool: Row = {"id": "t", "name": "sh", "args": {}, "status": "cancelled", "result": result}
    rows: list[Row] = [
        {"id": "a", "type": "user", "content": "x", "timestamp": stamp(0)},
        {"id": "b", "type": "gemini", "content": "", "tokens": {"input": 1, "output": 1}, "toolCalls": [tool]},
        {"id": "c", "type": "info", "content": "Request cancelled.", "timestamp": stamp(500)},
    ]
    [round_] = rounds_of(events_of(GeminiCli(), lines(GEMINI_ROWS[0], *rows)))
    [refused] = round_.calls[0].tool_calls
    assert (refused.state, refused.why) == ("refused", "permission")
    assert outcomes([round_])[0].verdict == "cancelled"


def test_what_was_taken_back_may_be_said_again_under_the_same_id() -> None:
    said = {"id": "m2", "type": "gemini", "timestamp": stamp(8000), "content": "another", "model": "gemini-x"}
    data = lines(*GEMINI_ROWS[:3], {"$rewindTo": "m1"}, GEMINI_ROWS[1], said)
    first, second = rounds_of(events_of(GeminiCli(), data))
    assert (first.is_over, second.calls[0].text) == (True, "another")


def test_a_document_that_is_none_is_counted() -> None:
    parser = GeminiCliDocument()
    assert events_of(parser, GEMINI_DOCUMENT[:-40]) == []
    assert parser.unreadable.count == 1
