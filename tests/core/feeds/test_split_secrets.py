from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.key_shapes import GONE
from roundwatch.core.feeds.request_secrets import LONGEST, Secrets
from roundwatch.core.feeds.split_secrets import Streamed

KEYS = ("abab-abac", "abab-abac-and-more", "sk-aaaabbbbccccddddeeee")
SECRETS = Secrets([(b"x-api-key", key.encode()) for key in KEYS])
TEXTS = st.lists(
    st.sampled_from([*KEYS, *(key[:n] for key in KEYS for n in (1, 4, 9)), "sk-", "x" * 20, " ", "Bearer ", "ey", "."])
).map("".join)


@given(TEXTS, st.lists(st.integers(0, 200)))
def test_no_split_of_a_text_changes_what_is_told_of_it(text: str, places: list[int]) -> None:
    streamed = Streamed(SECRETS)
    cuts = sorted({0, len(text), *(place for place in places if place < len(text))})
    told = "".join(streamed.add(text[a:b]) for a, b in pairwise(cuts))
    told += streamed.let_go()

    assert not any(key in told for key in KEYS)
    whole = SECRETS.out_of(text)
    assert told == whole or (told.endswith(GONE) and whole.startswith(told.removesuffix(GONE)))


@given(TEXTS, st.lists(st.integers(0, 200)))
def test_what_had_to_be_told_early_is_told_once_and_no_secret_goes_on_behind_it(text: str, places: list[int]) -> None:
    streamed = Streamed(SECRETS)
    cuts = sorted({0, len(text), *(place for place in places if place < len(text))})
    told = "".join(streamed.add(text[a:b]) + streamed.let_go() for a, b in pairwise(cuts))

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
