from __future__ import annotations

from collections.abc import Sequence

import pytest
from roundwatch.core.feeds import rounds_book
from roundwatch.core.feeds.asked import Asked, ToolResult
from roundwatch.core.feeds.identity import Identity
from roundwatch.core.feeds.pending_tools import Pending
from roundwatch.core.feeds.rounds_book import RETRY_WAIT_S, Placed, RoundBook
from roundwatch.core.rounds.base import CallOutcome

NOBODY = Identity()
SCOPE = ("up", "openai-chat")
DONE, FAILED = CallOutcome.COMPLETED, CallOutcome.FAILED


@pytest.fixture
def book() -> RoundBook:
    return RoundBook("x", idle_s=900.0)


def ask(
    book: RoundBook, *turns: str, who: Identity = NOBODY, results: Sequence[str] = (), goes_on: bool = False
) -> Placed:
    answers = tuple(ToolResult(id_, None, "ok") for id_ in results)
    return book.place(Asked({}, turns, "", answers, goes_on or bool(results)), who, SCOPE)


def end(
    book: RoundBook, placed: Placed, outcome: CallOutcome = DONE, *, tools: Sequence[str] = (), at: float = 0.0
) -> bool:
    call = placed.round.next_call()
    for id_ in tools:
        book.requested(placed.round, Pending(call, id_, "look"))
    return book.call_ended(placed.round, call, outcome, at)


def test_a_call_without_tools_ends_its_round(book: RoundBook) -> None:
    assert end(book, ask(book, "a"))


def test_a_cancelled_call_ends_its_round_whatever_it_asked_for(book: RoundBook) -> None:
    assert end(book, ask(book, "a"), CallOutcome.CANCELLED, tools=["t"])


def test_tools_and_failures_keep_it_open_for_a_time_of_their_own(book: RoundBook) -> None:
    asking, failing = ask(book, "a"), ask(book, "b")
    assert not end(book, asking, tools=["t"], at=100.0)
    assert not end(book, failing, FAILED, at=100.0)

    assert list(book.expired(100.0 + RETRY_WAIT_S - 1)) == []
    assert list(book.expired(100.0 + RETRY_WAIT_S)) == [failing.round]
    assert list(book.waiting()) == [asking.round]
    assert list(book.expired(1000.0)) == [asking.round]
    assert list(book.expired(2000.0)) == []


def test_a_request_in_time_keeps_the_round_from_expiring(book: RoundBook) -> None:
    first = ask(book, "a")
    end(book, first, tools=["t"])
    second = ask(book, "a", results=["t"])

    assert second.round is first.round
    assert list(book.expired(10_000.0)) == []


def test_results_find_their_round_even_where_the_turns_changed(book: RoundBook) -> None:
    first = ask(book, "a")
    end(book, first, tools=["t"])
    second = ask(book, "a with a reminder", results=["t"])

    assert second.round is first.round
    assert [(answer.pending.call, answer.pending.id) for answer in second.answered] == [("c1", "t")]


def test_of_equal_ids_in_two_conversations_each_goes_to_its_own(book: RoundBook) -> None:
    one, two = ask(book, "a"), ask(book, "b")
    end(book, one, tools=["call_0"])
    end(book, two, tools=["call_0"])

    assert ask(book, "a", results=["call_0"]).round is one.round
    assert ask(book, "b", results=["call_0"]).round is two.round


def test_results_without_ids_are_matched_by_name_the_oldest_first(book: RoundBook) -> None:
    first = ask(book, "a")
    call = first.round.next_call()
    for number, name in enumerate(("look", "go", "look")):
        book.requested(first.round, Pending(call, f"made-{number}", name, id_given=False))
    book.call_ended(first.round, call, DONE, 0.0)
    results = tuple(ToolResult(None, name, "ok") for name in ("look", "look", "go"))
    second = book.place(Asked({}, ("a",), "", results, True), NOBODY, SCOPE)

    assert [answer.pending.id for answer in second.answered] == ["made-0", "made-2", "made-1"]


def test_the_same_question_again_is_a_new_round_unless_the_first_failed(book: RoundBook) -> None:
    first = ask(book, "a")
    end(book, first, FAILED)
    retry = ask(book, "a")
    assert retry.round is first.round
    end(book, retry)

    assert ask(book, "a").is_new


def test_a_question_still_under_way_is_not_taken_for_its_retry(book: RoundBook) -> None:
    first = ask(book, "a")

    assert ask(book, "a").round is not first.round


def test_a_retry_that_its_client_marks_is_the_same_round_even_while_the_first_seems_under_way(book: RoundBook) -> None:
    first = ask(book, "a")

    assert ask(book, "a", who=Identity(retries=1)).round is first.round


def test_a_failed_round_that_was_closed_takes_no_later_question(book: RoundBook) -> None:
    end(book, ask(book, "a"), FAILED)
    list(book.expired(1000.0))

    assert ask(book, "a").is_new


def test_an_answer_that_is_carried_on_stays_in_its_round(book: RoundBook) -> None:
    first = ask(book, "a")
    end(book, first)

    assert ask(book, "a", goes_on=True).round is first.round


def test_a_later_turn_is_a_round_of_the_same_thread(book: RoundBook) -> None:
    first = ask(book, "a")
    end(book, first)
    second = ask(book, "a", "a-b", goes_on=False)

    assert second.is_new
    assert second.round.thread == first.round.thread
    assert ask(book, "z").round.thread != first.round.thread


def test_a_response_that_is_named_continues_its_thread(book: RoundBook) -> None:
    first = ask(book, "a")
    book.answered_by(first.round, "resp_1")
    second = book.place(Asked({}, ("b",), previous="resp_1"), NOBODY, SCOPE)

    assert second.round.thread == first.round.thread


def test_explicit_names_win(book: RoundBook) -> None:
    who = Identity(round="mine", thread="work", parent="above")
    first, second = ask(book, "a", who=who), ask(book, "b", who=who)

    assert first.round is second.round
    assert (first.round.id, first.round.thread, first.parent) == ("mine", "work", "above")


def test_threads_of_two_sessions_stay_apart(book: RoundBook) -> None:
    one, two = Identity(thread="s1"), Identity(thread="s2")
    first = ask(book, "a", who=one)
    end(book, first, tools=["t"])

    assert ask(book, "a", who=two, results=["t"]).round is not first.round


def test_a_sub_agent_is_a_child_of_its_parent_agent_s_round(book: RoundBook) -> None:
    main = ask(book, "a", who=Identity(thread="s"))
    child = ask(book, "b", who=Identity(thread="s", agent="x", is_sub_agent=True))
    grandchild = ask(book, "c", who=Identity(thread="s", agent="y", parent_agent="x", is_sub_agent=True))
    orphan = ask(book, "d", who=Identity(thread="s", agent="z", parent_agent="gone", is_sub_agent=True))

    assert (main.parent, child.parent, grandchild.parent, orphan.parent) == (None, main.round.id, child.round.id, None)


def test_interrupted_tools_end_their_round_and_the_request_opens_another(book: RoundBook) -> None:
    first = ask(book, "a")
    end(book, first, tools=["t"])
    results = (ToolResult("t", None, "[Request interrupted by user for tool use]", True),)
    second = book.place(Asked({}, ("a",), "Stop. Do this.", results, True), NOBODY, SCOPE)

    assert second.left is first.round
    assert second.round is not first.round
    assert not second.began_before


def test_a_conversation_that_began_before_us_is_known_as_such(book: RoundBook) -> None:
    assert ask(book, "a", results=["t"]).began_before
    assert not ask(book, "b", goes_on=True).began_before


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds_book, "MAX_ROUNDS", 3)
    book = RoundBook("x", idle_s=1.0)
    first = ask(book, "0")
    end(book, first, tools=["t"])
    for n in range(1, 20):
        ask(book, str(n), who=Identity(agent=str(n)))

    assert ask(book, "0", results=["t"]).round is not first.round
