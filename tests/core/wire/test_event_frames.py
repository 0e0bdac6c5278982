from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.wire.event_frames import MAX_FRAME, EventFraming, Frame, FrameParser
from roundwatch.core.wire.faults import Fault
from roundwatch.core.wire.pieces import Piece, Value, Word

from tests.core.wire import frames
from tests.core.wire.bodies import splits

ONE = frames.event("a", {"n": 1})
TWO = frames.event("b", {"n": 2})


def pieces(*data: bytes) -> list[Piece]:
    framing = EventFraming(0)
    return [piece for one in data for piece in framing.feed(one)] + framing.close()


def test_frames_are_values_with_their_event_type_and_place() -> None:
    assert pieces(ONE + TWO) == [Value({"n": 1}, "a", 0), Value({"n": 2}, "b", len(ONE))]


def test_a_payload_that_is_no_json_is_a_word() -> None:
    assert pieces(frames.event("a", b"{")) == [Word("{", "a", 0)]


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b'{"message":"slow down"}', "slow down"),
        (b'{"Message":"slow down"}', "slow down"),
        (b'{"originalMessage":"slow down","originalStatusCode":429}', "slow down"),
        (b"plain words", "plain words"),
        (b"", ""),
    ],
)
def test_an_exception_frame_is_an_error_with_its_type_as_code(payload: bytes, message: str) -> None:
    found = pieces(frames.exception("throttlingException", payload))
    assert found == [Value({"code": "throttlingException", "message": message}, "error", 0)]


def test_an_error_frame_states_code_and_message_in_its_headers() -> None:
    headers = {":message-type": "error", ":error-code": "500", ":error-message": "broken"}
    assert pieces(frames.frame(headers, b"")) == [Value({"code": "500", "message": "broken"}, "error", 0)]


def test_a_frame_of_unknown_type_is_counted() -> None:
    assert pieces(frames.frame({":message-type": "song"}, b"{}")) == [
        Fault(0, "a frame of unknown message type 'song'")
    ]
    assert pieces(frames.frame({}, b"{}")) == [Fault(0, "a frame of unknown message type ''")]


def test_a_frame_with_a_wrong_message_checksum_is_counted_and_the_next_one_read() -> None:
    damaged = bytearray(ONE)
    damaged[-6] ^= 1
    assert pieces(bytes(damaged) + TWO) == [
        Fault(0, "a frame with a wrong message checksum"),
        Value({"n": 2}, "b", len(ONE)),
    ]


@pytest.mark.parametrize("place", [0, 3, 6, 9])
def test_after_a_wrong_prelude_the_next_whole_frame_is_found(place: int) -> None:
    damaged = bytearray(ONE)
    damaged[place] ^= 1
    assert pieces(bytes(damaged) + TWO) == [
        Fault(0, "a frame with a wrong prelude checksum or length"),
        Value({"n": 2}, "b", len(ONE)),
    ]


def test_a_length_that_cannot_be_right_is_counted_although_its_checksum_holds() -> None:
    for total, headers in ((15, 0), (40, 30), (MAX_FRAME + 1, 0)):
        head = struct.pack(">II", total, headers)
        bad = head + struct.pack(">I", zlib.crc32(head)) + b"\xff" * 9
        assert pieces(bad + ONE) == [
            Fault(0, "a frame with a wrong prelude checksum or length"),
            Value({"n": 1}, "a", len(bad)),
        ]


def test_a_body_that_ends_inside_a_frame_says_so() -> None:
    assert pieces(ONE + TWO[:20]) == [
        Value({"n": 1}, "a", 0),
        Fault(len(ONE), "a frame that stops in the middle"),
    ]


def test_headers_of_every_type_are_stepped_over() -> None:
    values = {
        0: b"",
        1: b"",
        2: b"\x01",
        3: b"ab",
        4: b"abcd",
        5: b"x" * 8,
        6: b"\x00\x02hi",
        8: b"x" * 8,
        9: b"x" * 16,
    }
    headers = b"".join(b"\x01h" + bytes([kind]) + value for kind, value in values.items())
    found = FrameParser().feed(frames.raw_frame(headers + b"\x01k\x07\x00\x02hi", b"{}"))
    assert found == [Frame({"k": "hi"}, b"{}", 0)]


@pytest.mark.parametrize(
    "headers", [b"\x05ab", b"\x01a", b"\x01a\x07", b"\x01a\x07\x00\x09hi", b"\x01a\x63", b"\x01a\x05abc"]
)
def test_headers_that_do_not_add_up_are_counted(headers: bytes) -> None:
    assert pieces(frames.raw_frame(headers, b"{}") + ONE) == [
        Fault(0, "a frame whose headers cannot be read"),
        Value({"n": 1}, "a", 18 + len(headers)),
    ]


DAMAGED = st.tuples(st.integers(0, len(ONE) - 1), st.integers(0, 255)).map(
    lambda hit: ONE[: hit[0]] + bytes([hit[1]]) + ONE[hit[0] + 1 :] + TWO
)


@given(DAMAGED.flatmap(lambda body: st.tuples(st.just(body), splits(body))))
def test_a_damaged_frame_in_any_pieces_is_the_same_and_hides_no_later_one(case: tuple[bytes, list[bytes]]) -> None:
    body, parts = case
    assert pieces(*parts) == pieces(body)
    assert pieces(body)[-1] == Value({"n": 2}, "b", len(ONE))
