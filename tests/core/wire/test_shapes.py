from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.wire.shapes import at_path, is_list, is_object, text_of


@pytest.mark.parametrize(
    ("value", "found"),
    [({"a": {"b": 1}}, 1), ({"a": {}}, None), ({"a": [1]}, None), (None, None), ("ab", None)],
)
def test_a_path_ends_where_a_step_is_missing(value: Any, found: Any) -> None:
    assert at_path(value, ("a", "b")) == found


def test_the_kinds_of_json_are_told_apart() -> None:
    assert is_object({})
    assert not is_object([])
    assert is_list([])
    assert not is_list("")
    assert text_of("x") == "x"
    assert text_of(1) == ""
