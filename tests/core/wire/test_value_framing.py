from __future__ import annotations

from roundwatch.core.wire.faults import Fault
from roundwatch.core.wire.pieces import Piece, Value
from roundwatch.core.wire.value_framing import ValueFraming


def pieces(*data: bytes) -> list[Piece]:
    framing = ValueFraming(100)
    return [piece for one in data for piece in framing.feed(one)] + framing.close()


def test_values_come_as_soon_as_they_are_whole() -> None:
    framing = ValueFraming(0)
    assert framing.feed(b'{"a":1}\n{"b"') == [Value({"a": 1}, None, 0)]
    assert framing.feed(b":2}") == [Value({"b": 2}, None, 8)]
    assert framing.streamed


def test_what_cannot_be_read_is_counted_with_its_place_and_the_rest_goes_on() -> None:
    assert pieces(b'{"a" 1}\n{"b":2}\n') == [
        Fault(100, "not JSON: Expecting ':' delimiter"),
        Value({"b": 2}, None, 108),
    ]


def test_bytes_that_are_no_utf8_are_counted_and_replaced() -> None:
    assert pieces(b'{"a":"\xff"}') == [Fault(106, "not UTF-8"), Value({"a": "�"}, None, 100)]


def test_half_a_value_at_the_end_is_counted_and_not_read() -> None:
    assert pieces(b'{"a":1}\n{"text":"Hel') == [
        Value({"a": 1}, None, 100),
        Fault(108, "a JSON value that stops in the middle"),
    ]
