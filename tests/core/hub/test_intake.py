from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub.frames import Reject
from roundwatch.core.hub.intake import MAX_NUMBER, judge_frame, split_id
from roundwatch.core.hub.limits import EVENT_BYTES, FRAME_BYTES
from roundwatch.core.hub.store import Submission


def event(n: int = 1, **fields: object) -> dict[str, object]:
    return {"type": "round.started", "round": "r1", "id": f"p:{n}"} | fields


def judged(*events: object) -> list[Submission | Reject]:
    return judge_frame(json.dumps(list(events)).encode(), "me")


@pytest.mark.parametrize(
    "text", ["", "p", "p:", ":1", "p:0", "p:01", "p:-1", "p:x", "p:1.0", "p\n:1", f"p:{2**63}", "p:²"]
)
def test_ids_of_another_form_are_none(text: str) -> None:
    assert split_id(text) is None


def test_an_id_is_split_at_its_last_colon() -> None:
    assert split_id(f"a:b:{MAX_NUMBER}") == ("a:b", MAX_NUMBER)
    assert split_id("p" * 201 + ":1") is None


def test_the_producers_own_text_is_kept_without_its_seq() -> None:
    data = b'{ "type":"round.started",\n "round":"r1", "seq":99, "id":"p:1", "mine": 1.50 }'
    [submission] = judge_frame(data, "me")
    line = '{"type":"round.started","round":"r1","id":"p:1","mine": 1.50}'
    assert submission == Submission("me", "p", 1, line, "r1")


def test_thread_and_parent_are_read_for_the_filters() -> None:
    child = judged(event(parent={"round": "r0"}, thread="t"))[0]
    assert isinstance(child, Submission)
    assert (child.thread, child.parent) == ("t", "r0")
    supervised = judged({"type": "thread.supervised", "thread": "t", "state": "idle", "verdict": "stale", "id": "p:1"})[
        0
    ]
    assert isinstance(supervised, Submission)
    assert (supervised.round, supervised.thread, supervised.fault) == (None, "t", None)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (event(round=""), "round"),
        (event(type=None), "type"),
        (event(type="feed.gap"), "hub's own"),
        (event(v=2), "v"),
        (event(title="x" * EVENT_BYTES), "at most"),
        (event(round="\ud800"), "round"),
        (event(thread="\ud800"), "surrogate"),
    ],
)
def test_a_bad_event_settles_its_number_with_the_reason(bad: object, why: str) -> None:
    [submission] = judged(bad)
    assert isinstance(submission, Submission)
    assert (submission.producer, submission.n, submission.line) == ("p", 1, "")
    assert why in (submission.fault or "")


@pytest.mark.parametrize(
    "bad", [1, [], "x", {"type": "round.started"}, event(id=7), event(id="nope"), event(id="x" * 999)]
)
def test_what_has_no_usable_id_is_rejected_alone(bad: object) -> None:
    rejected, good = judged(bad, event())
    assert isinstance(rejected, Reject)
    assert len(rejected.id or "") <= 200
    assert isinstance(good, Submission)


@pytest.mark.parametrize("data", [b"garbage", b"\xff{}", b"[{]"])
def test_a_frame_that_is_no_json_is_one_rejection(data: bytes) -> None:
    assert [type(item) for item in judge_frame(data, "me")] == [Reject]


def test_an_unknown_type_is_taken() -> None:
    [submission] = judged({"type": "robot.waved", "round": "r", "id": "p:1", "deep": [[1]]})
    assert isinstance(submission, Submission)
    assert (submission.fault, submission.round) == (None, "r")


def test_a_frame_over_the_limit_is_rejected_and_one_event_in_it_by_its_id() -> None:
    large = judged(event(title="x" * FRAME_BYTES))[0]
    assert isinstance(large, Submission)
    assert "at most" in (large.fault or "")
    assert [type(item) for item in judged(*[event(n, title="x" * 900_000) for n in range(1, 11)])] == [Reject]
    assert [type(item) for item in judge_frame(b"x" * (FRAME_BYTES + 1), "me")] == [Reject]


@pytest.mark.parametrize("bad", ["[" * 20_000 + "]" * 20_000, "9" * 10_000, "NaN"], ids=["deep", "long", "NaN"])
def test_an_event_that_cannot_be_decoded_is_settled_by_its_id(bad: str) -> None:
    [known, unknown] = judge_frame(f'[{{"type":"x","id":"p:1","a":{bad}}},{{"type":"x","a":{bad}}}]'.encode(), "me")
    assert isinstance(known, Submission)
    assert (known.producer, known.n, known.fault is not None) == ("p", 1, True)
    assert isinstance(unknown, Reject)
    assert unknown.id is None


SLOWLY = '{"type":"robot.waved","id":"q:1"}'
"""An event of an unknown type: with it every event of a frame is looked at by itself."""
TEXTS = st.sampled_from(["a", "},{", "} , {", '"},{"id":"p:2"', "\\", "NaN", "ü\u2028", "\U0001f600", "\n", "]}", ""])
VALUES = TEXTS | st.none() | st.integers() | st.booleans() | st.lists(st.fixed_dictionaries({"id": TEXTS}), max_size=3)
IDS = st.none() | st.sampled_from(
    ["p:1", "p:2", "p:3", "q:1", "nope", ":1", "", f"p:{MAX_NUMBER}", f"p:{2**63}", "ü:1"]
)
MEMBERS = st.one_of(
    st.tuples(st.sampled_from(["text", "mine", "title", "chars", "call", "kind", "thread", "parent", "at"]), VALUES),
    st.tuples(st.just("seq"), st.none() | st.integers(0, 9)),
    st.tuples(st.just("id"), IDS),
    st.tuples(st.just("type"), st.sampled_from(["call.output", "round.started", "round.finished", "feed.ack"])),
)


@st.composite
def objects(draw: st.DrawFn) -> str:
    """Return an object as somebody may write it: members in any order, some of them twice or misspelt."""
    known = [("type", "call.output"), ("round", "r"), ("call", "c"), ("kind", "text"), ("id", draw(IDS))]
    members = draw(st.permutations([*known, *draw(st.lists(MEMBERS, max_size=4))]))
    colon = draw(st.sampled_from([":", " : ", ":\n"]))
    ascii_only = draw(st.booleans())
    parts = [json.dumps(name) + colon + json.dumps(value, ensure_ascii=ascii_only) for name, value in members]
    return "{" + draw(st.sampled_from([",", " , ", ",\r\n"])).join(parts) + "}"


@given(st.lists(objects(), min_size=1, max_size=4), st.sampled_from([",", ", ", " ,\n", "\t,"]), st.booleans())
def test_a_frame_read_in_one_go_gives_what_its_events_give_one_by_one(
    texts: list[str], between: str, spelt: bool
) -> None:
    if spelt:
        texts = [text.replace('"seq"', '"s\\u0065q"').replace('"id"', '"\\u0069d"') for text in texts]
    together = judge_frame(f"[{between.join(texts)}]".encode(), "me")
    assert together == judge_frame(f"[{between.join([*texts, SLOWLY])}]".encode(), "me")[:-1]
    if len(texts) == 1:
        assert judge_frame(texts[0].encode(), "me") == together


def test_known_events_are_read_with_what_a_supervisor_looks_at() -> None:
    first, second = judged(event(1), event(2, type="round.finished"))
    assert isinstance(first, Submission)
    assert isinstance(second, Submission)
    assert [type(each.event).__name__ for each in (first, second)] == ["RoundStarted", "RoundFinished"]
