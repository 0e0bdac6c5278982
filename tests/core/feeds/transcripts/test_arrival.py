"""Laws of every parser: pieces do not matter, and no bytes make it raise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roundwatch.core.feeds.transcripts.sources import parser, sniff

from .foreign_records import AMPLIFIER, GEMINI, GEMINI_DOCUMENT, INSPECT, OPENCODE, PI, events_of, rounds_of

WHOLE = {
    "pi": PI,
    "gemini-cli": GEMINI,
    "gemini-cli-json": GEMINI_DOCUMENT,
    "opencode": OPENCODE,
    "inspect": INSPECT,
    "amplifier": AMPLIFIER,
}
VALUES = (b"null", b"0", b'""', b"[]", b"{}", b"-1", b"1e99", b'"\\ud83d"', b"[[{}]]", b'"\xff"')


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_is_known_by_its_beginning(name: str) -> None:
    assert sniff(WHOLE[name]) == name
    if name != "inspect":
        assert sniff(b"\xef\xbb\xbf" + WHOLE[name]) == name


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_pieces_of_any_size_give_the_events_of_the_whole(name: str, data: st.DataObject) -> None:
    whole = WHOLE[name]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    pieces = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    reader = parser(name)
    events = [event for piece in pieces for event in reader.feed(piece)]
    assert [*events, *reader.close()] == events_of(parser(name), whole)


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "inspect"])
def test_single_bytes_give_the_events_of_the_whole(name: str) -> None:
    reader = parser(name)
    events = [event for byte in WHOLE[name] for event in reader.feed(bytes((byte,)))]
    assert [*events, *reader.close()] == events_of(parser(name), WHOLE[name])


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_bytes_make_it_raise(name: str, data: st.DataObject) -> None:
    whole = bytearray(WHOLE[name])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole)))
        size = data.draw(st.integers(0, 40))
        whole[at : at + size] = data.draw(st.sampled_from(VALUES) | st.binary(max_size=20))
    rounds_of(events_of(parser(name), bytes(whole)))


def _swapped(whole: bytes, index: int, value: bytes) -> bytes:
    """Return the transcript with what stands behind its n-th colon replaced, so that it stays JSON."""
    at = -1
    for _ in range(index + 1):
        at = whole.find(b'": ', at + 1)
    if at < 0:
        return whole
    rest = whole[at + 3 :]
    ends = [end for end in (rest.find(b","), rest.find(b"}")) if end >= 0]
    return whole[: at + 3] + value + rest[min(ends, default=0) :]


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "inspect"])
@pytest.mark.parametrize("value", VALUES)
def test_no_kind_of_value_in_any_place_makes_it_raise(name: str, value: bytes) -> None:
    whole = WHOLE[name]
    for index in range(whole.count(b'": ')):
        rounds_of(events_of(parser(name), _swapped(whole, index, value)))


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "inspect"])
def test_keys_stay_out_whatever_holds_them(name: str) -> None:
    key = b"sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    for index in range(WHOLE[name].count(b'": ')):
        events = events_of(parser(name), _swapped(WHOLE[name], index, b'"see ' + key + b'"'))
        for event in events:
            if event.type in ("call.output", "tool.requested", "tool.finished", "tool.refused", "round.warning"):
                texts = event.model_dump(include={"text", "arguments", "preview", "error", "message"})
                assert key.decode() not in str(texts)
