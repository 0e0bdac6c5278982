from __future__ import annotations

import gc

import pytest
from roundwatch.tui.cli.loading import loading


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
