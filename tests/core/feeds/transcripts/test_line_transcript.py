from __future__ import annotations

from collections.abc import Iterable

import pytest
from roundwatch.core.feeds.transcripts import Line, LineTranscript
from roundwatch.core.rounds import Event, parse_event
from roundwatch.core.rounds.events import RoundStarted


class Named(LineTranscript):
    """Makes one round of every record that names one."""

    source = "named"

    def take(self, record: dict[str, object], line: Line) -> Iterable[Event]:
        yield parse_event({"type": "round.started", "round": str(record["name"]), "title": f"line {line.number}"})

    def conclude(self) -> Iterable[Event]:
        yield parse_event({"type": "round.finished", "round": "all"})

    def skips(self, data: bytes) -> bool:
        return data.startswith(b'{"skip"')


def test_records_come_in_order_and_the_end_concludes() -> None:
    transcript = Named()
    events = transcript.feed(b'{"name": "a"}\n{"skip":"","a":1}\n{"name"') + transcript.feed(b': "b"}')
    assert [event.round for event in events if isinstance(event, RoundStarted)] == ["a"]
    assert transcript.offset == 32
    rest = transcript.close()
    assert [event.type for event in rest] == ["round.started", "round.finished"]
    assert not transcript.unreadable.count


@pytest.mark.parametrize(
    ("bad", "why"),
    [(b"nonsense", "no JSON"), (b"[1]", "no JSON object"), (b'{"name": "\xff"}', "no JSON"), (b'{"name":', "no JSON")],
)
def test_a_line_that_is_no_object_is_counted_with_its_place_and_the_rest_is_read(bad: bytes, why: str) -> None:
    transcript = Named()
    events = transcript.feed(b'{"name": "a"}\n' + bad + b'\n{"name": "b"}\n')
    assert len(events) == 2
    assert transcript.unreadable.count == 1
    (place,) = transcript.unreadable.places
    assert (place.line, place.offset) == (2, 14)
    assert place.why.startswith(why)


def test_a_damaged_line_is_counted_though_it_would_have_been_skipped() -> None:
    transcript = Named()
    assert len(transcript.feed(b'{"skip": "a"}\n{"skip": "a\n{"name": "b"}\n')) == 1
    (place,) = transcript.unreadable.places
    assert (place.line, place.offset, place.fault.code) == (2, 14, "transcript_no_json")


def test_a_last_line_that_nobody_finished_is_counted_when_the_file_is_whole() -> None:
    transcript = Named()
    transcript.feed(b'{"name": "a"}\n{"na')
    assert not transcript.unreadable.count
    transcript.close()
    (place,) = transcript.unreadable.places
    assert (place.line, place.offset, place.fault.code) == (2, 14, "transcript_no_json")


def test_only_the_first_places_are_kept_but_all_are_counted() -> None:
    transcript = Named()
    transcript.feed(b"bad\n" * 1000)
    assert transcript.unreadable.count == 1000
    assert len(transcript.unreadable.places) == 20
