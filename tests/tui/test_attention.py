from __future__ import annotations

import pytest
from roundwatch.tui.attention import APART_S, Attention, NoAnswer, is_quiet
from roundwatch.tui.preferences import Preferences

from tests.scenes import cancelled, cap_cut, filtered, outcome_of
from tests.tui.lines import DE, EN

CUT = NoAnswer("271046c3", "worker", outcome_of(cap_cut()))
FILTERED = NoAnswer("77e0c1b2", None, outcome_of(filtered()))
LOUD = Preferences(bell=True, desktop=True)


def test_a_round_that_is_no_answer_is_told_and_rings_only_where_that_was_chosen() -> None:
    quiet = Attention().about([CUT], Preferences(), EN, 12, 0.0)
    assert quiet.notices == ("┄ worker (271046c3): Stream ended without a finish",)
    assert (quiet.rings, quiet.desktop) == (False, None)
    loud = Attention().about([CUT], LOUD, DE, 12, 0.0)
    assert loud.rings
    assert loud.desktop == "roundwatch: ┄ worker (271046c3): Datenstrom ohne Abschluss"


def test_without_notices_it_can_still_ring() -> None:
    alert = Attention().about([CUT], Preferences(toast=False, bell=True), EN, 12, 0.0)
    assert (alert.notices, alert.rings) == ((), True)


def test_many_at_once_are_a_number() -> None:
    alert = Attention().about([CUT, FILTERED] * 3, LOUD, EN, 12, 0.0)
    assert alert.notices == (EN("tui.attention.many", n=6),)


def test_rings_are_apart() -> None:
    attention = Attention()
    assert attention.about([CUT], LOUD, EN, 12, 0.0).rings
    assert not attention.about([FILTERED], LOUD, EN, 12, APART_S / 2).rings
    assert attention.about([FILTERED], LOUD, EN, 12, APART_S * 2).rings


def test_a_round_that_somebody_cancelled_calls_for_nobody() -> None:
    alert = Attention().about([NoAnswer("c", None, outcome_of(cancelled()))], LOUD, EN, 12, 0.0)
    assert (alert.notices, alert.rings, alert.desktop) == ((), False, None)


@pytest.mark.parametrize(
    ("first", "end", "hour", "quiet"),
    [(22, 7, 23, True), (22, 7, 3, True), (22, 7, 7, False), (22, 7, 12, False), (8, 10, 9, True), (8, 10, 10, False),
     (None, 7, 3, False), (3, None, 3, False), (5, 5, 5, False)],
)  # fmt: skip
def test_quiet_hours_may_go_over_midnight(first: int | None, end: int | None, hour: int, quiet: bool) -> None:
    chosen = Preferences(bell=True, desktop=True, quiet_from=first, quiet_to=end)
    assert is_quiet(chosen, hour) is quiet
    alert = Attention().about([CUT], chosen, EN, hour, 0.0)
    assert alert.rings is not quiet
    assert (alert.desktop is None) is quiet
    assert alert.notices


def test_a_name_from_outside_is_cut_and_clean_in_an_alert() -> None:
    evil = NoAnswer("r\x1b]0;x\x07" * 30, "a\x1b[2J" * 30, outcome_of(cap_cut()))
    alert = Attention().about([evil], LOUD, EN, 12, 0.0)
    assert alert.desktop is not None
    assert "\x1b" not in alert.desktop
    assert len(alert.desktop) < 160
