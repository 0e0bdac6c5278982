from __future__ import annotations

import sys

import pytest
from roundwatch.core.feeds.extra import MissingExtra, require


def test_a_missing_library_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    require("httptools")
    monkeypatch.setitem(sys.modules, "httptools", None)
    with pytest.raises(MissingExtra, match=r"httptools.*pip install 'roundwatch\[proxy\]'"):
        require("httptools")
    with pytest.raises(MissingExtra, match="no_such_library"):
        require("no_such_library")
