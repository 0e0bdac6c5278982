from __future__ import annotations

from roundwatch.core.hub.intake import judge_frame
from roundwatch.core.hub.open_rounds import OpenRounds
from roundwatch.core.hub.store import Submission


def submission(kind: str, round_: str, producer: str = "p") -> Submission:
    more = (
        ',"kind":"text","text":"t"' if kind == "round.output" else ',"why":"tokens"' if kind == "round.stopped" else ""
    )
    [judged] = judge_frame(f'{{"id":"{producer}:1","type":"{kind}","round":"{round_}"{more}}}'.encode(), "owner")
    assert isinstance(judged, Submission)
    assert judged.fault is None
    return judged


def test_one_round_too_many_is_rejected_with_all_of_its_events_and_the_others_go_on() -> None:
    rounds = OpenRounds(2)
    for name in ("a", "b"):
        assert rounds.judged(submission("round.started", name)).fault is None
    refused = rounds.judged(submission("round.started", "c"))
    assert refused.fault is not None
    assert "2 rounds of this producer have no end yet" in refused.fault
    assert rounds.judged(submission("round.output", "c")).fault is not None
    assert rounds.judged(submission("round.finished", "c")).fault is not None
    assert rounds.judged(submission("round.output", "a")).fault is None
    assert rounds.judged(submission("round.started", "a")).fault is None  # sent twice


def test_an_end_makes_room() -> None:
    rounds = OpenRounds(1)
    for end in ("round.finished", "round.stopped"):
        assert rounds.judged(submission("round.started", end)).fault is None
        assert rounds.judged(submission(end, end)).fault is None
        assert rounds.judged(submission(end, end)).fault is None
    assert rounds.judged(submission("round.started", "next")).fault is None


def test_producers_do_not_share_the_bound_and_late_events_do_not_count() -> None:
    rounds = OpenRounds(1)
    assert rounds.judged(submission("round.output", "old")).fault is None
    assert rounds.judged(submission("round.started", "a")).fault is None
    assert rounds.judged(submission("round.started", "b", "other")).fault is None
    assert rounds.judged(submission("round.started", "b")).fault is not None


def test_what_is_remembered_of_the_refused_is_bounded() -> None:
    rounds = OpenRounds(2)
    for number in range(100):
        rounds.judged(submission("round.started", f"r{number}"))
    rounds.judged(submission("round.finished", "r0"))
    assert rounds.judged(submission("round.output", "r50")).fault is None  # forgotten: an event of an unknown round
    assert rounds.judged(submission("round.output", "r99")).fault is not None
