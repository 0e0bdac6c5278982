from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub import Received, Unreadable, WatchItem, watch
from roundwatch.core.hub.lines import split_frame
from roundwatch.core.hub.received import FrameText, events_of
from roundwatch.core.rounds import parse_event

from tests.core.hub.peers import event

TWO = [event(1) | {"seq": 1}, event(2) | {"seq": 2}]


def wire(*elements: Any) -> bytes:
    return json.dumps(list(elements)).encode()


def read(*frames: bytes) -> list[WatchItem]:
    """What a watch that stands at the stream's beginning makes of these frames."""
    feed = watch("ws://127.0.0.1:1", token="t", after="s:0")
    feed.position = ("s", 0)
    found: list[WatchItem] = []
    for frame in frames:
        for item in feed._items_in(frame):  # pyright: ignore[reportPrivateUsage]  # no socket: many frames are tried
            found.append(item)
            feed._apply(item)  # pyright: ignore[reportPrivateUsage]
    return found


def placeless(items: list[WatchItem]) -> list[WatchItem]:
    return [Unreadable("", item.why, item.seq, item.round) if isinstance(item, Unreadable) else item for item in items]


def odd(n: int) -> st.SearchStrategy[Any]:
    mine = event(n)
    return st.sampled_from(
        [
            mine | {"seq": n}, mine | {"seq": n}, mine | {"seq": n}, mine | {"seq": n + 3}, mine | {"seq": 1},
            mine | {"seq": str(n)}, mine | {"seq": float(n)}, mine | {"seq": True}, mine,
            mine | {"seq": n, "x": float("nan")},
            mine | {"seq": n, "kind": "song"}, mine | {"seq": n, "at": "2026-03-01T10:00:00+01:00"}, n, None, "text",
            {"type": "odd", "seq": n, "round": "r1"}, {"type": "feed.at", "seq": n}, {"type": "feed.live"},
            {"type": "feed.gap", "from": n, "to": n + 1, "why": "trimmed"}, mine | {"seq": n, "text": "\ud800 NaN"},
        ]
    )  # fmt: skip


mixes = st.integers(0, 8).flatmap(lambda size: st.tuples(*(odd(n) for n in range(1, size + 1))))


@given(mixes)
def test_an_array_gives_what_its_elements_give_one_by_one(elements: tuple[Any, ...]) -> None:
    singly = [wire(element)[1:-1] for element in elements]
    assert placeless(read(wire(*elements))) == placeless(read(*singly))


@given(mixes)
def test_what_is_read_in_one_go_is_what_the_long_way_gives(elements: tuple[Any, ...]) -> None:
    frame = wire(*elements)
    events = events_of(frame)
    assert events is None or events == [parse_event(piece.text) for piece in split_frame(frame.decode())]


def test_a_frame_of_events_is_read_in_one_go_and_one_event_alone_too() -> None:
    assert [found.seq for found in events_of(wire(*TWO)) or ()] == [1, 2]
    assert [found.seq for found in events_of(b" ".join(wire(TWO[0])[1:-1].split(b" "))) or ()] == [1]


@pytest.mark.parametrize(
    "frame",
    [
        wire(event(1)), wire(TWO[0] | {"seq": "1"}), wire(TWO[0] | {"seq": True}), wire(TWO[0] | {"x": float("inf")}),
        b"", b"{", b"{}", b"[", b"7", wire(*TWO)[1:-1], wire(TWO[0])[1:-1] + b",", wire({"type": "feed.live"}),
    ],
)  # fmt: skip
def test_what_a_hub_would_not_send_is_left_to_the_long_way(frame: bytes) -> None:
    assert events_of(frame) is None


def test_each_event_of_a_frame_keeps_its_own_text() -> None:
    texts = ['{"seq":1, "type":"round.resumed","round":"r","é":[1.50]}', '{"seq":2,"type":"round.resumed","round":"r"}']
    items = read(f"[{texts[0]} ,\n{texts[1]}]".encode())
    assert [item.raw for item in items if isinstance(item, Received)] == texts


nested = st.sampled_from(['},{"seq":', '[{"seq":2,"a":1},{"seq":3}]', 'é\ud800"', "}]"])
lines = st.lists(st.dictionaries(st.sampled_from(["x", "y", "text"]), nested | st.integers(), max_size=3), min_size=1)


@given(lines, st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")]))
def test_the_texts_of_a_frame_are_those_that_decoding_finds(
    bodies: list[dict[str, Any]], seq_first: bool, marks: tuple[str, str]
) -> None:
    inner = [{"seq": 7, "x": 1}, {"seq": 8, "x": 1}]
    elements: list[dict[str, Any]] = []
    for n, body in enumerate(bodies, start=1):
        own = {**event(n), **body, "deep": inner, "text": "t"}
        elements.append({"seq": n, **own} if seq_first or n % 2 else {**own, "seq": n})
    frame = json.dumps(elements, separators=marks, ensure_ascii=True).encode()
    events = events_of(frame)
    assert events is not None or b"\\ud800" in frame
    if events is not None:
        cut = FrameText(frame, events)
        assert [cut[n] for n in range(len(events))] == [json.dumps(one, separators=marks) for one in elements]


def test_received_events_are_equal_by_event_text_and_number() -> None:
    frame = FrameText(wire(TWO[0]), [parse_event(TWO[0])])
    one = Received(parse_event(TWO[0]), frame, 1, 0)
    same = Received(parse_event(TWO[0]), json.dumps(TWO[0]), 1)
    assert (one, hash(one), repr(one)) == (same, hash(same), repr(same))
    assert one != Received(parse_event(TWO[0]), "", 1)
    assert one != "text"
