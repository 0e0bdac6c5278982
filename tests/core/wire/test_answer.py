from __future__ import annotations

from roundwatch.core.rounds import OutputKind, Usage
from roundwatch.core.wire.answer import MAX_REPEATED, WORD_CHARS, Answer


def ended(answer: Answer) -> str:
    return answer.finished(streamed=True, lost=None, total_ms=None).outcome


def test_reports_are_merged_field_by_field() -> None:
    answer = Answer(round_="r", call="c")
    answer.report(Usage(input_tokens=7, output_tokens=1))
    answer.report(Usage(output_tokens=15))
    assert answer.usage == Usage(input_tokens=7, output_tokens=15)
    assert len(answer.drain()) == 2
    assert answer.drain() == []


def test_foreign_finish_words_are_bounded_in_length_and_number() -> None:
    answer = Answer(round_="r", call="c")
    for number in range(100):
        answer.finish(f"{number}" + "x" * 1000, native="y" * 1000)
    end = answer.finished(streamed=True, lost=None, total_ms=None)
    assert len(end.finish_reason or "") == len(end.native_finish_reason or "") == WORD_CHARS
    assert len(end.finish_repeated) == MAX_REPEATED


def test_a_detail_that_means_an_error_fails_the_call_without_a_word_of_its_own() -> None:
    answer = Answer(round_="r", call="c")
    answer.detail = "failed"
    answer.finish("incomplete")
    assert ended(answer) == "failed"


def test_a_lone_choice_that_is_not_the_first_is_listed() -> None:
    answer = Answer(round_="r", call="c")
    answer.output(OutputKind.TEXT, "x", choice=3)
    answer.finish("stop", choice=3)
    end = answer.finished(streamed=True, lost=None, total_ms=None)
    assert end.finish_reason is None
    assert [(one.index, one.finish_reason) for one in end.choices] == [(3, "stop")]
