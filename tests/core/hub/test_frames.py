from __future__ import annotations

import json

import pytest
from roundwatch.core.hub.errors import FrameError
from roundwatch.core.hub.frames import Ack, At, FeedFrame, Gap, Hello, Live, Reject, encode, frames_of, read_frame
from roundwatch.core.hub.limits import SEND_BYTES

FRAMES: list[FeedFrame] = [
    Hello(stream="s", first=1, last=0, server="x"),
    Gap(from_=1, to=None, why="stream_changed"),
    Live(),
    At(seq=3),
    Ack(id="p:1"),
    Reject(id=None, why="gap", expected=4),
]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_survives_the_wire(frame: FeedFrame) -> None:
    assert read_frame(json.loads(encode(frame))) == frame


def test_the_wire_form_is_the_protocols() -> None:
    assert json.loads(encode(FRAMES[1])) == {
        "v": 1, "type": "feed.gap", "from": 1, "to": None, "why": "stream_changed",
    }  # fmt: skip


@pytest.mark.parametrize("fields", [{}, {"type": "feed.new"}, {"type": "feed.at"}, {"type": "feed.at", "seq": "x"}])
def test_an_unknown_or_broken_frame_is_a_frame_error(fields: dict[str, object]) -> None:
    with pytest.raises(FrameError, match="no frame of the feed"):
        read_frame(fields)


def test_events_are_packed_up_to_the_size_and_a_large_one_goes_alone() -> None:
    large = b'"' + b"x" * SEND_BYTES + b'"'
    frames = list(frames_of([b"1", b"2", large, b"3"]))
    assert frames == [b"[1,2]", large, b"3"]
    assert list(frames_of([])) == []
