from __future__ import annotations

import unicodedata

from roundwatch.core.rounds import RefusedWhy, ToolState, Verdict
from roundwatch.core.texts import TOOL_MARKS, VERDICT_MARKS, cell_width, mark, tool_mark, verdict_mark

from tests.core.texts.ended import BOTH, DE, EN, ended

ALL = (*VERDICT_MARKS.values(), *TOOL_MARKS.values())
DRAWN_WIDE_BY_SOME = "⚡⏸⌛⏳"


def test_every_glyph_is_one_cell_and_every_stand_in_one_ascii_character() -> None:
    for found in ALL:
        assert cell_width(found.glyph) == 1
        assert unicodedata.east_asian_width(found.glyph) not in "WF"
        assert found.glyph not in DRAWN_WIDE_BY_SOME
        assert found.ascii.isascii()
        assert len(found.ascii) == 1


def test_every_verdict_and_every_tool_state_has_a_mark_with_a_word() -> None:
    assert set(VERDICT_MARKS) == {*Verdict, "completed_unconfirmed", "running_silent"}
    assert set(TOOL_MARKS) == {*ToolState, "refused_cut"}
    for texts in BOTH:
        assert all(found.word(texts) for found in ALL)
        assert not texts.gaps


def test_one_glyph_and_one_stand_in_mean_one_thing_among_verdicts() -> None:
    limits = {Verdict.MAX_ITERATIONS, Verdict.TOKEN_BUDGET, Verdict.COST_BUDGET, Verdict.WALL_CLOCK}
    shared = limits | {Verdict.STALLED_ITERATIONS}
    own = [found for state, found in VERDICT_MARKS.items() if state not in shared]
    assert len({found.glyph for found in own}) == len({found.ascii for found in own}) == len(own)
    assert {VERDICT_MARKS[state].glyph for state in shared} == {"■"}


def test_only_a_confirmed_answer_has_the_answers_mark() -> None:
    assert mark(ended(Verdict.COMPLETED)).word(DE) == "Antwort"
    unconfirmed = mark(ended(Verdict.COMPLETED, is_answer=False))
    assert (unconfirmed.glyph, unconfirmed.word(EN)) == ("?", "answer?")


def test_a_silent_round_is_marked_as_maybe_stalled() -> None:
    assert mark(ended(Verdict.RUNNING, stalled_ms=9_000.0)).word(EN) == "stalled?"
    assert mark(ended(Verdict.RUNNING)).word(EN) == "running"


def test_a_provider_error_is_its_status_where_that_is_one() -> None:
    assert mark(ended(Verdict.PROVIDER_ERROR, {"http_status": 403})).word(DE) == "HTTP 403"
    assert mark(ended(Verdict.PROVIDER_ERROR, {"http_status": 200})).word(EN) == "error"
    assert mark(ended(Verdict.PROVIDER_ERROR)).word(DE) == "Anbieterfehler"


def test_a_refusal_because_of_a_cut_has_its_own_word() -> None:
    assert tool_mark(ToolState.REFUSED, RefusedWhy.OUTPUT_CAP).word(EN) == "refused: cut off"
    assert tool_mark(ToolState.REFUSED, RefusedWhy.POLICY).word(EN) == "refused"
    assert tool_mark(ToolState.OK).word(DE) == "ok"


def test_the_sign_is_the_stand_in_without_unicode() -> None:
    found = verdict_mark(Verdict.OUTPUT_CAP_REACHED)
    assert (found.sign(), found.sign(unicode=False)) == ("✂", "%")
