from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from roundwatch.core.rounds import FactValue
from roundwatch.core.rounds.base import Cut, ThreadSummary
from roundwatch.core.rounds.events import SupervisorVerdict, ThreadState, ThreadSupervised
from roundwatch.core.texts import supervisor_lines
from roundwatch.core.texts.supervisor_sentences import gave_up, last_error

from tests.core.texts.ended import BOTH, DE, EN

NOW = datetime(2026, 10, 7, 3, 15, 36, tzinfo=UTC)


def word(state: str, verdict: str, **fields: Any) -> ThreadSupervised:
    return ThreadSupervised(thread="t1", state=ThreadState(state), verdict=SupervisorVerdict(verdict), at=NOW, **fields)


def test_giving_up_counts_cuts_and_relaunches_and_labels_an_earlier_text() -> None:
    facts: dict[str, FactValue] = {
        "cuts": 3,
        "relaunches": 2,
        "cap": 2,
        "earlier_summary": "HTTP 403",
        "earlier_age_s": 98_856.0,
    }
    assert gave_up(facts, DE) == (
        "Die Überwachung gab nach 3 Unterbrechungen und 2 Neustarts auf.",
        "Erlaubt sind 2 Neustarts.",
        "Letzter Fehler: keiner – die laufende Runde hat keinen gemeldet.",
        "Aus einer früheren Runde (27 h 27 min zuvor), nicht aus dieser: „HTTP 403“.",
    )
    assert gave_up({"cuts": 1, "relaunches": 0, "cap": 0}, DE)[1] == "Neustarts waren nicht erlaubt."
    assert gave_up({"cuts": 1, "relaunches": 0, "cap": 0}, EN)[1] == "No relaunch was allowed."
    assert gave_up({"cuts": 1, "relaunches": 1, "cap": 1}, EN)[:2] == (
        "The supervisor gave up after 1 interruption and 1 relaunch.",
        "The cap is 1 relaunch.",
    )


def test_counts_that_are_not_recorded_are_not_invented() -> None:
    assert gave_up({}, EN)[0] == "The supervisor gave up on the round."
    assert gave_up({"relaunches": 2}, DE)[0] == "Die Überwachung gab nach 2 Neustarts auf."


@pytest.mark.parametrize(
    ("is_error", "en"),
    [(True, 'Last error: "x".'), (False, 'Last status, not an error: "x".'), (None, 'Last status line: "x".')],
)
def test_a_status_line_is_called_an_error_only_when_it_is_one(is_error: bool | None, en: str) -> None:
    assert last_error("x", is_error, EN) == en


def test_an_executing_thread_has_its_summary_from_an_earlier_round() -> None:
    summary = ThreadSummary(round="r0", at=NOW - timedelta(hours=27, minutes=27), text="HTTP 403 key limit")
    for event in (word("executing", "relaunched", summary=summary), word("starting", "stale", summary=summary)):
        lines = supervisor_lines(event, EN)
        assert "Last error: none – the round in flight has written no error." in lines
        assert 'Left by an earlier round (27 h 27 min earlier), not this one: "HTTP 403 key limit".' in lines


def test_a_summary_without_a_time_is_still_an_earlier_rounds() -> None:
    event = word("executing", "relaunched", summary=ThreadSummary(text="old"))
    assert supervisor_lines(event, DE)[-1] == "Aus einer früheren Runde, nicht aus dieser: „old“."


def test_a_blank_status_line_is_none() -> None:
    assert "none" in supervisor_lines(word("executing", "stale", status_line="  "), EN)[1]


def test_an_idle_thread_has_its_summary_from_its_last_round() -> None:
    event = word("idle", "parked", summary=ThreadSummary(text="all done"))
    assert 'The last round ended with: "all done".' in supervisor_lines(event, EN)
    assert "Schlusstext der letzten Runde: „all done“." in supervisor_lines(event, DE, last_completed=True)


@pytest.mark.parametrize("verdict", list(SupervisorVerdict))
def test_every_word_of_a_supervisor_has_a_line(verdict: SupervisorVerdict) -> None:
    event = word("idle", verdict, cuts=(Cut(),), relaunches=1, relaunch_cap=2)
    for texts in BOTH:
        lines = supervisor_lines(event, texts)
        assert len(lines) == (5 if verdict is SupervisorVerdict.STALE else 4)
        assert all(line.endswith(".") for line in lines)
        assert not texts.gaps


@pytest.mark.parametrize(
    ("why", "en", "de"),
    [
        ("silent", "The hub: a call was open without output for 3 min.", "Ein Aufruf war offen"),
        ("parent_waits", "The hub: the sub-round had ended", "Die Unterrunde war zu Ende"),
        ("publisher_gone", "The hub: the publisher's connection was gone for 3 min", "Die Verbindung zum Sender war"),
        ("publisher_left", "The hub: the publisher had left 3 min before", "Der Sender war seit 3 min weg"),
    ],
)
def test_what_the_hub_saw_is_said_as_the_hubs_in_the_viewers_language(why: str, en: str, de: str) -> None:
    seen = word("executing", "stale", by="hub", why=why, after_s=180.0, status_line="in English", is_error=False)
    ((english,), (german,)) = supervisor_lines(seen, EN), supervisor_lines(seen, DE)
    assert english.startswith(en)
    assert german.startswith(f"Der Hub: {de}")


def test_a_word_of_the_hub_that_is_not_known_here_is_quoted_like_any_other() -> None:
    seen = word("executing", "stale", by="hub", why="news", after_s=1.0, status_line="something new", is_error=False)
    assert supervisor_lines(seen, EN)[-1] == 'Last status, not an error: "something new".'
