"""pi: every answer says how it ended, what it cost, and when its request left."""

from __future__ import annotations

from roundwatch.core.feeds.transcripts.pi import Pi
from roundwatch.core.rounds import Silence

from .foreign_records import PI, PI_HEAD, events_of, lines, outcomes, pi_answer, pi_prompt, rounds_of, stamp


def test_prompts_begin_rounds_and_answers_are_calls_with_their_words_verbatim() -> None:
    first, second = rounds_of(events_of(Pi(), PI))
    assert (first.id, first.thread, first.title, first.source) == ("pi-1", "pi-1", "Größe der Datei?", "pi")
    assert second.id == "pi-1#2"
    assert [call.finish_reason for call in first.calls] == ["toolUse", "stop"]
    assert [(tool.name, tool.state) for tool in first.calls[0].tool_calls] == [("read", "ok")]
    assert [outcome.verdict for outcome in outcomes([first, second])] == ["completed", "cancelled"]
    assert outcomes([first])[0].is_answer


def test_a_request_left_when_its_message_was_made_and_ended_when_it_was_written() -> None:
    [round_] = rounds_of(events_of(Pi(), lines(PI_HEAD, pi_prompt("x"), pi_answer("y"))))
    assert round_.calls[0].total_ms == 1000
    assert round_.calls[0].first_output_ms is None
    assert Silence.FIRST_OUTPUT in round_.silent


def test_cached_tokens_count_as_input_and_zeros_of_an_aborted_answer_are_no_counts() -> None:
    nothing = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    data = lines(PI_HEAD, pi_prompt("x"), pi_answer("y"), pi_prompt("z"), pi_answer("", "aborted", usage=nothing))
    whole, aborted = rounds_of(events_of(Pi(), data))
    usage = whole.calls[0].usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (84, 5, 70)
    assert aborted.calls[0].usage.output_tokens is None


def test_a_cut_answer_and_an_error_that_was_tried_again() -> None:
    again = (pi_answer("", "error", errorMessage="overloaded"), pi_answer("better", "length", 4000))
    [round_] = rounds_of(events_of(Pi(), lines(PI_HEAD, pi_prompt("x"), *again)))
    assert [call.outcome for call in round_.calls] == ["failed", "completed"]
    assert outcomes([round_])[0].verdict == "output_cap_reached"


def test_an_answer_without_a_prompt_has_a_round_and_a_prompt_without_an_answer_runs_until_the_file_is_over() -> None:
    assert [outcome.verdict for outcome in outcomes(rounds_of(events_of(Pi(), lines(pi_answer("y")))))] == ["completed"]
    prompt = lines(PI_HEAD, pi_prompt("x"))
    assert [round_.is_over for round_ in rounds_of(Pi().feed(prompt))] == [False]
    assert [outcome.verdict for outcome in outcomes(rounds_of(events_of(Pi(), prompt)))] == ["no_output"]


def test_a_branched_session_tells_only_what_came_after_it_left_its_parent() -> None:
    head = {**PI_HEAD, "id": "pi-2", "timestamp": stamp(3000), "parentSession": "/somewhere/pi-1.jsonl"}
    copied = (pi_prompt("x"), pi_answer("the parent's", at=2000))
    own = (pi_prompt("z", at=3000), pi_answer("the branch's", at=5000))
    [round_] = rounds_of(events_of(Pi(), lines(head, *copied, *own)))
    assert (round_.id, round_.title, len(round_.calls)) == ("pi-2", "z", 1)
    unbranched = {name: value for name, value in head.items() if name != "parentSession"}
    assert len(rounds_of(events_of(Pi(), lines(unbranched, *copied, *own)))) == 2
