from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.transcripts import Line, LineSplitter


def lines_of(*pieces: bytes, limit: int = 1000) -> list[Line]:
    splitter = LineSplitter(limit)
    found = [line for piece in pieces for line in splitter.feed(piece)]
    last = splitter.close()
    return [*found, last] if last is not None else found


def test_each_line_knows_its_number_and_its_first_byte() -> None:
    assert lines_of(b"one\r\n\ntwo\nthree") == [Line(1, 0, b"one"), Line(3, 6, b"two"), Line(4, 10, b"three")]


def test_a_line_waits_until_its_end_is_there() -> None:
    splitter = LineSplitter()
    assert list(splitter.feed("Grüß".encode()[:3])) == []
    assert (splitter.offset, splitter.pending_bytes) == (0, 3)
    assert [line.data.decode() for line in splitter.feed("Grüße\n".encode()[3:])] == ["Grüße"]
    assert (splitter.offset, splitter.pending_bytes) == (8, 0)


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert lines_of(b"\xef\xbb\xbf{}\n{}\n") == [Line(1, 0, b"{}"), Line(2, 6, b"{}")]


def test_a_line_that_is_too_long_is_told_and_not_kept() -> None:
    assert lines_of(b"x" * 6, b"x" * 6, b"\nok\n", limit=10) == [Line(1, 0, b"", too_long=True), Line(2, 13, b"ok")]


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b"\xc3", b"\xa4", b"12345"])), st.data())
def test_any_split_gives_the_same_lines(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    pieces = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert lines_of(*pieces, limit=8) == lines_of(whole, limit=8)
