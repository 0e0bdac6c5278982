"""Proofs of the refusal: no tool call of a cut response runs, and everybody is told what became of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from roundwatch.core.policies import TRUNCATED_CALL
from roundwatch.core.rounds.base import Limits
from roundwatch.core.runner import SCRIPT_HEADER, Agent, Rules, Task, subagent_tool
from roundwatch.core.runner.script import Counts, Text, Wait

from tests.core.runner.proofs.lines import DONE, HALF, WIRES, answer, asks, cut, half, use
from tests.core.runner.proofs.proof import Facts, Proof
from tests.core.runner.proofs.stage import Stage

RUN_ANYWAY = Rules(refuse_cut_calls=False)
Play = Callable[[Stage], Awaitable[None]]


def _cut_tools(wire: str) -> Play:
    async def play(stage: Stage) -> None:
        replies = [cut(use("look"), half("write"), wire=wire), answer(DONE, wire=wire)]
        await stage.run(replies, [stage.tool("look"), stage.tool("write")], wire=wire)

    return play


def _all_are_refused(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["ran"] == facts["hooks"] == facts["asked"] == []
    assert [(tool["state"], tool["why"], tool["early"]) for tool in facts["tools"]] == [
        ("refused", "output_cap", False)
    ] * 2
    assert {tool["message"] for tool in facts["tools"]} == {TRUNCATED_CALL}
    after = facts["types"][facts["types"].index("call.finished") :]
    assert after[:5] == ["call.finished", "round.warning", "tool.refused", "tool.refused", "iteration.completed"]
    assert HALF not in str(facts["warnings"]) + str(facts["logged"])


def _is_said_once(facts: Facts) -> None:
    assert [warning["code"] for warning in facts["warnings"]] == ["cut_tool_calls_refused"]
    [line] = facts["logged"]
    assert line.startswith("WARNING ")
    assert "max_tokens" in line
    assert "iteration 1" in line
    assert "look, write" in line
    assert "none of them is run" in line


def _is_replayed_without_arguments(facts: Facts) -> None:
    body = str(facts["bodies"][-1])
    assert "secret-pla" not in body
    assert "path" not in body
    assert body.count(TRUNCATED_CALL) == 2


async def _three_cuts(stage: Stage) -> None:
    await stage.run([*[cut(half("write"))] * 3, answer(DONE)], [stage.tool("write")])


def _ends_after_three(facts: Facts) -> None:
    assert facts["verdict"] == "stalled_iterations"
    assert facts["completion_reason"] == "error"
    assert facts["facts"]["all_refused"] is True
    assert len(facts["calls"]) == 3
    assert sum("max_tokens" in line for line in facts["logged"]) == 3
    assert facts["types"][-2:] == ["round.stopped", "round.finished"]
    assert "no progress: every tool call in them failed; each was cut at max_tokens" in facts["published"]


def _early(wire: str, *, cut_off: bool) -> Play:
    async def play(stage: Stage) -> None:
        slow = 5.0 / 20 if not cut_off else 3600.0
        tools = [stage.tool("read", seconds=slow, concurrent=True), stage.tool("write")]
        steps = (use("read"), use("write", '{"text": "abc"}'), Wait(2.0))
        first = cut(*steps, half("write"), wire=wire) if cut_off else asks(*steps, wire=wire)
        await stage.run([first, answer(DONE, wire=wire)], tools, wire=wire)

    return play


def _early_work_is_dropped(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["begun"] == ["read"]
    assert facts["ran"] == []
    assert [(tool["name"], tool["state"], tool["early"]) for tool in facts["tools"]] == [
        ("read", "refused", True), ("write", "refused", False), ("write", "refused", False),
    ]  # fmt: skip
    assert facts["warnings"][0]["facts"]["early"] is True
    assert "results of calls that overlap had started are discarded, the others are not run" in facts["logged"][0]
    assert facts["types"].index("tool.started") < facts["types"].index("call.finished")
    assert "tool.finished" not in facts["types"]
    assert "result of read" not in str(facts["bodies"][-1])


def _early_work_counts(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["begun"] == ["read", "write"]
    assert [tool["state"] for tool in facts["tools"]] == ["ok", "ok"]
    assert facts["tools"][0]["early"] is True
    types = facts["types"]
    assert types.index("tool.started") < types.index("call.finished") < types.index("tool.finished")
    assert facts["hooks"][0] == "before read"


async def _cut_at_the_last_iteration(stage: Stage) -> None:
    await stage.run([cut(half("write"))], [stage.tool("write")], limits=Limits(iterations=1))


def _is_never_unfinished(facts: Facts) -> None:
    assert facts["verdict"] == "max_iterations"
    assert [tool["state"] for tool in facts["tools"]] == ["refused"]
    assert facts["types"][-3:] == ["iteration.completed", "round.stopped", "round.finished"]


def _cut_call(wire: str) -> Play:
    async def play(stage: Stage) -> None:
        replies = [cut(use("look"), wire=wire), answer(DONE, wire=wire)]
        await stage.run(replies, [stage.tool("look", concurrent=True)], wire=wire)

    return play


def _did_not_count(facts: Facts) -> None:
    assert facts["is_answer"]
    assert [tool["state"] for tool in facts["tools"]] == ["refused"]
    assert "result of look" not in str(facts["bodies"][-1])
    assert [warning["code"] for warning in facts["warnings"]] == ["cut_tool_calls_refused"]


async def _tool_then_answer_cut(stage: Stage) -> None:
    replies = [
        cut(half("write"), counts=Counts(40, 50, 31)),
        cut(Text("It li"), counts=Counts(90, 49, 17)),
    ]
    await stage.run(replies, [stage.tool("write")])


def _each_has_its_own_counts(facts: Facts) -> None:
    told = [
        (warning["code"], warning["facts"]["output_tokens"], warning["facts"]["reasoning_tokens"])
        for warning in facts["warnings"]
    ]
    assert told == [("cut_tool_calls_refused", 50, 31), ("cut_answer", 49, 17)]
    first, second = facts["logged"]
    assert first.endswith("; the response's usage reports 50 output tokens and 31 reasoning tokens")
    assert second.endswith("; the response's usage reports 49 output tokens and 17 reasoning tokens")


async def _cut_answer(stage: Stage) -> None:
    await stage.run([cut(Text("It li"))])


def _carries_the_marker_unpublished(facts: Facts) -> None:
    assert facts["is_success"]
    assert facts["completion_reason"] == "truncated"
    assert facts["text"] == facts["said"][-1] == "It li\n\n[System: response truncated at max_tokens]"
    assert "[System" not in facts["published"]


async def _arguments_that_do_not_parse(stage: Stage) -> None:
    await stage.run([asks(use("write", HALF)), answer(DONE)], [stage.tool("write")])


def _do_not_run(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["begun"] == []
    assert [tool["state"] for tool in facts["tools"]] == ["failed"]
    assert facts["warnings"][0]["facts"] == {"error": "JSONDecodeError", "offset": 9, "length": len(HALF)}
    assert "secret-pla" not in str(facts["logged"]) + str(facts["bodies"][-1])


async def _fork_of_cuts(stage: Stage) -> None:
    scout = f"{stage.name}-scout"
    base = Task("", scout, headers={SCRIPT_HEADER: scout}, limits=Limits(iterations=5))
    stage.script(scout, [cut(half("write"))] * 9)
    await stage.add(Agent(scout, "", WIRES[0], (stage.tool("write"),)))
    ask = subagent_tool(scout, name="ask", base=base)
    await stage.run([asks(use("ask", '{"task": "Count."}')), answer(DONE)], [ask])
    stage.subject += ".1"


def _fork_ends_after_three(facts: Facts) -> None:
    assert facts["verdict"] == "stalled_iterations"
    assert len(facts["calls"]) == 3
    assert all("subagent" in line for line in facts["logged"] if "max_tokens" in line)


def _streamed(wire: str) -> tuple[Proof, ...]:
    found: list[Proof] = []
    for stream in (True, False):
        for overlap in (True, False):
            name = f"{wire}-{'streamed' if stream else 'whole'}-overlap-{'on' if overlap else 'off'}"
            on = Rules(stream=stream, overlap=overlap)
            off = Rules(stream=stream, overlap=overlap, refuse_cut_calls=False)
            found.append(Proof(name, "refuse_cut_calls", _cut_call(wire), _did_not_count, off, on))
    return tuple(found)


def _on(wire: str) -> tuple[Proof, ...]:
    play = _cut_tools(wire)
    return (
        Proof(f"{wire}-refused", "refuse_cut_calls", play, _all_are_refused, RUN_ANYWAY),
        Proof(f"{wire}-said-once", "warn_cuts", play, _is_said_once, Rules(warn_cuts=False)),
        Proof(f"{wire}-replay", "refuse_cut_calls", play, _is_replayed_without_arguments, RUN_ANYWAY),
        Proof(
            f"{wire}-eager-dropped", "overlap", _early(wire, cut_off=True), _early_work_is_dropped,
            Rules(overlap=False),
        ),
        Proof(f"{wire}-eager-used", "overlap", _early(wire, cut_off=False), _early_work_counts, Rules(overlap=False)),
        *_streamed(wire),
    )  # fmt: skip


PROOFS = (
    *(proof for wire in WIRES for proof in _on(wire)),
    Proof("three-cuts", "guard_iterations", _three_cuts, _ends_after_three, Rules(guard_iterations=False)),
    Proof("never-unfinished", "refuse_cut_calls", _cut_at_the_last_iteration, _is_never_unfinished, RUN_ANYWAY),
    Proof(
        "own-counts", "warn_cuts", _tool_then_answer_cut, _each_has_its_own_counts,
        Rules(continuations=0, warn_cuts=False), Rules(continuations=0),
    ),
    Proof(
        "marker", "mark_cut_answers", _cut_answer, _carries_the_marker_unpublished,
        Rules(continuations=0, mark_cut_answers=False), Rules(continuations=0),
    ),
    Proof("arguments", "check_arguments", _arguments_that_do_not_parse, _do_not_run, Rules(check_arguments=False)),
    Proof("fork", "guard_forks", _fork_of_cuts, _fork_ends_after_three, Rules(guard_forks=False)),
)  # fmt: skip
