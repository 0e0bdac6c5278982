"""opencode: requests of a message are calls; first outputs, retries, errors and tools' times are recorded."""

from __future__ import annotations

from pathlib import Path

from roundwatch.core.feeds.transcripts.opencode import Opencode
from roundwatch.core.rounds import Silence

from .foreign_records import OPENCODE, T0, Row, events_of, lines, opencode_rows, outcomes, rounds_of


def test_the_requests_of_a_message_are_calls_with_their_own_reasons_and_counts() -> None:
    first, second = rounds_of(events_of(Opencode(), OPENCODE))
    assert (first.id, first.agent, first.title, second.id) == ("o-1", "build", "Count the files", "o-1#2")
    assert [(call.attempt, call.finish_reason, call.outcome) for call in first.calls] == [
        (None, None, "failed"),
        (2, "tool-calls", "completed"),
        (None, "stop", "completed"),
    ]
    assert first.calls[0].error is not None
    assert first.calls[0].error.http_status == 529
    usage = first.calls[2].usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (40, 6, 30)
    assert first.calls[1].tool_calls[0].duration_ms == 250
    assert [outcome.verdict for outcome in outcomes([first, second])] == ["completed", "cancelled"]
    assert outcomes([first])[0].is_answer


def test_the_first_output_is_when_the_first_part_began() -> None:
    rows = [row for row in opencode_rows() if row.get("part", {}).get("type") != "retry"]
    assert rounds_of(events_of(Opencode(), lines(*rows)))[0].calls[0].first_output_ms == 800


def test_a_later_state_of_the_session_only_adds_events() -> None:
    rows = opencode_rows()
    before: list[object] = []
    for end in range(1, len(rows) + 1):
        state = [*rows[:end]]
        if 3 < end < 12:  # the answer is not completed while its parts come
            open_ = {key: value for key, value in rows[3]["message"].items() if key != "finish"}
            state[3] = {"message": {**open_, "time": {"created": T0 + 1000}}}
        parser = Opencode()
        parser.feed(lines(*state))
        now: list[object] = list(parser.settled())
        assert now[: len(before)] == before, end
        before = now


def test_an_output_cut_by_its_cap_is_cut_and_an_answer_of_an_old_version_is_inferred() -> None:
    def answer(**more: object) -> bytes:
        rows = opencode_rows()[:3]
        message = {"id": "m2", "sessionID": "o-1", "role": "assistant", **more}
        text = {"id": "p", "messageID": "m2", "type": "text", "text": "Two"}
        return lines(*rows, {"message": message}, {"part": text})

    time = {"created": T0 + 1000, "completed": T0 + 2000}
    [cut] = rounds_of(events_of(Opencode(), answer(time=time, error={"name": "MessageOutputLengthError", "data": {}})))
    assert outcomes([cut])[0].verdict == "output_cap_reached"
    [old] = rounds_of(events_of(Opencode(), answer(time=time)))
    assert outcomes([old])[0].doubts == ("inferred",)
    assert Silence.FINISH_REASON in old.silent
    [open_] = rounds_of(events_of(Opencode(), answer(time={"created": T0 + 1000})))
    assert outcomes([open_])[0].verdict == "stream_ended_without_finish"


def test_a_session_of_a_sub_agent_hangs_under_its_parent() -> None:
    rows: list[Row] = [{"session": {"id": "o-2", "parentID": "o-1", "title": "look"}}, *opencode_rows()[1:3]]
    [round_] = rounds_of(events_of(Opencode(), lines(*rows)))
    assert round_.id == "o-1/o-2"
    assert round_.parent is not None
    assert round_.parent.round == "o-1"


def test_a_single_file_of_the_store_is_read_too(tmp_path: Path) -> None:
    for row in opencode_rows():
        [record] = row.values()
        parser = Opencode()
        events_of(parser, lines(record))
        assert parser.unreadable.count == 0
