from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import (
    EarlierSummary,
    LastError,
    NextStep,
    Provenance,
    Relaunches,
    ThreadReading,
    diagnosis,
    last_error,
    supervise,
)
from roundwatch.core.policies.supervision import LastErrorTitle
from roundwatch.core.rounds.base import Cut, ThreadSummary
from roundwatch.core.rounds.events import EXECUTING, SupervisorVerdict, ThreadState, ThreadSupervised

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
OLD = ThreadSummary(text="HTTP 403, limit reached", round="r1", at=NOW - timedelta(hours=5, minutes=7, seconds=40))
IN_FLIGHT = sorted(EXECUTING)
AT_REST = sorted(set(ThreadState) - EXECUTING)


def reading(
    state: ThreadState,
    status_line: str | None = None,
    summary: ThreadSummary | None = OLD,
    *,
    is_error: bool | None = None,
    current_round: str | None = "r2",
    completed: bool | None = None,
) -> ThreadReading:
    return ThreadReading(state, status_line, is_error, summary, current_round, completed)


def test_starting_and_executing_threads_have_a_round_in_flight() -> None:
    assert {ThreadState.STARTING, ThreadState.EXECUTING} == EXECUTING


@pytest.mark.parametrize("state", IN_FLIGHT)
def test_in_flight_the_status_line_is_the_last_error_and_the_summary_an_earlier_rounds(state: ThreadState) -> None:
    found = last_error(reading(state, "Host is shutting down"), NOW)
    assert (found.text, found.provenance) == ("Host is shutting down", Provenance.THIS_ROUND)
    assert found.earlier == EarlierSummary("HTTP 403, limit reached", "r1", 5 * 3600 + 7 * 60 + 40)


@pytest.mark.parametrize("state", IN_FLIGHT)
@pytest.mark.parametrize("blank", [None, "", "  ", "\n"])
def test_in_flight_without_a_status_line_there_is_no_error_whatever_the_summary(
    state: ThreadState, blank: str | None
) -> None:
    found = last_error(reading(state, blank))
    assert (found.text, found.provenance, found.is_error) == (None, Provenance.NONE_IN_FLIGHT, False)
    assert found.earlier == EarlierSummary("HTTP 403, limit reached", "r1", None)


@pytest.mark.parametrize("state", AT_REST)
def test_at_rest_the_summary_is_the_last_rounds_terminal_write_and_a_status_line_is_not_read(
    state: ThreadState,
) -> None:
    found = last_error(reading(state, "Reasoning… (45s)", current_round=None), NOW)
    assert (found.text, found.provenance) == ("HTTP 403, limit reached", Provenance.LAST_ROUND_TERMINAL)
    assert found.earlier is None
    assert (found.is_error, found.title) == (True, LastErrorTitle.ERROR)


@pytest.mark.parametrize("state", AT_REST)
def test_the_closing_text_of_a_completed_round_is_not_an_error(state: ThreadState) -> None:
    found = last_error(reading(state, completed=True))
    assert (found.is_error, found.title) == (False, LastErrorTitle.CLOSING_TEXT)


@pytest.mark.parametrize("summary", [None, ThreadSummary(), ThreadSummary(text=" ")])
def test_a_thread_without_a_visible_summary_has_no_text_and_nothing_earlier(summary: ThreadSummary | None) -> None:
    idle, busy = (
        last_error(reading(ThreadState.IDLE, None, summary)),
        last_error(reading(ThreadState.EXECUTING, None, summary)),
    )
    assert (idle.text, idle.is_error, idle.provenance) == (None, False, Provenance.LAST_ROUND_TERMINAL)
    assert (busy.text, busy.earlier) == (None, None)


@pytest.mark.parametrize(
    ("told", "is_error", "title"), [(None, False, "status"), (False, False, "status"), (True, True, "error")]
)
def test_a_status_line_is_called_an_error_only_where_it_is_known_to_be_one(
    told: bool | None, is_error: bool, title: str
) -> None:
    found = last_error(reading(ThreadState.EXECUTING, "Reasoning… (45s)", is_error=told))
    assert (found.is_error, found.title) == (is_error, title)


def test_a_summary_of_the_round_in_flight_itself_is_no_earlier_one() -> None:
    assert last_error(reading(ThreadState.EXECUTING, current_round="r1")).earlier is None


@pytest.mark.parametrize("rounds", [(None, None), (None, "r2"), ("r1", None)])
def test_a_summary_of_unknown_origin_counts_as_earlier(rounds: tuple[str | None, str | None]) -> None:
    summary = ThreadSummary(text="old", round=rounds[0])
    found = last_error(reading(ThreadState.EXECUTING, None, summary, current_round=rounds[1]))
    assert found.earlier == EarlierSummary("old", rounds[0], None)


def test_a_summary_from_a_clock_ahead_of_ours_has_no_negative_age() -> None:
    summary = ThreadSummary(text="old", round="r1", at=NOW + timedelta(minutes=1))
    found = last_error(reading(ThreadState.EXECUTING, None, summary), NOW)
    assert found.earlier is not None
    assert found.earlier.age_s == 0.0


@pytest.mark.parametrize("verdict", list(SupervisorVerdict))
def test_an_idle_threads_summary_is_read_alike_after_a_wake_a_relaunch_or_neither(verdict: SupervisorVerdict) -> None:
    word = ThreadSupervised(thread="t", state=ThreadState.IDLE, verdict=verdict, summary=OLD, status_line="Waking…")
    assert last_error(ThreadReading.of(word), NOW) == last_error(reading(ThreadState.IDLE, current_round=None), NOW)


def test_a_supervisors_word_is_read_with_what_the_reader_knows_beside_it() -> None:
    word = ThreadSupervised(
        thread="t", state=ThreadState.EXECUTING, verdict=SupervisorVerdict.STALE, status_line="boom", is_error=True
    )
    read = ThreadReading.of(word, current_round="r2", last_round_completed=False)
    assert read == ThreadReading(ThreadState.EXECUTING, "boom", True, None, "r2", False)


def test_three_cuts_under_a_cap_of_two_are_two_relaunches_and_a_giving_up() -> None:
    account = Relaunches()
    for _ in range(2):
        account = account.cut(Cut(cause="shutdown"))
        assert account.next_step is NextStep.RELAUNCH
        account = account.relaunched()
        assert not account.is_given_up
    account = account.cut(Cut(cause="shutdown"))
    assert (account.next_step, account.done, account.is_given_up) == (NextStep.GIVE_UP, 2, True)
    with pytest.raises(ValueError, match="settle the round"):
        account.relaunched()


@given(st.integers(0, 8), st.integers(0, 5))
def test_every_cut_counts_and_the_cap_bounds_the_relaunches(cuts: int, cap: int) -> None:
    account = supervise([Cut(cause=str(n)) for n in range(cuts)], cap)
    assert [cut.cause for cut in account.cuts] == [str(n) for n in range(cuts)]
    assert account.done == min(cuts, cap)
    assert account.is_given_up is (cuts > cap)


GIVEN_UP = supervise([Cut(cause="host shutting\ndown"), Cut(), Cut(cause="host shutting\ndown")], 2)


def test_the_diagnosis_tells_the_account_no_error_and_whose_text_the_earlier_one_is() -> None:
    error = last_error(reading(ThreadState.EXECUTING), NOW)
    assert diagnosis(GIVEN_UP, error) == (
        "Interrupted 3 times (host shutting down), relaunched 2 times of a cap of 2, given up. "
        "Last error: none — the round in flight has written no error. "
        'Left by an EARLIER round, not this one (round r1, 5 h 7 min earlier): "HTTP 403, limit reached".'
    )


def test_the_diagnosis_names_a_status_a_status_and_knows_singular() -> None:
    once = supervise([Cut(), Cut()], 1)
    status = last_error(reading(ThreadState.EXECUTING, "Reasoning…\n(45s)", None))
    assert diagnosis(once, status) == (
        'Interrupted 2 times, relaunched once of a cap of 1, given up. Last status: "Reasoning… (45s)".'
    )


@pytest.mark.parametrize(
    ("thread", "said"),
    [
        (reading(ThreadState.EXECUTING, "boom", None, is_error=True), 'Last error: "boom".'),
        (reading(ThreadState.IDLE), 'Last error: "HTTP 403, limit reached".'),
        (reading(ThreadState.IDLE, completed=True), 'Last text: "HTTP 403, limit reached".'),
        (reading(ThreadState.IDLE, summary=None), "Last error: none."),
    ],
)
def test_the_diagnosis_quotes_what_was_last_by_its_own_title(thread: ThreadReading, said: str) -> None:
    assert diagnosis(GIVEN_UP, last_error(thread)).endswith("given up. " + said)


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        (EarlierSummary("x"), 'not this one: "x".'),
        (EarlierSummary("x", "r1"), 'not this one (round r1): "x".'),
        (EarlierSummary("x", None, 125), 'not this one (2 min earlier): "x".'),
    ],
)
def test_the_diagnosis_says_no_more_of_an_earlier_text_than_is_recorded(earlier: EarlierSummary, said: str) -> None:
    error = LastError(None, Provenance.NONE_IN_FLIGHT, False, LastErrorTitle.STATUS, earlier)
    assert diagnosis(GIVEN_UP, error).endswith(said)
