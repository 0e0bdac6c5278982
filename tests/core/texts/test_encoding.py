from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import fit_encoding, to_ascii


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Beendigungsgrund „length“ – größer…", 'Beendigungsgrund "length" - groesser...'),
        ("≈ 15,6 s ␛[31m ␡", "~ 15,6 s ^[[31m ^?"),
        ("café", "cafe"),
        ("日", "\\u65e5"),
        ("12,6\u00a0%", "12,6 %"),
    ],
)
def test_ascii_stands_in_for_what_it_cannot_write(text: str, shown: str) -> None:
    assert to_ascii(text) == shown


def test_what_an_encoding_can_write_stays() -> None:
    assert fit_encoding("größer „x“", "latin-1") == 'größer "x"'
    assert fit_encoding("größer „x“", "utf-8") == "größer „x“"
    assert fit_encoding("100 €", "latin-1") == "100 EUR"


@pytest.mark.parametrize("encoding", [None, "", "no-such-encoding"])
def test_an_unknown_encoding_counts_as_ascii(encoding: str | None) -> None:
    assert fit_encoding("ä", encoding) == "ae"


@given(st.text(), st.sampled_from(["ascii", "latin-1", "cp1252", "cp437", "koi8-r"]))
def test_the_result_can_always_be_written(text: str, encoding: str) -> None:
    fit_encoding(text, encoding).encode(encoding)
