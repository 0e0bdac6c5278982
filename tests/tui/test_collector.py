from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Generator

import pytest
from roundwatch.tui.collector import AGAIN_S, BUSY_S, NEVER, QUIET_S, SWITCH_S, Collector, prompt_threads


class Knot:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.itself = self


def knot() -> weakref.ref[Knot]:
    return weakref.ref(Knot())


@pytest.fixture(autouse=True)
def thawed() -> Generator[None]:
    yield
    gc.unfreeze()


def test_python_looks_through_everything_no_more_until_the_end() -> None:
    before = gc.get_threshold()
    with Collector().at_work():
        assert gc.get_threshold()[2] == NEVER
    assert gc.get_threshold() == before


def test_garbage_is_found_once_it_has_been_quiet_for_a_while() -> None:
    collector = Collector()
    with collector.at_work():
        collector.tick(0.0, is_quiet=False)
        garbage = knot()
        collector.tick(QUIET_S / 2, is_quiet=True)
        assert garbage() is not None
        collector.tick(QUIET_S, is_quiet=True)
        assert garbage() is None


def test_without_news_there_is_nothing_to_look_for() -> None:
    collector = Collector()
    with collector.at_work():
        collector.tick(0.0, is_quiet=True)
        collector.tick(QUIET_S, is_quiet=True)
        kept = gc.get_freeze_count()
        garbage = knot()
        collector.tick(QUIET_S * 2, is_quiet=True)
        assert (garbage() is not None, gc.get_freeze_count() <= kept) == (True, True)


def test_a_feed_that_never_rests_is_interrupted_after_a_long_time_only() -> None:
    collector = Collector()
    with collector.at_work():
        collector.tick(0.0, is_quiet=False)
        garbage = knot()
        collector.tick(BUSY_S - 1, is_quiet=False)
        assert garbage() is not None
        collector.tick(BUSY_S, is_quiet=False)
        assert garbage() is None


def test_what_was_kept_and_became_garbage_is_found_in_the_end() -> None:
    collector = Collector()
    with collector.at_work():
        collector.tick(0.0, is_quiet=False)
        kept = Knot()
        garbage = weakref.ref(kept)
        collector.tick(QUIET_S, is_quiet=True)
        del kept
        collector.tick(QUIET_S + 1, is_quiet=False)
        collector.tick(QUIET_S * 3, is_quiet=True)
        assert garbage() is not None
        collector.tick(AGAIN_S, is_quiet=False)
        collector.tick(AGAIN_S + QUIET_S, is_quiet=True)
        assert garbage() is None


def test_a_collector_that_somebody_has_switched_off_stays_off() -> None:
    collector = Collector()
    gc.disable()
    try:
        with collector.at_work():
            garbage = knot()
            collector.tick(0.0, is_quiet=True)
            collector.tick(QUIET_S, is_quiet=True)
        assert garbage() is not None
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_threads_wait_less_for_each_other_until_the_end() -> None:
    before = sys.getswitchinterval()
    with prompt_threads():
        assert sys.getswitchinterval() < before
        assert round(sys.getswitchinterval(), 4) == SWITCH_S
    assert sys.getswitchinterval() == before
