from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.otlp import Assembler, Span
from roundwatch.core.feeds.otlp.assembler import ABSENT_S, KEPT_S
from roundwatch.core.rounds import Ledger, Round, Verdict, classify

from tests.core.feeds.otlp.spans import TRACE, agent, chat, folded, ident, outcome, span, told, tool

CREW = (
    chat("c1", "boss", "tool_calls", text="I look.", at=1),
    tool("t1", "boss", at=2),
    chat("c2", "helper", "tool_calls", text="Where?", at=3.1, lasts=0.5),
    tool("t2", "helper", at=3.7, lasts=0.1),
    chat("c3", "helper", text="Found it.", at=3.8, lasts=0.1),
    agent("helper", "ask", at=3, lasts=0.95),
    tool("ask", "step", at=3, lasts=1),
    span("step", "boss", called="a step of the framework", at=3, lasts=1.1),
    chat("c4", "boss", text="It lies east of the mill.", at=5),
    agent("boss", lasts=7, attributes={"gen_ai.conversation.id": "talk-1"}),
)
"""Children before parents, as they end: an agent that asks another one through a tool."""


def summary(ledger: Ledger) -> dict[str, Any]:
    return {name: _of(round_) for name, round_ in ledger.rounds.items()}


def _of(round_: Round) -> dict[str, Any]:
    return {
        "thread": round_.thread, "agent": round_.agent, "parent": round_.parent, "silent": sorted(round_.silent),
        "calls": [(call.id, call.finish_reason, call.text, call.usage, call.total_ms) for call in round_.calls],
        "tools": sorted((each.id, each.name, each.state) for each in round_.tool_calls.values()),
        "outcome": classify(round_).as_json(),
    }  # fmt: skip


def test_an_agent_a_sub_agent_and_their_tools_are_two_rounds() -> None:
    ledger = folded(told(CREW))
    boss, helper = ledger.rounds[TRACE], ledger.rounds[f"{TRACE}.{ident('helper')}"]
    assert (boss.agent, boss.thread, helper.agent) == ("boss", "talk-1", "helper")
    assert helper.parent is not None
    assert (helper.parent.round, helper.parent.tool_call) == (TRACE, "id-ask")
    assert [call.id for call in boss.calls] == [ident("c1"), ident("c4")]
    assert [call.id for call in helper.calls] == [ident("c2"), ident("c3")]
    assert [(each.id, each.state) for each in boss.tool_calls.values()] == [("id-t1", "ok"), ("id-ask", "ok")]
    assert {classify(each).verdict for each in (boss, helper)} == {Verdict.COMPLETED}
    assert classify(boss).is_answer
    assert boss.source == "otlp"
    assert {"progress", "refusals"} <= boss.silent


WHOLE = summary(folded(told(CREW)))


@given(order=st.permutations(CREW), cuts=st.lists(st.integers(0, len(CREW)), max_size=4), again=st.data())
def test_any_order_in_any_batches_with_any_repetitions_gives_the_same_rounds(
    order: list[Span], cuts: list[int], again: st.DataObject
) -> None:
    marks = [0, *sorted(cuts), len(order)]
    batches = [order[start:end] for start, end in pairwise(marks)]
    repeated = again.draw(st.lists(st.sampled_from(batches), max_size=2))
    assert summary(folded(told(*batches, *repeated))) == WHOLE


def test_a_hub_that_was_started_again_numbers_the_same_spans_alike() -> None:
    first, second = told(CREW), told(CREW[5:], CREW[:5])
    numbered = {(each.producer, each.n): each.event for each in first}
    assert {(each.producer, each.n): each.event for each in second} == numbered
    assert summary(folded([*first, *second])) == WHOLE


def test_spans_wait_for_their_root_and_are_told_without_it_after_a_stated_time() -> None:
    assembler = Assembler()
    assert assembler.feed("me", CREW[:5], 0.0) == []
    assert assembler.next_deadline == ABSENT_S
    assert assembler.due(ABSENT_S - 1) == []
    events = assembler.due(ABSENT_S)
    (round_,) = folded(events).rounds.values()
    assert round_.id == TRACE
    assert len(round_.calls) == 3
    assert not round_.is_over  # nobody told that it is

    events += assembler.feed("me", [CREW[-1]], ABSENT_S + 1)
    late = folded(events).rounds[TRACE]
    assert late.is_over
    assert late.agent == "boss"


def test_what_comes_after_the_root_is_told_at_once() -> None:
    assembler = Assembler()
    events = assembler.feed("me", [CREW[0], CREW[-1]], 0.0)
    events += assembler.feed("me", [CREW[8]], 1.0)
    (round_,) = folded(events).rounds.values()
    assert [call.id for call in round_.calls] == [ident("c1"), ident("c4")]
    assert classify(round_).verdict is Verdict.COMPLETED


def test_a_request_of_a_web_server_with_calls_is_a_round_and_one_without_is_none() -> None:
    web = span("web", called="POST /ask", service="shop", lasts=9)
    (round_,) = folded(told([chat("c", "web", at=1), web])).rounds.values()
    assert (round_.agent, round_.title, round_.is_over) == ("shop", "POST /ask", True)
    assert told([span("db", "web"), web]) == []


def test_agents_beside_each_other_share_a_thread_and_their_caller_is_no_round() -> None:
    web = span("web", called="POST /ask", lasts=9)
    crew = [chat("c1", "a"), agent("a", "web"), chat("c2", "b"), agent("b", "web", at=3), web]
    rounds = folded(told(crew)).rounds
    assert set(rounds) == {f"{TRACE}.{ident('a')}", f"{TRACE}.{ident('b')}"}
    assert {round_.thread for round_ in rounds.values()} == {TRACE}


def test_a_call_alone_in_its_trace_is_a_round_of_its_own_and_no_thread_is_made_up() -> None:
    (round_,) = folded(told([chat("c", text="Hello.")])).rounds.values()
    assert (round_.thread, round_.is_over, len(round_.calls)) == (None, True, 1)
    assert classify(round_).is_answer


def test_a_call_that_a_framework_and_its_client_both_tell_of_is_one() -> None:
    inner = chat("inner", "outer", at=0.1, lasts=0.8)
    (round_,) = folded(told([inner, chat("outer", "boss"), agent("boss", lasts=2)])).rounds.values()
    assert [call.id for call in round_.calls] == [ident("outer")]


def test_the_part_of_a_trace_that_a_caller_elsewhere_began_needs_no_root() -> None:
    served = agent("served", "elsewhere", is_entry=True)
    (round_,) = folded(told([chat("c", "served"), served])).rounds.values()
    assert round_.id == f"{TRACE}.{ident('served')}"
    assert round_.is_over


def test_senders_are_kept_apart() -> None:
    assembler = Assembler()
    assembler.feed("me", [chat("c1", "boss")], 0.0)
    theirs = assembler.feed("them", [agent("boss")], 0.0)
    assert {each.owner for each in theirs} == {"them"}
    assert not any(each.event.type.startswith("call") for each in theirs)


def test_a_circle_of_parents_ends_and_is_told_after_the_time() -> None:
    assembler = Assembler()
    assert assembler.feed("me", [chat("a", "b"), chat("b", "a")], 0.0) == []
    assert len(folded(assembler.due(ABSENT_S)).rounds) == 1


def test_what_is_known_stays_bounded() -> None:
    assembler = Assembler(most_spans=10)
    events = assembler.feed("me", [chat(f"c{n}", "boss", trace=f"{n:032x}") for n in range(1, 41)], 0.0)
    assert len(folded(events).rounds) == 30
    assert assembler.waiting == 10
    assembler.due(KEPT_S)
    assert (assembler.waiting, assembler.next_deadline) == (0, None)


def test_an_exception_in_the_agent_is_a_fault_of_the_round() -> None:
    found = outcome(chat("c", "boss"), agent("boss", lasts=3, status=2, attributes={"error.type": "ValueError"}))
    assert (found.verdict, found.facts["message"]) == (Verdict.FAULTED, "ValueError")


def test_an_agent_that_was_cancelled_is_no_fault() -> None:
    stopped = agent("boss", lasts=3, status=2, attributes={"error.type": "asyncio.CancelledError"})
    assert outcome(chat("c", "boss", "tool_calls"), stopped).verdict is Verdict.CANCELLED
    assert outcome(agent("boss", status=2, attributes={"error.type": "KeyboardInterrupt"})).facts["by"] == "user"


def test_an_agents_own_words_stand_where_its_calls_hold_none() -> None:
    said = {"gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"Forty-two."}]}]'}
    (plain,) = folded(told([chat("c", "boss"), agent("boss", lasts=3, attributes=said)])).rounds.values()
    assert plain.text == "Forty-two."
    (twice,) = folded(told([chat("c", "boss", text="42"), agent("boss", lasts=3, attributes=said)])).rounds.values()
    assert twice.text == "42"


def test_two_roots_of_one_trace_are_two_rounds() -> None:
    spans = [chat("c1", "a1", text="one"), agent("a1", lasts=3), chat("c2", "a2", "length"), agent("a2", lasts=3)]
    rounds = folded(told(spans)).rounds
    assert {name: (round_.agent, len(round_.calls)) for name, round_ in rounds.items()} == {
        TRACE: ("a1", 1),
        f"{TRACE}.{ident('a2')}": ("a2", 1),
    }


def test_two_thousand_calls_of_one_agent_are_told_whichever_comes_first() -> None:
    calls = [chat(f"{n:x}".zfill(8), "boss", at=n / 1000) for n in range(2000)]
    boss = agent("boss", lasts=20)
    for batches in ([*calls, boss],), ([boss], calls), (calls, [boss]):
        (round_,) = folded(told(*batches)).rounds.values()
        assert (len(round_.calls), round_.is_over) == (2000, True)


def test_an_agent_of_a_named_service_bears_its_name_as_a_title() -> None:
    (round_,) = folded(told([chat("c", "boss"), agent("boss", lasts=3, service="shop")])).rounds.values()
    assert (round_.agent, round_.title) == ("boss", "shop")
