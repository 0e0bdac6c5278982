"""Laws of unstreamed bodies, and of the end of every body that is cut: no cut makes an answer."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Ledger, classify
from roundwatch.core.rounds.events import RoundFinished, RoundStarted
from roundwatch.core.wire import WIRES

from tests.core.wire import frames
from tests.core.wire.bodies import Told, splits, told
from tests.core.wire.more_bodies import ALL
from tests.core.wire.whole_bodies import REQUEST, WHOLE

STREAMED = st.sampled_from(sorted(ALL))
SCRAPS = (b"", b"{", b"]", b'"', b"\\", b"\xff", b"null", b'"error":{"code":5},', b"9" * 5000)
UNSTREAMED = st.sampled_from(sorted(WHOLE))


def judged(found: Told) -> bool:
    """Say whether a round of this one call is an answer."""
    ledger = Ledger()
    for event in (RoundStarted(round="r"), *found.events, RoundFinished(round="r")):
        ledger.apply(event)
    return classify(ledger.rounds["r"]).is_answer


def read(name: str, body: bytes | list[bytes]) -> Told:
    return told(WHOLE[name][0], body, request=REQUEST)


def test_every_format_has_an_unstreamed_body() -> None:
    assert {wire for wire, _ in WHOLE.values()} == set(WIRES)


@pytest.mark.parametrize("name", WHOLE)
def test_each_unstreamed_body_is_read_whole(name: str) -> None:
    found = read(name, WHOLE[name][1])

    assert (found.said("reasoning"), found.said(), found.faults) == ("Hm, größer?", "Straße 🚲", [])
    (tool,) = found.tools
    assert (tool.name, json.loads(tool.arguments or ""), tool.complete) == ("ls", {"dir": "ä"}, True)
    assert found.end.usage is not None
    assert (found.end.outcome, found.end.usage.output_tokens, found.end.done_marker) == ("completed", 5, None)


@given(UNSTREAMED.flatmap(lambda name: st.tuples(st.just(name), splits(WHOLE[name][1]))))
def test_any_split_of_an_unstreamed_body_gives_the_same_events(case: tuple[str, list[bytes]]) -> None:
    name, pieces = case
    assert read(name, pieces).events == read(name, WHOLE[name][1]).events


@pytest.mark.parametrize("name", WHOLE)
def test_an_unstreamed_body_cut_anywhere_is_cut_and_gives_beginnings_only(name: str) -> None:
    body, whole = WHOLE[name][1], read(name, WHOLE[name][1])
    for at in range(1, len(body)):
        cut = read(name, body[:at])
        assert cut.end.outcome == "body_cut"
        assert cut.end.finish_reason in (None, whole.end.finish_reason)
        assert not judged(cut)
        if name.startswith("gemini"):  # it writes what makes a text a thought behind the text
            assert (whole.said("reasoning") + whole.said()).startswith(cut.said("reasoning") + cut.said())
            continue
        assert whole.said().startswith(cut.said())
        assert whole.said("reasoning").startswith(cut.said("reasoning"))


@given(UNSTREAMED, st.data())
def test_a_damaged_unstreamed_body_never_raises_and_is_split_invariant(name: str, data: st.DataObject) -> None:
    whole = WHOLE[name][1]
    at = data.draw(st.integers(0, len(whole)))
    scrap = data.draw(st.sampled_from(SCRAPS))
    body = whole[:at] + scrap + whole[at + data.draw(st.integers(0, 40)) :]

    assert read(name, data.draw(splits(body))).events == read(name, body).events


def _spelled(name: str, body: bytes) -> bytes:
    """Return the JSON that stands in a body, that of binary frames taken out of them."""
    if name != "bedrock-invoke":
        return body
    parts = body.split(b'{"bytes": "')[1:]
    return b"".join(base64.b64decode(part.partition(b'"')[0]) for part in parts if b'"' in part)


@pytest.mark.parametrize("name", ALL)
def test_no_cut_of_a_stream_has_a_finish_word_that_its_bytes_do_not_spell(name: str) -> None:
    wire, body = ALL[name]
    for at in range(len(body)):
        end = told(wire, body[:at]).end
        if end.finish_reason is not None:
            assert f'"{end.finish_reason}"'.encode() in _spelled(name, body[:at])


@given(STREAMED, st.data())
def test_a_stream_that_breaks_anywhere_before_its_end_marker_is_body_cut(name: str, data: st.DataObject) -> None:
    wire, body = ALL[name]
    cut = told(wire, body[: data.draw(st.integers(0, len(body)))], broken="reset")

    assert cut.end.outcome == ("completed" if cut.end.done_marker else "body_cut")


def test_a_frame_that_is_cut_or_damaged_ends_no_call() -> None:
    frame = frames.event("messageStop", {"stopReason": "end_turn"})
    for at in range(len(frame)):
        assert told("bedrock-converse", frame[:at]).end.finish_reason is None
        damaged = frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]
        assert told("bedrock-converse", damaged).end.finish_reason is None
