from __future__ import annotations

from roundwatch.core.rounds import parse_event
from roundwatch.tui.history_needs import MOST_HELD, MOST_TRIES, HistoryNeeds, HistoryState

CANCEL = parse_event({"type": "round.cancel_requested", "round": "r", "by": "user"})
STALE = parse_event({"type": "thread.supervised", "thread": "t", "state": "idle", "verdict": "stale"})


def test_the_round_on_screen_goes_first_then_those_that_wait_longest() -> None:
    needs = HistoryNeeds()
    for seq, name in enumerate("abc", start=1):
        needs.late(name, CANCEL, seq)
    assert needs.next(2) == ["a", "b"]
    needs.open("z")
    assert needs.next(2) == ["z"]
    assert needs.first_late("b") == 2


def test_what_can_never_be_had_is_not_asked_for_again() -> None:
    needs = HistoryNeeds()
    needs.late("r", CANCEL, 1)
    needs.settle("r", HistoryState.GONE)
    needs.late("r", CANCEL, 2)
    needs.try_again()
    assert (needs.next(5), needs.states["r"]) == ([], HistoryState.GONE)


def test_what_fails_is_asked_for_a_few_times_and_again_when_the_link_is_back_or_it_is_opened() -> None:
    needs = HistoryNeeds()
    needs.late("r", CANCEL, 1)
    for _ in range(MOST_TRIES):
        assert needs.next(5) == ["r"]
        needs.failed("r")
    assert (needs.next(5), needs.states["r"]) == ([], HistoryState.FAILED)
    needs.try_again()
    assert needs.next(5) == ["r"]
    for _ in range(MOST_TRIES):
        needs.failed("r")
    needs.open("r")
    assert needs.next(5) == ["r"]


def test_what_comes_while_a_history_is_read_is_held_and_what_is_in_it_is_not_folded_twice() -> None:
    needs = HistoryNeeds()
    needs.late("r", CANCEL, 1)
    needs.begin(["r"])
    for seq in (8, 9):
        needs.late("r", CANCEL, seq)
    assert needs.held("r", 8, with_thread=False) == [(9, CANCEL)]
    needs.came_back("r", 8, with_thread=False)
    needs.end()
    assert needs.has_folded("r", 8, by_supervisor=False)
    assert not needs.has_folded("r", 8, by_supervisor=True)
    assert not needs.has_folded("other", 8, by_supervisor=False)
    assert not needs.has_folded("r", 9, by_supervisor=False)
    assert not needs.has_folded("r", 8, by_supervisor=False)


def test_a_supervisor_s_word_is_held_unless_its_thread_was_read_too() -> None:
    needs = HistoryNeeds()
    needs.begin(["r"])
    needs.late("r", STALE, 5)
    assert needs.held("r", 9, with_thread=False) == [(5, STALE)]
    assert needs.held("r", 9, with_thread=True) == []


def test_more_than_is_held_is_noticed() -> None:
    needs = HistoryNeeds()
    needs.begin(["r"])
    for seq in range(MOST_HELD + 1):
        needs.late("r", CANCEL, seq)
    assert needs.has_overflowed
    needs.end()
    assert not needs.has_overflowed
