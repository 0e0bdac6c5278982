from __future__ import annotations

import pytest
from roundwatch.core.policies import Selection, SelectionPhase

PICK = Selection("scout", asked_at=100.0, wait_s=5.0)
DEFAULT = Selection(None, asked_at=100.0, wait_s=5.0)


def test_a_pick_in_the_catalogue_is_found_at_once() -> None:
    found = PICK.saw({"worker": None, "scout": None}, 100.0)
    assert (found.phase, found.agent, found.marks_unresolved) == (SelectionPhase.RESOLVED, "scout", False)
    assert found.sentence is None


def test_a_pick_that_is_not_there_yet_is_waited_for() -> None:
    waiting = PICK.saw({"worker": None}, 101.0)
    assert waiting.phase is SelectionPhase.WAITING
    assert not waiting.marks_unresolved
    assert waiting.saw({"worker": None, "scout": None}, 104.0).phase is SelectionPhase.RESOLVED


def test_the_wait_is_bounded_and_then_the_marker_is_latched_with_the_names_last_seen() -> None:
    waiting = PICK.saw({"default": None, "worker": None}, 101.0)
    assert waiting.give_up_at == 105.0
    assert waiting.at(104.9) is waiting
    over = waiting.at(105.0)
    assert over.marks_unresolved
    assert over.sentence == "Selected agent 'scout' was not found among the available agents (default, worker)"


def test_a_catalogue_read_after_the_wait_still_counts_when_it_holds_the_pick() -> None:
    assert PICK.saw({"scout": None}, 999.0).phase is SelectionPhase.RESOLVED
    assert PICK.saw({"worker": None}, 999.0).marks_unresolved


def test_a_catalogue_that_never_came_leaves_the_pick_unresolved_among_none() -> None:
    over = PICK.at(105.0)
    assert over.marks_unresolved
    assert over.sentence == "Selected agent 'scout' was not found among the available agents ()"


def test_a_latched_marker_stays_and_every_end_is_final() -> None:
    for over in (PICK.at(105.0), PICK.saw({"scout": None}, 100.0), PICK.saw({"scout": "no key"}, 100.0)):
        assert over.saw({"scout": None, "worker": None}, 106.0) is over
        assert over.at(999.0) is over


def test_an_agent_that_exists_but_cannot_be_built_is_another_condition() -> None:
    found = PICK.saw({"scout": "no credential"}, 100.0)
    assert (found.phase, found.agent, found.cause) == (SelectionPhase.UNBUILDABLE, "scout", "no credential")
    assert not found.marks_unresolved
    assert found.sentence is None


@pytest.mark.parametrize("name", ["Scout", "scout ", "", "worker"])
def test_a_pick_matches_by_its_exact_name(name: str) -> None:
    assert PICK.saw({name: None}, 105.0).marks_unresolved


def test_without_a_pick_the_first_agent_is_taken() -> None:
    assert DEFAULT.saw({"a": None, "b": None}, 100.0).agent == "a"
    assert DEFAULT.saw({"a": "no factory"}, 100.0).phase is SelectionPhase.UNBUILDABLE


def test_without_a_pick_nothing_is_ever_marked_unresolved() -> None:
    over = DEFAULT.saw({}, 100.0).at(105.0)
    assert over.phase is SelectionPhase.NO_DEFAULT
    assert not over.marks_unresolved
    assert over.sentence is None


def test_an_empty_name_is_a_pick_too() -> None:
    assert Selection("", asked_at=0.0).saw({"a": None}, 99.0).marks_unresolved
