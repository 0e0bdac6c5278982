"""Proofs of approvals, of faults of the provider's stream, of what is reported how often, and of the summary."""

from __future__ import annotations

from roundwatch.core.policies import ThinkingMode, ThinkingRow
from roundwatch.core.rounds.base import Limits
from roundwatch.core.runner import Permission, Rules, ThinkingSetting
from roundwatch.core.runner.script import Ending, HttpError, KeepAlives, Reply, Text

from tests.core.runner.proofs.lines import DONE, answer, asks, cut, silent, use
from tests.core.runner.proofs.proof import Facts, Proof
from tests.core.runner.proofs.stage import Stage

UNASKED = Rules(ask_approval=False)
CLAMPED = {"anthropic": ThinkingSetting(ThinkingMode.EXTENDED, ThinkingRow.BUDGETED)}


async def _skill(stage: Stage) -> None:
    await stage.run([asks(use("Skill")), answer(DONE)], [stage.tool("Skill", permission=Permission.ASK)])


def _is_asked_for(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["asked"] == facts["ran"] == ["Skill"]
    assert [kind for kind in facts["types"] if kind in ("round.suspended", "round.resumed")] == [
        "round.suspended", "round.resumed",
    ]  # fmt: skip


async def _skill_after_a_cut_one(stage: Stage) -> None:
    replies = [cut(use("Skill")), asks(use("Skill")), answer(DONE)]
    await stage.run(replies, [stage.tool("Skill", permission=Permission.ASK)])


def _only_the_whole_one_is_asked_for(facts: Facts) -> None:
    _is_asked_for(facts)
    assert facts["types"].index("tool.refused") < facts["types"].index("round.suspended")
    assert [tool["state"] for tool in facts["tools"]] == ["refused", "ok"]


async def _denied_skill(stage: Stage) -> None:
    stage.approves = False
    await _skill(stage)


def _is_refused_by_a_person(facts: Facts) -> None:
    assert facts["asked"] == ["Skill"]
    assert facts["ran"] == facts["hooks"] == []
    assert [(tool["state"], tool["why"]) for tool in facts["tools"]] == [("refused", "permission")]
    assert "round.resumed" in facts["types"]


async def _reset(stage: Stage) -> None:
    await stage.run([Reply((Text("It li"),), ending=Ending.RESET), answer(DONE)])


def _is_made_anew(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["text"] == "It lies east."
    assert [call["outcome"] for call in facts["calls"]] == ["body_cut", "completed"]
    assert facts["notes"]["retries"] == {"n": 1}


async def _hangs(stage: Stage) -> None:
    stage.stall_s = 0.4
    await stage.run([Reply((Text("It li"), KeepAlives(1e6)))], limits=Limits(seconds=4.0))


def _is_a_stall(facts: Facts) -> None:
    assert facts["verdict"] == "provider_stalled"
    assert [call["outcome"] for call in facts["calls"]] == ["stalled"]


async def _busy(stage: Stage) -> None:
    await stage.run([Reply(error=HttpError(503, "server_error", "Down.")), answer(DONE)])


def _is_not_seen_above(facts: Facts) -> None:
    assert facts["is_answer"]
    assert not any(piece["taken_back"] for piece in facts["pieces"])
    assert [piece["finish"] for piece in facts["pieces"] if piece["finish"]] == ["stop"]


async def _two_clamped_rounds(stage: Stage) -> None:
    await stage.run([answer(DONE, wire="anthropic")], wire="anthropic")
    first = stage.subject
    await stage.run([answer(DONE, wire="anthropic")], wire="anthropic")
    stage.earlier = first


def _is_told_in_the_first_only(facts: Facts) -> None:
    assert facts["earlier_warnings"] == ["thinking_budget_impossible"]
    assert facts["warnings"] == []


async def _ten_without_finish(stage: Stage) -> None:
    for _ in range(10):
        await stage.run([silent(DONE)])


def _is_told_at_the_first_and_tenth(facts: Facts) -> None:
    assert [warning["code"] for warning in facts["warnings"]] == ["continuation_skipped"]
    assert facts["warned_rounds"] == [1, 10]


async def _limit(stage: Stage) -> None:
    replies = [asks(use("look")), cut(Text("So far")), cut(Text(" nothing."))]
    await stage.run(replies, [stage.tool("look")], limits=Limits(iterations=1))


def _is_summed_up_outside_the_loop(facts: Facts) -> None:
    assert facts["verdict"] == "max_iterations"
    assert [warning["code"] for warning in facts["warnings"]] == ["call_truncated_outside_loop"]
    assert "max_tokens" in facts["logged"][0]
    assert facts["said"][-1].startswith("So far nothing.")
    assert facts["bodies"][-1]["tool_choice"] == "none"


PROOFS = (
    Proof("skill", "ask_approval", _skill, _is_asked_for, UNASKED),
    Proof("skill-after-cut", "ask_approval", _skill_after_a_cut_one, _only_the_whole_one_is_asked_for, UNASKED),
    Proof(
        "cut-skill", "refuse_cut_calls", _skill_after_a_cut_one, _only_the_whole_one_is_asked_for,
        Rules(refuse_cut_calls=False),
    ),
    Proof("denied", "ask_approval", _denied_skill, _is_refused_by_a_person, UNASKED),
    Proof("broken-transfer", "regenerate", _reset, _is_made_anew, Rules(regenerate=False)),
    Proof(
        "stall", "guard_stream", _hangs, _is_a_stall,
        Rules(regenerate=False, guard_stream=False), Rules(regenerate=False),
    ),
    Proof("held-chunks", "hold_chunks", _busy, _is_not_seen_above, Rules(hold_chunks=False)),
    Proof(
        "config-once", "report_rarely", _two_clamped_rounds, _is_told_in_the_first_only,
        Rules(thinking=CLAMPED, report_rarely=False), Rules(thinking=CLAMPED),
    ),
    Proof(
        "traffic-rarely", "report_rarely", _ten_without_finish, _is_told_at_the_first_and_tenth,
        Rules(report_rarely=False),
    ),
    Proof(
        "summary", "summary_after_limit", _limit, _is_summed_up_outside_the_loop,
        Rules(), Rules(summary_after_limit=True),
    ),
)  # fmt: skip
