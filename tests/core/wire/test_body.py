from __future__ import annotations

import pytest
from roundwatch.core.wire import body as body_module
from roundwatch.core.wire.body import Body
from roundwatch.core.wire.faults import Fault
from roundwatch.core.wire.pieces import Cut, Piece, Value, Word

from tests.core.wire import frames


def pieces(*data: bytes) -> list[Piece]:
    body = Body()
    return [piece for one in data for piece in body.feed(one)] + body.close()


def values(*data: bytes) -> list[object]:
    return [piece.value for piece in pieces(*data) if isinstance(piece, Value)]


LEADS = [b"", b"\xef\xbb\xbf", b"\n\r\n ", b": OPENROUTER PROCESSING\n\n", b"\xef\xbb\xbf: a\r\n\r\n: b\r\r"]


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize(("rest", "streamed"), [(b'data: {"a":1}\n\n', True), (b'{"a":1}', False)])
def test_a_body_tells_its_framing_after_mark_blanks_and_comments(lead: bytes, rest: bytes, streamed: bool) -> None:
    for split in range(len(lead) + 2):
        body = Body()
        whole = lead + rest
        found = [*body.feed(whole[:split]), *body.feed(whole[split:]), *body.close()]
        assert [piece.value for piece in found if isinstance(piece, Value)] == [{"a": 1}]
        assert len(found) == 1
        assert body.streamed is streamed


@pytest.mark.parametrize(
    ("data", "json_streams", "streamed"),
    [(b'{"a":1}', b"", False), (b'{"a":1}', b"{", True), (b'[{"a":1}]', b"{", False), (b'[{"a":1}]', b"[", True)],
)
def test_only_where_a_wire_says_so_json_is_a_stream(data: bytes, json_streams: bytes, streamed: bool) -> None:
    body = Body(json_streams)
    found = [*body.feed(data), *body.close()]
    assert [piece.value for piece in found if isinstance(piece, Value)] == [{"a": 1}]
    assert body.streamed is streamed


def test_binary_frames_are_known_by_their_first_byte() -> None:
    assert pieces(frames.event("a", {"b": 1})) == [Value({"b": 1}, "a", 0)]


def test_an_empty_body_has_no_framing() -> None:
    body = Body()
    assert [*body.feed(b""), *body.feed(b": hello"), *body.close()] == []
    assert body.streamed is None


def test_half_a_byte_order_mark_is_counted() -> None:
    assert pieces(b"\xef\xbb") == [Fault(0, "half a byte order mark")]


def test_a_marker_is_a_word_with_its_place() -> None:
    assert pieces(b"data: {}\n\ndata: [DONE]\n\n")[1] == Word("[DONE]", None, 10)


def test_events_without_a_blank_line_between_them_are_read_one_by_one() -> None:
    found = pieces(b'data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n\n')
    assert [piece.value for piece in found if isinstance(piece, Value)] == [{"a": 1}, {"b": 2}]
    assert found[-1] == Word("[DONE]", None, 0)


def test_one_value_over_several_data_lines_is_one_value() -> None:
    assert values(b'data: {"a":\ndata: 1}\n\n') == [{"a": 1}]


def test_an_error_field_is_an_error_and_bare_json_a_value_and_else_a_fault() -> None:
    assert pieces(b'data: 1\n\nerror: {"message":"x"}\n{"error":"y"}\n<p>\n') == [
        Value(1, None, 0),
        Value({"message": "x"}, "error", 9),
        Value({"error": "y"}, None, 32),
        Fault(46, "unknown field '<p>'"),
    ]


def test_json_values_and_arrays_of_them_are_read_one_by_one() -> None:
    assert values(b'{"a":1}\n{"b":2}') == [{"a": 1}, {"b": 2}]
    assert values(b'[{"a":1},\n{"b":2}]') == [{"a": 1}, {"b": 2}]


def test_a_json_body_that_stops_in_the_middle_gives_what_came_and_says_so() -> None:
    whole = '{"a": "größer'.encode()
    for cut in (len(whole), whole.index(b"\xc3") + 1):
        found = pieces(whole[:cut])
        assert found[0] == Value({"a": whole[6:cut].decode("utf-8", "ignore").strip('" ')}, None, found[0].offset)
        assert [type(piece) for piece in found] == [Value, Fault, Cut]


def test_a_json_body_with_a_fault_inside_says_that_its_rest_is_missing_and_not_that_it_stopped() -> None:
    *_, fault, cut = pieces(b'{"a": 1, b: 2, "c": 3}')
    assert isinstance(fault, Fault)
    assert cut == Cut(fault.offset, body_module.BREAKS_OFF)


def test_what_stands_behind_a_whole_value_takes_nothing_from_it() -> None:
    assert [type(piece) for piece in pieces(b'{"a": 1} }')] == [Value, Fault]


def test_a_json_body_is_bounded_and_not_called_cut_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_module, "MAX_JSON_BODY", 10)
    found = pieces(b'{"a": "0123', b'456789"}')
    assert found[0] == Fault(10, "9 bytes beyond the 10 that are kept")
    assert Cut not in [type(piece) for piece in found]


def test_the_number_of_json_values_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_module, "MAX_VALUES", 3)
    found = pieces(b"{} " * 9)
    assert len(found) == 4
    assert isinstance(found[-1], Fault)


def test_the_head_of_a_body_is_kept_as_it_came() -> None:
    body = Body()
    body.feed(b"<html>")
    body.feed(b"x" * 5000)
    assert body.head.startswith(b"<html>x")
    assert len(body.head) == body_module.HEAD
