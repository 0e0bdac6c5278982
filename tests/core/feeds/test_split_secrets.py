from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.key_shapes import GONE
from roundwatch.core.feeds.request_secrets import LONGEST, Secrets
from roundwatch.core.feeds.split_secrets import Streamed

KEYS = ("abab-abac", "abab-abac-and-more", "key-aaaabbbb")
SHAPED = "sk-aaaabbbbccccddddeeee"
SECRETS = Secrets([(b"x-api-key", key.encode()) for key in KEYS])
TEXTS = st.lists(st.sampled_from([*KEYS, *(key[:n] for key in KEYS for n in (1, 4, 9)), " ", "x", "."])).map("".join)
SHAPES = st.lists(st.sampled_from([SHAPED, SHAPED[:9], "sk-", " ", "Bearer ", "ey", ".", "x" * 20])).map("".join)
MIXED = st.lists(st.one_of(TEXTS, SHAPES)).map("".join)


def pieces(text: str, places: list[int]) -> list[str]:
    cuts = sorted({0, len(text), *(place for place in places if place < len(text))})
    return [text[start:end] for start, end in pairwise(cuts)]


@given(TEXTS, st.lists(st.integers(0, 200)))
def test_no_split_of_a_text_changes_what_is_told_of_it(text: str, places: list[int]) -> None:
    streamed = Streamed(SECRETS)
    told = "".join([*map(streamed.add, pieces(text, places)), streamed.let_go()])

    whole = SECRETS.out_of(text)
    assert told == whole or (told.endswith(GONE) and whole.startswith(told.removesuffix(GONE)))


@given(MIXED, st.lists(st.integers(0, 200)))
def test_no_split_lets_a_secret_through(text: str, places: list[int]) -> None:
    streamed = Streamed(SECRETS)
    told = "".join([*map(streamed.add, pieces(text, places)), streamed.let_go()])

    assert not any(key in told for key in KEYS)


@given(MIXED, st.lists(st.integers(0, 200)))
def test_what_had_to_be_told_early_is_told_once_and_no_secret_goes_on_behind_it(text: str, places: list[int]) -> None:
    streamed = Streamed(SECRETS)
    told = "".join(streamed.add(piece) + streamed.let_go() for piece in pieces(text, places))

    assert streamed.waiting == 0
    assert not any(key in told for key in KEYS)


def test_what_may_be_the_beginning_of_a_secret_waits() -> None:
    streamed = Streamed(SECRETS)

    assert streamed.add("see abab-") == "see "
    assert streamed.waiting == len("abab-")
    assert streamed.add("z") == "abab-z"


def test_a_key_right_behind_a_secret_is_found_though_the_pieces_split_it() -> None:
    streamed = Streamed(SECRETS)
    told = streamed.add("abab-abacsk-ax") + streamed.add("x" * 20)

    assert told + streamed.let_go() == GONE + GONE


def test_no_more_waits_than_a_key_is_long() -> None:
    streamed = Streamed(Secrets([(b"x-api-key", b"k" * 3 * LONGEST)]))
    told = streamed.add("k" * (LONGEST + 1))

    assert told + streamed.let_go() == "k" * (LONGEST + 1)
    assert streamed.waiting == 0
