from __future__ import annotations

import pytest
from roundwatch.core.rounds import FactValue, Verdict
from roundwatch.core.texts import OpenQuestion, question_text
from roundwatch.core.texts.open_questions import open_questions

from tests.core.texts.ended import BOTH, DE, EN, ended

Q = OpenQuestion


@pytest.mark.parametrize(
    ("verdict", "facts", "questions"),
    [
        (Verdict.SUPERVISOR_GAVE_UP, {"cuts": 3, "relaunches": 2}, (Q.HOST_SHUTDOWN_COUNTS, Q.RESTARTS_SO_CLOSE)),
        (Verdict.SUPERVISOR_GAVE_UP, {"cuts": 1, "relaunches": 0}, (Q.HOST_SHUTDOWN_COUNTS,)),
        (Verdict.SUPERVISOR_GAVE_UP, {}, (Q.HOST_SHUTDOWN_COUNTS,)),
        (Verdict.PROVIDER_ERROR, {"http_status": 403}, (Q.FAILOVER,)),
        (Verdict.PROVIDER_ERROR, {"http_status": 429}, (Q.FAILOVER,)),
        (Verdict.PROVIDER_ERROR, {"code": "insufficient_quota"}, (Q.FAILOVER,)),
        (Verdict.PROVIDER_ERROR, {"http_status": 500}, ()),
        (Verdict.STREAM_ENDED_WITHOUT_FINISH, {}, (Q.ADAPTERS_REPORTING,)),
        (Verdict.STREAM_ENDED_WITHOUT_FINISH, {"open_call": True}, ()),
        (Verdict.NO_OUTPUT, {}, ()),
    ],
)
def test_a_question_stands_where_it_bites(
    verdict: Verdict, facts: dict[str, FactValue], questions: tuple[OpenQuestion, ...]
) -> None:
    assert open_questions(ended(verdict, facts)) == questions


@pytest.mark.parametrize("question", list(OpenQuestion))
def test_every_question_has_a_text_that_calls_it_not_established(question: OpenQuestion) -> None:
    assert question_text(question, DE).startswith("Nicht geklärt: ")
    assert question_text(question, EN).startswith("Not established: ")
    for texts in BOTH:
        assert question_text(question, texts).endswith(".")
