from __future__ import annotations

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.round_facts import Tokens, round_facts, round_title

from tests.scenes import Lines, answer, cap_cut, event, orphan, start
from tests.stage import ZONE
from tests.tui.lines import DE, EN, round_of, texts


def facts(lines: Lines, tokens: Tokens = (None, None), locale: Texts = EN) -> list[str]:
    return texts(round_facts(round_of(lines), tokens, locale, ZONE, 100))


def test_an_ended_round_has_its_span_and_its_figures() -> None:
    assert facts(cap_cut(), (517_307, 1_260), DE) == [
        "14:02:03 → 14:02:41   38,0 s   3 Aufrufe   517.307 ein   1.260 aus"
    ]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (66, "14:02:03 → 14:02:41   38.0 s   3 calls   517,307 in   1,260 out"),
        (60, "14:02:03 → 14:02:41  38.0 s  3 calls  517,307 in  1,260 out"),
        (57, "14:02:03 → 14:02:41  38.0 s  3 calls  517.3k in  1.3k out"),
    ],
)
def test_where_room_is_short_gaps_and_then_numbers_shrink_before_anything_is_cut(width: int, shown: str) -> None:
    assert texts(round_facts(round_of(cap_cut()), (517_307, 1_260), EN, ZONE, width)) == [shown]


def test_a_running_round_has_an_open_end_and_counts_nothing_that_was_not_reported() -> None:
    assert facts(start("r", 0)) == ["14:02:00 → …   no calls recorded"]


def test_title_parent_and_a_missed_start_are_told() -> None:
    assert facts(answer())[1] == "Review of the retry layer"
    assert facts(orphan())[1] == "sub-round of never-seen, which was never seen"
    assert facts(event("call.started", "r", 0, call="c"))[1] == "its start was not seen"


def test_the_title_names_what_is_known() -> None:
    assert round_title(round_of(cap_cut())) == ["271046c3", "worker", "review-2969"]
    assert round_title(round_of(event("call.started", "r\x1b", 0, call="c"))) == ["r␛"]
