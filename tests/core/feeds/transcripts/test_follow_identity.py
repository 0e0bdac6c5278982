"""A transcript is called after its first records."""

from __future__ import annotations

from roundwatch.core.feeds.transcripts.follow_identity import HEAD_BYTES, identity


def test_it_is_named_after_everything_up_to_the_line_that_names_its_session() -> None:
    head = b'{"type":"summary","summary":"s"}\n{"type":"user","sessionId":"1"}\n'
    name = identity(head, is_whole=False)
    assert name is not None
    assert identity(head + b'{"more":1}\n', is_whole=False) == name
    assert identity(head.replace(b'"1"', b'"2"'), is_whole=False) != name


def test_a_beginning_that_is_too_short_has_no_name_yet_unless_nothing_more_comes() -> None:
    short = b'{"type":"summary"}\n{"sessionId":"1"'
    assert identity(short, is_whole=False) is None
    assert identity(short, is_whole=True) is not None
    assert identity(b" \n", is_whole=True) is None
    assert identity(b"", is_whole=True) is None


def test_many_lines_or_one_long_one_without_a_session_have_a_name() -> None:
    assert identity(b'{"a":1}\n' * 25, is_whole=False) == identity(b'{"a":1}\n' * 30, is_whole=False) is not None
    assert identity(b"x" * HEAD_BYTES, is_whole=False) is not None
