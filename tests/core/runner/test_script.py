from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.runner.script import ARGUMENT_PIECE_CHARS, Reply, Script, argument_pieces, words


@given(st.text())
def test_pieces_of_a_text_joined_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text
    assert "" not in list(words(text))


@given(st.text())
def test_pieces_of_arguments_joined_are_the_arguments(text: str) -> None:
    pieces = list(argument_pieces(text))
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= ARGUMENT_PIECE_CHARS for piece in pieces)


def test_a_script_ends_unless_it_repeats_its_last_reply() -> None:
    first, last = Reply(), Reply(steps=())
    assert [Script((first, last)).reply(number) for number in range(3)] == [first, last, None]
    assert Script((first, last), repeat_last=True).reply(9) is last
    assert Script((), repeat_last=True).reply(0) is None
