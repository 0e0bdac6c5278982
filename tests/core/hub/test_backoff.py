from __future__ import annotations

import ssl
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub.backoff import CAP_S, FIRST_S, SHORTEST_S, delays, describe, is_transient
from roundwatch.core.hub.limits import CLOSE_TAKEN_OVER
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus, InvalidURI
from websockets.frames import Close
from websockets.http11 import Response


def answered(status: int, body: bytes = b"") -> InvalidStatus:
    return InvalidStatus(Response(status, "Phrase", Headers(), body))


def closed(code: int, reason: str = "") -> ConnectionClosedError:
    return ConnectionClosedError(Close(code, reason), None, None)


@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=40))
def test_each_pause_is_drawn_from_nothing_to_a_bound_that_doubles_up_to_the_cap(draws: list[float]) -> None:
    source: Iterator[float] = iter(draws)
    for index, pause in enumerate(islice(delays(lambda: next(source)), len(draws))):
        bound = min(CAP_S, FIRST_S * 2**index)
        assert pause == max(SHORTEST_S, bound * draws[index])
        assert SHORTEST_S <= pause <= CAP_S


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(), TimeoutError(), ConnectionResetError(), OSError(113, "No route"), answered(500),
        answered(503), answered(429), closed(1013), closed(1011), closed(1001), ConnectionClosedError(None, None, None),
    ],
)  # fmt: skip
def test_losses_and_busy_hubs_are_worth_another_try(error: Exception) -> None:
    assert is_transient(error)


@pytest.mark.parametrize(
    "error",
    [
        answered(401), answered(403), answered(404), answered(400), InvalidURI("x", "y"),
        ssl.SSLCertVerificationError(), closed(CLOSE_TAKEN_OVER), InvalidMessage("no HTTP"), ValueError("x"),
    ],
)  # fmt: skip
def test_refusals_and_faults_are_not(error: Exception) -> None:
    assert not is_transient(error)


def test_a_hub_that_dies_between_accepting_and_answering_is_worth_another_try() -> None:
    error = InvalidMessage("no answer")
    error.__cause__ = EOFError()
    assert is_transient(error)


def test_what_the_hub_said_is_quoted_without_control_characters_and_short() -> None:
    assert describe(answered(401, b"wrong\x1b[2J token\n")) == "HTTP 401: wrong\N{REPLACEMENT CHARACTER}[2J token"
    assert describe(answered(502)) == "HTTP 502: Phrase"
    assert describe(closed(1013, "too slow")) == "closed by the hub with 1013: too slow"
    assert describe(closed(1011)) == "closed by the hub with 1011"
    assert len(describe(answered(500, b"x" * 5000))) == 300


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ConnectionClosedError(None, None, None), "the connection was lost"),
        (ConnectionClosedError(None, Close(1011, "keepalive ping timeout"), None), "closed: keepalive ping timeout"),
        (ConnectionRefusedError(), "nobody listens there"),
        (TimeoutError(), "no answer in time"),
        (OSError(113, "No route to host"), "No route to host"),
        (InvalidMessage("bad line"), "no websocket of a hub: bad line"),
        (ValueError("x"), "ValueError: x"),
    ],
)
def test_every_loss_has_words(error: Exception, text: str) -> None:
    assert describe(error) == text
