from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from roundwatch.core.feeds.key_shapes import GONE
from roundwatch.core.feeds.request_secrets import Secrets

KEY = "a+key/of=somebody"


def test_a_password_is_known_as_it_is_spelled_out_too() -> None:
    secrets = Secrets([(b"Proxy-Authorization", b"Basic dXNlcjpvcGVuLXNlc2FtZQ=="), (b"Authorization", b"Basic !")])

    assert secrets.out_of("user:open-sesame, open-sesame, dXNlcjpvcGVuLXNlc2FtZQ==") == f"{GONE}, {GONE}, {GONE}"


@pytest.mark.parametrize(
    "repeated",
    [KEY, quote(KEY, safe=""), json.dumps(KEY + '"é')[1:-1], KEY.replace("/", "\\/")],
    ids=["as it is", "in an address", "in JSON", "in JSON as PHP writes it"],
)
def test_a_secret_is_known_in_the_forms_in_which_texts_repeat_it(repeated: str) -> None:
    secrets = Secrets([(b"x-api-key", KEY.encode())])

    assert GONE in secrets.out_of(f"the key {repeated} is wrong")
    assert "somebody" not in secrets.out_of(f"the key {repeated} is wrong")


def test_a_secret_of_the_query_is_known_decoded_and_as_it_was_sent() -> None:
    secrets = Secrets([], "alt=sse&key=secret%2Dth%2bree+x&%6bey=another-secret")

    assert secrets.out_of("secret%2Dth%2bree+x|secret-th+ree x|another-secret|sse") == f"{GONE}|{GONE}|{GONE}|sse"


def test_every_part_of_a_header_with_parts_is_a_secret() -> None:
    signed = b"AWS4-HMAC-SHA256 Credential=AKID12345/2026/us, SignedHeaders=host, Signature=fe5f80f77d5fa3be"
    secrets = Secrets([(b"Authorization", signed), (b"Cookie", b"a=secret-one; b=secret-two")])

    for part in ("fe5f80f77d5fa3be", "AKID12345/2026/us", "secret-one", "secret-two"):
        assert secrets.out_of(f"it was {part}.") == f"it was {GONE}."


def test_short_values_and_other_headers_are_left_alone() -> None:
    secrets = Secrets([(b"x-api-key", b"short"), (b"user-agent", b"somebody/1.0")], "alt=somebody")

    assert secrets.out_of("short somebody/1.0") == "short somebody/1.0"


@pytest.mark.parametrize(
    ("text", "begins"),
    [("no", None), ("no a", "a"), ("no a+key/of=some", "a+key/of=some"), ("a+key/of=somebody", None), ("a+a+", "a+")],
)
def test_the_end_of_a_text_is_kept_while_a_secret_may_go_on_in_it(text: str, begins: str | None) -> None:
    assert Secrets([(b"x-api-key", KEY.encode())]).begun(text) == len(text) - len(begins or "")


def test_a_whole_secret_is_not_cut_through_where_another_one_may_begin_in_it() -> None:
    secrets = Secrets([(b"x-api-key", b"abcabcabcab"), (b"x-other-key", b"cabxxxxxxxxx")])

    assert secrets.begun("so: abcabcabcab") == len("so: ")
    assert secrets.begun("so: abcabcabcab.") == len("so: abcabcabcab.")


def test_only_a_long_beginning_gives_a_secret_away() -> None:
    secrets = Secrets([(b"x-api-key", KEY.encode())])

    assert secrets.tells(KEY[:8])
    assert not secrets.tells(KEY[:7])
    assert not secrets.tells("a-word-that-is-long")
