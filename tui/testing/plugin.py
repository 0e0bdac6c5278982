"""The pytest plugin: fixtures that read recorded rounds and compare pictures of them.

pytest imports this module in every run of an environment with roundwatch, so it loads no screen by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .recording import Recorded, Recording
    from .snapshots import Snapshots

MISSING = (
    "roundwatch_snapshot compares pictures by pytest-textual-snapshot, which is not there; "
    "to have it: pip install 'roundwatch[testing]'"
)


@pytest.fixture
def roundwatch_pinned(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pin everything outside the app that could make two pictures differ, as long as the test runs."""
    from .surroundings import pinned

    with pinned(monkeypatch):
        yield


@pytest.fixture
def roundwatch_recording(request: pytest.FixtureRequest) -> Callable[..., Recording]:
    """Return a function that makes a recording of a file, named from the test's own folder, or of a list of events."""
    from .recording import Recording

    beside = request.path.parent

    def recording(source: str | Path | Iterable[Recorded], *, allow_unreadable: bool = False) -> Recording:
        if isinstance(source, str | Path):
            return Recording.read(beside / source, allow_unreadable=allow_unreadable)
        return Recording.of(source, allow_unreadable=allow_unreadable)

    return recording


@pytest.fixture
def roundwatch_snapshot(request: pytest.FixtureRequest, roundwatch_pinned: None) -> Snapshots:
    """Return what compares banners, timelines and screens with their kept pictures."""
    try:
        compare = request.getfixturevalue("snap_compare")
    except pytest.FixtureLookupError:
        pytest.fail(MISSING, pytrace=False)
    from .snapshots import Snapshots

    return Snapshots(compare)
