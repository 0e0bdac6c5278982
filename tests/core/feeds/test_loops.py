from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable

import pytest
from roundwatch.core.feeds.loops import loop_factory

from tests.core.feeds import (
    test_client_side,
    test_faults,
    test_http_corners,
    test_upgrades,
)

Scenario = Callable[[], Awaitable[None]]

SCENARIOS: tuple[Scenario, ...] = (
    test_client_side.test_each_piece_leaves_before_the_next_one_exists,
    test_client_side.test_one_connection_serves_many_requests_those_sent_ahead_too,
    test_client_side.test_a_reset_of_the_upstream_reaches_the_client_as_a_reset,
    test_client_side.test_an_upstream_that_closes_without_an_answer_is_a_drop,
    test_client_side.test_a_client_that_leaves_before_an_answer_ends_the_upstream_request,
    test_client_side.test_an_answer_before_the_end_of_the_request_arrives,
    test_client_side.test_a_client_that_does_not_read_stops_the_upstream,
    test_client_side.test_an_upstream_that_does_not_read_stops_the_client,
    test_http_corners.test_a_head_of_sixty_thousand_bytes_passes_in_both_directions,
    test_upgrades.test_a_websocket_passes_both_ways_and_is_counted_unobserved,
    test_faults.test_ten_megabytes_in_one_event_pass_byte_for_byte_and_are_counted,
    test_faults.test_two_hundred_streams_are_open_at_once_and_all_come_through,
)
"""What the loops do differently: writing, pausing, closing, aborting, giving a connection to another protocol."""


@pytest.fixture
def uvloop() -> Callable[[], asyncio.AbstractEventLoop]:
    factory = loop_factory()
    assert factory is not None
    return factory


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__.removeprefix("test_"))
def test_the_traffic_is_the_same_in_uvloop(
    scenario: Callable[[], Awaitable[None]], uvloop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def run() -> None:
        assert type(asyncio.get_running_loop()).__module__.startswith("uvloop")
        await scenario()

    with asyncio.Runner(loop_factory=uvloop) as runner:
        runner.run(run())


def test_without_uvloop_asyncio_s_loop_is_taken_and_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    with caplog.at_level(logging.INFO):
        assert loop_factory() is None
    assert "uvloop is not installed" in caplog.text


def test_the_loop_is_not_imported_before_it_is_wanted() -> None:
    code = "import sys, roundwatch.tui.cli.proxy; print('uvloop' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
