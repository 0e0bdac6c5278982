from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from roundwatch.core.hub.supervision import Supervision, SupervisionLimits
from roundwatch.core.hub.supervision_round import MOST_OPEN
from roundwatch.core.hub.supervision_words import Why
from roundwatch.core.rounds import Ledger, Verdict, classify, parse_event

NOON_S = 1_800_000_000.0
LIMITS = SupervisionLimits(silent_s=60, parent_s=30, gone_s=10, most_rounds=100)
CALL: dict[str, Any] = {"type": "call.started", "call": "c1"}
TEXT: dict[str, Any] = {"type": "call.output", "call": "c1", "kind": "text", "text": "a"}


class Scene:
    """A supervision with a clock of its own; each event is also what a watcher would fold."""

    def __init__(self, limits: SupervisionLimits = LIMITS) -> None:
        self.seen = Supervision(limits)
        self.ledger = Ledger()
        self.now_s = 0.0
        self.seq = 0
        self.numbers: dict[str, int] = {}

    def tell(self, round_: str, *events: dict[str, Any], producer: str = "p") -> None:
        for fields in events:
            at = datetime.fromtimestamp(NOON_S + self.now_s, UTC).isoformat()
            event = parse_event({"at": at, "round": round_} | fields)
            self.seq += 1
            self.ledger.apply(event)
            self.seen.take(event, producer, self.seq, self.now_s, NOON_S + self.now_s)

    def start(self, round_: str, producer: str = "p", **fields: Any) -> None:
        self.tell(round_, {"type": "round.started", "thread": f"t-{round_}"} | fields, producer=producer)

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds

    def said(self) -> list[tuple[str, str]]:
        words = self.seen.due(self.now_s)
        for word in words:
            self.ledger.apply(parse_event(word.line("hub-1:1", NOON_S + self.now_s)))
        return [(word.round, word.why) for word in words]


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_an_open_call_without_output_is_said_to_be_silent_once(scene: Scene) -> None:
    scene.start("r")
    scene.tell("r", CALL)
    scene.pass_s(59)
    assert scene.said() == []
    scene.pass_s(1)
    assert scene.said() == [("r", Why.SILENT)]
    scene.pass_s(1000)
    assert scene.said() == []


def test_new_output_begins_a_new_silence(scene: Scene) -> None:
    scene.start("r")
    scene.tell("r", CALL)
    scene.pass_s(60)
    scene.said()
    scene.tell("r", TEXT)
    scene.pass_s(60)
    assert scene.said() == [("r", Why.SILENT)]


@pytest.mark.parametrize(
    "sign",
    [
        {"type": "call.output", "call": "c1", "kind": "usage"},
        {"type": "call.output", "call": "c1", "kind": "text", "text": ""},
        {"type": "call.usage", "call": "c1", "usage": {"output_tokens": 3}},
        {"type": "round.warning", "code": "cut_answer"},
    ],
)
def test_what_is_no_output_does_not_break_a_silence(scene: Scene, sign: dict[str, Any]) -> None:
    scene.start("r")
    scene.tell("r", CALL)
    scene.pass_s(59)
    scene.tell("r", sign)
    scene.pass_s(1)
    assert scene.said() == [("r", Why.SILENT)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"type": "tool.started", "tool_call": "x"}, {"type": "tool.finished", "tool_call": "x", "ok": True}),
        ({"type": "round.suspended"}, {"type": "round.resumed"}),
    ],
)  # fmt: skip
def test_a_running_tool_and_a_pending_approval_are_no_silence(
    scene: Scene, before: dict[str, Any], after: dict[str, Any]
) -> None:
    scene.start("r")
    scene.tell("r", CALL, before)
    scene.pass_s(10_000)
    assert scene.said() == []
    scene.tell("r", after)
    scene.pass_s(60)
    assert scene.said() == [("r", Why.SILENT)]


def test_of_two_runs_of_one_tool_id_both_have_to_end(scene: Scene) -> None:
    tool = {"tool_call": "x", "call": "c1"}
    scene.start("r")
    scene.tell("r", CALL, {"type": "tool.started", **tool}, {"type": "tool.started", **tool})
    scene.tell("r", {"type": "tool.finished", "ok": True, **tool})
    scene.pass_s(100)
    assert scene.said() == []


def test_without_an_open_call_nothing_is_silent(scene: Scene) -> None:
    scene.start("r")
    scene.tell("r", CALL, {"type": "call.finished", "call": "c1", "outcome": "completed", "finish_reason": "stop"})
    scene.pass_s(10_000)
    assert scene.said() == []


def delegation(scene: Scene, **child: Any) -> None:
    scene.start("parent")
    scene.tell("parent", CALL, {"type": "tool.requested", "tool_call": "d", "call": "c1", "name": "delegate"})
    scene.tell("parent", {"type": "call.finished", "call": "c1", "outcome": "completed", "finish_reason": "tool_calls"})
    scene.tell("parent", {"type": "tool.started", "tool_call": "d"})
    scene.start("child", parent={"round": "parent", "tool_call": "d"}, **child)
    scene.tell("child", {"type": "round.finished"})


def test_an_ended_round_whose_parent_waits_is_parked(scene: Scene) -> None:
    delegation(scene)
    scene.pass_s(30)
    (word,) = scene.seen.due(scene.now_s)
    fields = json.loads(word.line("hub-1:1", NOON_S))
    assert (word.why, word.thread) == (Why.PARENT_WAITS, "t-child")
    assert (fields["state"], fields["verdict"], fields["summary"]) == ("idle", "parked", {"round": "child"})
    assert scene.said() == []


def test_of_a_sub_round_without_a_thread_its_parents_thread_is_said_to_wait(scene: Scene) -> None:
    delegation(scene, thread=None)
    scene.pass_s(30)
    (word,) = scene.seen.due(scene.now_s)
    fields = json.loads(word.line("hub-1:1", NOON_S))
    assert (word.round, word.thread) == ("child", "t-parent")
    assert (fields["state"], fields["verdict"]) == ("executing", "stale")


@pytest.mark.parametrize(
    "answer",
    [
        {"type": "tool.finished", "tool_call": "d", "ok": True},
        {"type": "tool.refused", "tool_call": "d", "why": "policy", "message": "no"},
        {"type": "round.finished"},
    ],
)
def test_a_parent_that_took_the_result_or_ended_waits_no_more(scene: Scene, answer: dict[str, Any]) -> None:
    delegation(scene)
    scene.tell("parent", answer)
    scene.pass_s(1000)
    assert scene.said() == []


@pytest.mark.parametrize(("is_clean", "why"), [(False, Why.PUBLISHER_GONE), (True, Why.PUBLISHER_LEFT)])
def test_open_rounds_of_a_producer_that_does_not_come_back_are_said_once(
    scene: Scene, is_clean: bool, why: Why
) -> None:
    scene.start("r")
    scene.start("ended")
    scene.tell("ended", {"type": "round.finished"})
    scene.start("other", producer="q")
    scene.seen.left("p", scene.now_s, is_clean=is_clean)
    scene.pass_s(9)
    assert scene.said() == []
    scene.pass_s(1)
    assert scene.said() == [("r", why)]
    scene.pass_s(1000)
    assert scene.said() == []


def test_a_producer_that_comes_back_in_time_is_not_gone(scene: Scene) -> None:
    scene.start("r")
    scene.tell("r", CALL)
    scene.seen.left("p", scene.now_s, is_clean=False)
    scene.pass_s(9)
    scene.seen.came("p")
    scene.pass_s(40)
    assert scene.said() == []
    scene.pass_s(11)
    assert scene.said() == [("r", Why.SILENT)]


def test_nobody_is_called_gone_while_somebody_unnamed_has_connected_since(scene: Scene) -> None:
    scene.start("r")
    scene.seen.left("p", scene.now_s, is_clean=False)
    scene.pass_s(100)
    assert scene.seen.due(scene.now_s, lambda since: since <= 50) == []
    assert [word.why for word in scene.seen.due(scene.now_s)] == [Why.PUBLISHER_GONE]


def test_a_silence_that_was_said_can_still_become_a_departure(scene: Scene) -> None:
    scene.start("r")
    scene.tell("r", CALL)
    scene.pass_s(60)
    assert scene.said() == [("r", Why.SILENT)]
    scene.seen.left("p", scene.now_s, is_clean=False)
    scene.pass_s(10)
    assert scene.said() == [("r", Why.PUBLISHER_GONE)]


def test_a_round_that_another_hub_takes_now_is_left_to_it(scene: Scene) -> None:
    scene.start("r")
    scene.tell("r", CALL)
    scene.seen.elsewhere("r", scene.seq + 1)
    scene.seen.left("p", scene.now_s, is_clean=False)
    scene.pass_s(1000)
    assert scene.said() == []
    assert len(scene.seen) == 0


def test_only_the_newest_round_of_a_thread_is_spoken_about(scene: Scene) -> None:
    scene.start("old", thread="t")
    scene.tell("old", CALL)
    scene.start("new", thread="t")
    scene.tell("new", CALL)
    scene.pass_s(60)
    assert scene.said() == [("new", Why.SILENT)]


def test_records_that_are_handed_in_are_not_watched(scene: Scene) -> None:
    scene.start("old", at="2001-01-01T00:00:00Z")
    scene.start("timeless", at=None)
    assert len(scene.seen) == 0


def test_what_was_said_before_a_restart_is_not_said_again(scene: Scene) -> None:
    scene.start("r")
    scene.seen.left("p", scene.now_s, is_clean=False)
    scene.pass_s(10)
    (word,) = scene.seen.due(scene.now_s)
    again = Scene()
    again.start("r")
    again.seen.take(parse_event(word.line("hub-1:1", NOON_S)), "hub-1", 2, 0, NOON_S)
    again.seen.all_left(0)
    again.pass_s(100)
    assert again.said() == []


def test_a_round_that_its_supervisor_gave_up_is_over(scene: Scene) -> None:
    scene.start("r")
    word = {"type": "thread.supervised", "thread": "t-r", "state": "executing", "verdict": "gave_up"}
    scene.seen.take(parse_event(word), "s", 2, 0, NOON_S)
    assert len(scene.seen) == 0


def test_memory_holds_so_many_open_rounds_and_nothing_of_ended_ones(scene: Scene) -> None:
    for number in range(1000):
        scene.start(f"r{number}", parent={"round": f"r{number - 1}", "tool_call": "x"}, producer=f"p{number}")
        scene.tell(f"r{number}", CALL, {"type": "tool.requested", "tool_call": "x", "name": "n"}, producer=f"p{number}")
    assert len(scene.seen) == LIMITS.most_rounds
    for number in range(1000):
        scene.tell(f"r{number}", {"type": "round.finished"}, producer=f"p{number}")
    state = vars(scene.seen)
    assert [name for name, value in state.items() if hasattr(value, "__len__") and len(value)] == []


def test_a_round_with_too_much_open_at_once_is_not_watched(scene: Scene) -> None:
    scene.start("r")
    for number in range(MOST_OPEN + 1):
        scene.tell("r", {"type": "tool.requested", "tool_call": f"x{number}", "name": "n"})
    assert len(scene.seen) == 0


@pytest.mark.parametrize("ended", [False, True])
def test_no_verdict_and_no_time_of_a_round_changes_by_the_hubs_word(scene: Scene, ended: bool) -> None:
    scene.start("r")
    scene.tell("r", CALL, TEXT)
    if ended:
        finished = {"type": "call.finished", "call": "c1", "outcome": "completed", "finish_reason": "stop"}
        scene.tell("r", finished, {"type": "round.finished"})
    round_ = scene.ledger.rounds["r"]
    before, times = classify(round_), (round_.last_at, round_.ended_at, round_.total_ms)
    for why in Why:
        for idle in (False, True):
            word = {
                "type": "thread.supervised", "thread": "t-r", "at": "2031-01-01T00:00:00Z", "by": "hub", "why": why,
                "state": "idle" if idle else "executing", "verdict": "parked" if idle else "stale", "after_s": 60.0,
            }  # fmt: skip
            scene.ledger.apply(parse_event(word))
    assert classify(round_) == before
    assert before.verdict is (Verdict.COMPLETED if ended else Verdict.RUNNING)
    assert (round_.last_at, round_.ended_at, round_.total_ms) == times
    assert round_.supervised is not None
