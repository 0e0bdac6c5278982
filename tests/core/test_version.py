from __future__ import annotations

from importlib.metadata import version

from roundwatch.core.version import VERSION


def test_the_package_s_metadata_names_the_same_version() -> None:
    assert version("roundwatch") == VERSION
