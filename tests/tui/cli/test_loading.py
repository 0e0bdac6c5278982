from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from roundwatch.tui.cli.loading import YOUNG, loading, settle_memory


def test_nothing_is_collected_while_something_is_loaded_and_everything_after() -> None:
    assert gc.isenabled()
    try:
        with loading():
            assert not gc.isenabled()
            loaded = [[number] for number in range(1000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= len(loaded)
    finally:
        gc.unfreeze()


def test_a_fault_while_loading_leaves_the_collector_at_work() -> None:
    try:
        with pytest.raises(ImportError), loading():
            raise ImportError("no such part")
        assert gc.isenabled()
    finally:
        gc.unfreeze()


def test_a_collector_that_was_switched_off_stays_off() -> None:
    gc.disable()
    try:
        with loading():
            pass
        assert not gc.isenabled()
    finally:
        gc.unfreeze()
        gc.enable()


@pytest.fixture
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
def test_what_is_there_at_the_start_is_never_looked_at_again() -> None:
    settle_memory()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] == YOUNG
