from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.wire import sse_framing
from roundwatch.core.wire.faults import Fault
from roundwatch.core.wire.pieces import Piece, Value
from roundwatch.core.wire.sse_framing import SseFraming

ERROR = {"error": {"code": 499, "message": "cancelled"}}
BARE = json.dumps(ERROR, indent=2).encode() + b"\n"


def pieces(*data: bytes) -> list[Piece]:
    framing = SseFraming(0)
    return [piece for one in data for piece in framing.feed(one)] + framing.close()


def test_bare_json_over_several_lines_after_the_events_is_a_value() -> None:
    for bare in (BARE, BARE.replace(b"\n", b"\r\n"), b"[" + BARE.rstrip() + b"\n]\n", BARE.rstrip()):
        assert pieces(b"data: 1\n\n" + bare) == [Value(1, None, 0), Value(ERROR, None, 9 + bare.index(b"{"))]


def test_bare_json_is_over_when_an_event_follows_it() -> None:
    assert pieces(BARE + b"data: 1\n\n") == [Value(ERROR, None, 0), Value(1, None, len(BARE))]


def test_bare_json_that_stops_in_the_middle_gives_what_came() -> None:
    half = BARE[: BARE.index(b"celled")]
    fault = Fault(0, "a JSON value that stops in the middle")
    assert pieces(half) == [Value({"error": {"code": 499, "message": "can"}}, None, 0), fault]
    assert pieces(b'{\n  "error": {\n    "code": 499,\n' + b"data: 1\n\n") == [
        Value({"error": {"code": 499}}, None, 0),
        fault,
        Value(1, None, 32),
    ]


def test_bare_json_is_bounded() -> None:
    long = b'{"error":\n"' + b"x" * (sse_framing.MAX_BARE + 10) + b'"\n}\n'
    found = pieces(long + b"data: 1\n\n")
    assert [type(piece) for piece in found] == [Fault, Value]


def test_a_line_that_is_neither_field_nor_json_is_a_fault() -> None:
    assert pieces(b"<html>\n\ndata: 1\n\n") == [Fault(0, "unknown field '<html>'"), Value(1, None, 8)]


@given(st.integers(0, len(BARE)))
def test_bare_json_in_any_pieces_is_the_same(cut: int) -> None:
    assert pieces(BARE[:cut], BARE[cut:]) == pieces(BARE)
