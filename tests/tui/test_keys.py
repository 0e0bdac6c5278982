from __future__ import annotations

from collections import Counter

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.keys import ACTIONS, Place, action_of, bindings_for, footer_for, key_label, key_name

UNREACHABLE = ("ctrl+left_square_bracket", "ctrl+i", "ctrl+m", "ctrl+b", "ctrl+s", "ctrl+h", "ctrl+j")
"""What a terminal, tmux or flow control swallows or sends as another key."""
HARD_ON_A_GERMAN_KEYBOARD = ("left_square_bracket", "right_square_bracket", "left_curly_bracket", "at", "tilde")


def test_every_key_reaches_the_app_in_tmux_and_on_a_german_keyboard() -> None:
    keys = [key for action in ACTIONS for key in action.keys.split(",") if key]
    assert [key for key in keys if key in UNREACHABLE or key in HARD_ON_A_GERMAN_KEYBOARD] == []


@pytest.mark.parametrize(
    "together",
    [
        (Place.ROUNDS, Place.MAIN, Place.APP),
        (Place.TIMELINE, Place.MAIN, Place.APP),
        (Place.READING, Place.APP),
        (Place.MENU, Place.APP),
    ],
)
def test_no_key_means_two_things_at_one_place(together: tuple[Place, ...]) -> None:
    keys = Counter(key for action in ACTIONS if action.place in together for key in action.keys.split(",") if key)
    assert [key for key, count in keys.items() if count > 1] == []


def test_every_binding_has_an_id_of_its_own() -> None:
    ids = Counter(getattr(binding, "id", None) for binding in bindings_for(*Place))
    assert [id_ for id_, count in ids.items() if count > 1 or id_ is None] == []


def test_the_footer_names_the_most_needed_actions_first() -> None:
    ranks = [action.in_footer for action in footer_for(Place.ROUNDS, Place.MAIN, Place.APP)]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)


def test_keys_are_called_what_stands_on_the_keyboard() -> None:
    assert key_name("Home", Texts.load("de")) == "Pos1"
    assert key_name("Home", Texts.load("en")) == "Home"
    assert key_name("q", Texts.load("de")) == "q"


@pytest.mark.parametrize(
    ("id_", "keymap", "label"),
    [
        ("main.next", {}, "n"),
        ("main.next", {"main.next": "x"}, "x"),
        ("main.next", {"main.next": "ctrl+n,f9"}, "^n"),
        ("main.next", {"main.next": ""}, ""),
        ("main.next", {"main.previous": "x"}, "n"),
        ("rounds.up", {}, "↑↓"),
        ("rounds.up", {"rounds.up": "w", "rounds.down": "z"}, "wz"),
        ("rounds.up", {"rounds.down": "z"}, "↑z"),
        ("rounds.open", {"rounds.open": "enter"}, "↵"),
    ],
)
def test_a_label_names_the_key_that_counts(id_: str, keymap: dict[str, str], label: str) -> None:
    assert key_label(action_of(id_), Texts.load("en"), keymap) == label


@pytest.mark.parametrize("place", [Place.ROUNDS, Place.TIMELINE])
def test_help_and_quit_are_among_the_first_four_hints(place: Place) -> None:
    first = [action.name for action in footer_for(place, Place.MAIN, Place.APP)[:4]]
    assert first[0] == "help"
    assert "quit" in first
