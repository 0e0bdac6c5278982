from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds.events import BaseEvent
from roundwatch.tui.cli import event_lines
from roundwatch.tui.cli.event_lines import BadLine, EventLines, opened
from roundwatch.tui.cli.failure import CommandFailed

GOOD = b'{"type": "round.started", "round": "r1"}'


def lines_of(data: bytes) -> EventLines:
    return EventLines("given", io.BytesIO(data))


def test_a_bad_line_is_counted_with_its_place_and_the_rest_goes_on() -> None:
    lines = lines_of(GOOD + b"\n{half\n" + GOOD + b"\n")

    assert [event.type for event in lines] == ["round.started", "round.started"]
    assert (lines.read, lines.bad) == (2, 1)
    assert lines.first_bad[0].number == 2
    assert "not JSON" in lines.first_bad[0].why


def test_a_bad_line_stands_in_its_place() -> None:
    kinds = [isinstance(item, BadLine) for item in lines_of(b"x\n" + GOOD + b"\ny").everything()]

    assert kinds == [True, False, True]


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf" + GOOD, GOOD + b"\r\n", b"\n\n  \n" + GOOD, GOOD, b"\t" + GOOD + b"  \n"],
    ids=["byte order mark", "CRLF", "blank lines", "no line end", "white space around"],
)
def test_how_a_line_is_framed_makes_no_difference(data: bytes) -> None:
    lines = lines_of(data)

    assert len(list(lines)) == 1
    assert lines.bad == 0


def test_only_the_first_bad_lines_are_kept() -> None:
    lines = lines_of(b"no\n" * 1000)

    assert list(lines) == []
    assert lines.bad == 1000
    assert len(lines.first_bad) == event_lines.MOST_TOLD


def test_a_line_that_is_too_long_is_skipped_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_lines, "LINE_BYTES", 100)
    long = json.dumps({"type": "round.started", "round": "r" * 500}).encode()
    lines = lines_of(long + b"\n" + GOOD + b"\n")

    assert [event.round for event in lines if isinstance(event, BaseEvent) and event.type == "round.started"] == ["r1"]
    assert [bad.number for bad in lines.first_bad] == [1]


@given(st.binary(max_size=300))
def test_every_line_of_any_file_is_an_event_a_bad_line_or_blank(data: bytes) -> None:
    lines = lines_of(data)
    items = list(lines.everything())

    shown = [line for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    assert len(items) == lines.read + lines.bad == len(shown)


@pytest.mark.parametrize("name", ["missing.jsonl", ".", "a\0b"])
def test_a_file_that_cannot_be_opened_is_named(name: str) -> None:
    with pytest.raises(CommandFailed) as raised, opened(name):
        pass

    assert raised.value.key == "cli.input.unreadable"
    assert raised.value.values["file"] == name


def test_the_line_that_an_event_came_as_can_be_had() -> None:
    raw = b'{"type":  "round.started", "round": "r1"}'
    lines = lines_of(b"\n nonsense\n " + raw + b" \r\n")
    assert [lines.line for item in lines.everything() if isinstance(item, BaseEvent)] == [raw]
