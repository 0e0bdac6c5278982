"""Sub-agents of Claude Code: below the tool that set them to work, or known by their id alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.otlp import Assembler, Log, Span
from roundwatch.core.feeds.otlp.claude_logs import IDLE_S, ClaudeLogs
from roundwatch.core.feeds.otlp.records import line_of, record_of
from roundwatch.core.hub.inlet import Numbered
from roundwatch.core.rounds import Ledger, classify

from tests.core.feeds.otlp.spans import BEGAN_NS, SECOND, TRACE, folded, ident, span

OWN = {"session.id": "s1"}


def interaction() -> Span:
    return span("turn", called="claude_code.interaction", lasts=10, attributes=OWN)


def request(name: str, parent: str, at: float, agent: str | None = None, above: str | None = None) -> Span:
    told = {"model": "claude-opus-5", "input_tokens": 5, "output_tokens": 7, "stop_reason": "end_turn"}
    named = {"agent_id": agent, "parent_agent_id": above}
    attributes: dict[str, Any] = {**OWN, **told, **{key: each for key, each in named.items() if each is not None}}
    return span(name, parent, called="claude_code.llm_request", at=at, attributes=attributes)


def used(name: str, parent: str, at: float, tool_name: str, **more: Any) -> Span:
    attributes = {**OWN, "tool_name": tool_name, "tool_use_id": f"id-{name}", "success": True, **more}
    return span(name, parent, called="claude_code.tool", at=at, lasts=4, attributes=attributes)


NESTED = (
    request("r1", "turn", 0),
    used("ask", "turn", 1, "Agent", subagent_type="Explore"),
    request("r2", "ask", 1.5, "a7"),
    used("grep", "ask", 2, "Grep"),
    used("deep", "ask", 2.5, "Task"),
    request("r3", "deep", 3, "a9", "a7"),
    request("r4", "turn", 6),
    interaction(),
)


def shape(ledger: Ledger) -> dict[str, Any]:
    return {
        name.replace(TRACE, "T"): (
            None if each.parent is None else (each.parent.round.replace(TRACE, "T"), each.parent.tool_call),
            each.agent,
            len(each.calls),
            sorted(tool.name for tool in each.tool_calls.values()),
            each.is_over,
        )
        for name, each in ledger.rounds.items()
    }


@given(order=st.permutations(NESTED))
def test_what_is_below_an_agent_tool_is_a_round_below_its_caller_in_any_order(order: list[Span]) -> None:
    assembler, told = Assembler(), list[Numbered]()
    for number, each in enumerate([*order, *order]):
        told += assembler.feed("me", [each], float(number))
    assert shape(folded(told)) == {
        "T": (None, None, 2, ["Agent"], True),
        f"T.{ident('ask')}": (("T", "id-ask"), "Explore", 1, ["Grep", "Task"], True),
        f"T.{ident('deep')}": ((f"T.{ident('ask')}", "id-deep"), None, 1, [], True),
    }


def test_an_agent_that_failed_is_a_fault_of_its_own_round_alone() -> None:
    failed = used("ask", "turn", 1, "Agent", success=False, error="no luck")
    rounds = folded(
        Assembler().feed("me", [request("r2", "ask", 1.5), failed, request("r4", "turn", 6), interaction()], 0)
    )
    verdicts = {name: str(classify(each).verdict) for name, each in rounds.rounds.items()}
    assert verdicts == {TRACE: "completed", f"{TRACE}.{ident('ask')}": "faulted"}


def test_an_agent_tool_below_which_nothing_came_is_a_tool() -> None:
    (round_,) = folded(Assembler().feed("me", [used("ask", "turn", 1, "Agent"), interaction()], 0)).rounds.values()
    assert [tool.state for tool in round_.tool_calls.values()] == ["ok"]


FLAT = (request("r1", "turn", 0), request("r3", "turn", 3, "a9", "a7"), request("r2", "turn", 2, "a7"), interaction())


@given(order=st.permutations(FLAT))
def test_an_agent_that_no_span_stands_for_is_known_by_its_id(order: list[Span]) -> None:
    assembler, told = Assembler(), list[Numbered]()
    for number, each in enumerate(order):
        told += assembler.feed("me", [each], float(number))
    assert shape(folded(told)) == {
        "T": (None, None, 1, [], True),
        "T.a7": (("T", None), "a7", 1, [], True),
        "T.a9": (("T.a7", None), "a9", 1, [], True),
    }


def test_ids_of_other_programs_make_no_rounds() -> None:
    other = span("c", None, attributes={"gen_ai.operation.name": "chat", "agent_id": "a7"})
    assert list(folded(Assembler().feed("me", [other], 0)).rounds) == [TRACE]


def log(name: str, second: float, **attributes: Any) -> Log:
    own = {"session.id": "s1", "prompt.id": "p1", "event.sequence": int(second * 10)}
    return Log(f"claude_code.{name}", BEGAN_NS + int(second * SECOND), own | attributes)


LOGS = (
    log("user_prompt", 0),
    log("api_request", 1, request_id="q1", output_tokens=3),
    log("api_request", 2, request_id="q2", output_tokens=4, agent_id="a9", parent_agent_id="a7"),
    log("api_request", 3, request_id="q3", output_tokens=5, agent_id="a7", **{"agent.name": "Explore"}),
    log("tool_result", 4, tool_name="Grep", tool_use_id="t1", success="true", agent_id="a7"),
    log("tool_decision", 5, tool_name="Bash", tool_use_id="t2", decision="reject", source="user_reject", agent_id="a9"),
    log("api_request", 6, request_id="q4", output_tokens=6),
)


@pytest.mark.parametrize("restarts", [False, True])
def test_logs_of_sub_agents_are_rounds_of_their_own_that_end_with_the_prompt(restarts: bool) -> None:
    logs, told = ClaudeLogs(), list[Numbered]()
    for each in LOGS:
        told += logs.feed("me", [each], 0.0)
        if restarts:
            lines = [line_of(record).encode() for record in logs.records()]
            logs = ClaudeLogs()
            logs.restore([record for line in lines if (record := record_of(line)) is not None], 0.0)
    told += logs.due(IDLE_S)
    rounds = folded(told).rounds
    assert {name: [call.usage.output_tokens for call in each.calls] for name, each in rounds.items()} == {
        "s1.p1": [3, 6],
        "s1.p1.a7": [5],
        "s1.p1.a9": [4],
    }
    parents = {name: each.parent.round for name, each in rounds.items() if each.parent is not None}
    assert parents == {"s1.p1.a7": "s1.p1", "s1.p1.a9": "s1.p1.a7"}
    assert all(each.is_over for each in rounds.values())
    states = {tool.name: str(tool.state) for each in rounds.values() for tool in each.tool_calls.values()}
    assert states == {"Bash": "refused", "Grep": "ok"}
