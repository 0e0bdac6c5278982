from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.wire.faults import Fault
from roundwatch.core.wire.sse import SseEvent, SseItem, SseParser, SseStray


def parsed(*pieces: bytes, max_line: int = 1000) -> list[SseItem]:
    parser = SseParser(max_line=max_line)
    return [item for piece in pieces for item in parser.feed(piece)] + parser.close()


def data(*pieces: bytes) -> list[str]:
    return [item.data for item in parsed(*pieces) if isinstance(item, SseEvent)]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_line_end_closes_lines_and_events(end: bytes) -> None:
    body = end.join([b"event: a", b"data: 1", b"", b"data: 2", b"", b""])
    assert [(item.kind, item.data) for item in parsed(body) if isinstance(item, SseEvent)] == [("a", "1"), (None, "2")]


def test_a_crlf_split_between_its_bytes_is_one_line_end() -> None:
    assert data(b"data: 1\r", b"\ndata: 2\r", b"\n\r", b"\n") == ["1\n2"]


def test_a_lone_cr_at_the_end_of_a_piece_closes_the_line_at_once() -> None:
    parser = SseParser()
    parser.feed(b"data: 1\r")
    assert [item.data for item in parser.feed(b"\r") if isinstance(item, SseEvent)] == ["1"]


def test_several_data_lines_are_joined_and_only_one_blank_is_taken_off() -> None:
    assert data(b"data:a\ndata:  b\ndata\n\n") == ["a\n b\n"]


def test_a_character_split_between_pieces_stays_whole() -> None:
    assert data(b"data: gro\xc3", b"\x9f\n\n") == ["groß"]


def test_comments_ids_and_retries_say_nothing() -> None:
    assert parsed(b": keep-alive\n\nid: 7\nretry: 10\n\n") == []


def test_an_unknown_field_is_reported_with_its_place() -> None:
    assert parsed(b"data: 1\n\nerror: {}\n") == [SseEvent(None, "1", 0), SseStray("error", "{}", "error: {}", 9)]


def test_an_event_without_its_blank_line_is_told_at_the_end() -> None:
    assert data(b"data: 1\n\ndata: 2") == ["1", "2"]


def test_the_event_name_ends_with_its_event() -> None:
    assert parsed(b"event: error\n\ndata: 1\n\n") == [SseEvent("error", "", 0), SseEvent(None, "1", 14)]


def test_bytes_that_are_no_utf8_are_counted_where_they_stand_and_the_line_is_kept() -> None:
    assert parsed(b"data: a\xffb\n\n") == [Fault(7, "not UTF-8"), SseEvent(None, "a�b", 0)]


def test_a_line_that_is_too_long_costs_its_event_and_no_other() -> None:
    items = parsed(b"data: " + b"x" * 50, b"x\ndata: y\n\ndata: z\n\n", max_line=20)
    assert items == [Fault(0, "line longer than 20 bytes"), SseEvent(None, "z", 67)]


def test_an_event_of_many_lines_is_bounded_too() -> None:
    items = parsed(b"data: 0123456789\n" * 3 + b"\ndata: z\n\n", max_line=20)
    assert items == [Fault(0, "event longer than 20 characters"), SseEvent(None, "z", 52)]


def test_a_line_that_never_ends_is_not_kept() -> None:
    parser = SseParser(max_line=100)
    for _ in range(50):
        parser.feed(b"x" * 90)
    assert len(parser._line) <= 100  # pyright: ignore[reportPrivateUsage]
    assert parser.close() == [Fault(0, "line longer than 100 bytes")]


_LINES = st.sampled_from([b"data: 1", b"data: \xc3\xa4", b"event: e", b": c", b"", b"odd: 1", b"\xff", b"x" * 30])
_ENDS = st.sampled_from([b"\n", b"\r", b"\r\n"])


@given(st.lists(st.tuples(_LINES, _ENDS)), st.lists(st.integers(0, 200)))
def test_any_split_gives_the_same_items(lines: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    body = b"".join(line + end for line, end in lines)
    edges = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    pieces = [body[start:end] for start, end in itertools.pairwise(edges)]
    assert parsed(*pieces, max_line=20) == parsed(body, max_line=20)
    assert parsed(*(bytes([byte]) for byte in body), max_line=20) == parsed(body, max_line=20)
