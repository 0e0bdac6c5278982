from __future__ import annotations

import pytest
from roundwatch.core.texts.tables import BuiltIn, TextTableError, built_in, entry, fill, flat, placeholders


def test_nested_tables_become_dotted_keys_and_plural_forms_stay_together() -> None:
    tree = {"a": {"b": "x", "n": {"one": "1", "other": "2"}}, "c.d": "y"}
    assert dict(flat(tree)) == {"a.b": "x", "a.n": {"one": "1", "other": "2"}, "c.d": "y"}


def test_a_text_without_forms_has_only_the_general_one() -> None:
    assert entry("k", "text") == {"other": "text"}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (5, "not_text"),
        (["x"], "not_text"),
        ({"one": "x"}, "not_text"),
        ({"one": 1, "other": "x"}, "not_text"),
        ({}, "not_text"),
        ("a { b", "loose_brace"),
        ("a {B} b", "loose_brace"),
        ({"one": "x", "other": "{}"}, "loose_brace"),
    ],
)
def test_what_is_no_text_is_named(value: object, problem: str) -> None:
    with pytest.raises(TextTableError) as caught:
        entry("some.key", value)
    assert (caught.value.key, caught.value.problem) == ("some.key", problem)


def test_values_are_not_looked_into_again() -> None:
    assert fill("{a} and {b}", {"a": "{b}", "b": "2"}) == "{b} and 2"
    assert placeholders("{a} and {b}, {a}") == {"a", "b"}


def test_the_built_in_tables_are_read_from_the_package() -> None:
    assert built_in("de")["mark.completed"] == {"other": "Antwort"}


def test_a_table_that_is_read_on_demand_is_the_table() -> None:
    late = BuiltIn("de")
    assert dict(late) == built_in("de")
    assert len(late) == len(built_in("de"))
    assert "mark.completed" in late
    assert "mark.nonsense" not in late


def test_a_language_whose_texts_are_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="fr"):
        built_in("fr")
