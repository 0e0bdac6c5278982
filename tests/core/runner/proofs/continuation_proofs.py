"""Proofs of the continuation: what is carried on, what is not, and how it looks from above."""

from __future__ import annotations

from roundwatch.core.runner import Rules
from roundwatch.core.runner.script import Reasoning, Text

from tests.core.runner.proofs.lines import DONE, answer, asks, cut, silent, use
from tests.core.runner.proofs.proof import Facts, Proof
from tests.core.runner.proofs.stage import CAP, Stage

NEVER = Rules(continuations=0)
ANYTHING = Rules(continue_only_cuts=False)
NO_CLOSING_ANSWER = {
    "en": "The model used its tools but wrote no closing answer.",
    "de": "Das Modell hat Werkzeuge benutzt, aber keine abschließende Antwort geschrieben.",
}


def chain(facts: Facts) -> list[tuple[str | None, str | None]]:
    """Return what each call carries on, and why."""
    return [(call["of"], call["kind"]) for call in facts["calls"]]


def no_closing_answer_said(facts: Facts) -> list[bool]:
    return [sentence in facts["banner"][locale] for locale, sentence in NO_CLOSING_ANSWER.items()]


async def _capped_answer(stage: Stage) -> None:
    await stage.run([cut(Text("It li")), answer(Text("es east."))])


def _is_one_answer(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["text"] == facts["watched_text"] == "It lies east."
    assert chain(facts) == [(None, None), ("c1", "output_cap")]
    assert [call["cap"] for call in facts["calls"]] == [CAP, CAP]
    assert list(facts["notes"]) == ["earlier_cut_continued"]
    assert facts["warnings"] == facts["logged"] == []


def _is_one_message_above(facts: Facts) -> None:
    assert facts["said"] == ["It lies east."]
    assert facts["said_ids"] == ["c1"]
    assert {piece["message"] for piece in facts["pieces"]} == {"c1"}
    assert [piece["finish"] for piece in facts["pieces"] if piece["finish"]] == ["stop"]


def _is_asked_for_with_the_partial_text(facts: Facts) -> None:
    assert len(facts["bodies"]) == 2
    first, second = facts["bodies"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    added = second["messages"][len(first["messages"]) :]
    assert [message["role"] for message in added] == ["assistant", "user"]
    assert added[0]["content"] == "It li"
    assert {**first, "messages": None} == {**second, "messages": None}


async def _cap_hit_again(stage: Stage) -> None:
    await stage.run([cut(Text("It li")), cut(Text("es ea")), answer(DONE)])


def _is_cut_after_all(facts: Facts) -> None:
    assert facts["verdict"] == "output_cap_reached"
    assert len(facts["calls"]) == 2
    assert facts["notes"]["continuation_cut_too"] == {"n": 1}
    assert [warning["code"] for warning in facts["warnings"]] == ["cut_answer"]
    assert facts["text"] == "It lies ea\n\n[System: response truncated at max_tokens]"
    assert no_closing_answer_said(facts) == [False, False]


async def _capped_twice_without_text(stage: Stage) -> None:
    await stage.run([asks(use("look")), cut(), cut(), answer(DONE)], [stage.tool("look")])


def _is_a_cut_and_no_missing_answer(facts: Facts) -> None:
    assert facts["verdict"] == "output_cap_reached"
    assert no_closing_answer_said(facts) == [False, False]
    assert len(facts["calls"]) == 3


async def _answer(stage: Stage) -> None:
    await stage.run([answer(DONE), answer(Text(" And more."))])


async def _tool_round_with_answer(stage: Stage) -> None:
    await stage.run([asks(use("look")), answer(DONE), answer(Text(" And more."))], [stage.tool("look")])


def _stays_an_answer(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["text"] == "It lies east."
    assert all(call["of"] is None for call in facts["calls"])


async def _closing_stop_without_text(stage: Stage) -> None:
    await stage.run([asks(use("look")), answer(), answer(DONE)], [stage.tool("look")])


def _is_no_final_answer(facts: Facts) -> None:
    assert facts["verdict"] == "no_final_answer"
    assert len(facts["calls"]) == 2
    assert facts["calls"][1]["finish"] == "stop"
    assert no_closing_answer_said(facts) == [True, True]


async def _closing_call_cut_silently(stage: Stage) -> None:
    await stage.run([asks(use("look")), silent(), answer(DONE)], [stage.tool("look")])


def _is_answered_by_the_continuation(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["text"] == "It lies east."
    assert chain(facts) == [(None, None), (None, None), ("c2", "stream_ended")]
    prompt = facts["bodies"][-1]["messages"][-1]["content"]
    assert "connection ended early" in prompt
    assert "limit" not in prompt


async def _continuation_cut_silently_too(stage: Stage) -> None:
    await stage.run([asks(use("look")), silent(), silent(), answer(DONE)], [stage.tool("look")])


def _ended_the_same_way(facts: Facts) -> None:
    assert facts["verdict"] == "stream_ended_without_finish"
    assert facts["notes"].get("continuation_ended_same_way") == {"n": 1}
    assert len(facts["calls"]) == 3
    assert no_closing_answer_said(facts) == [False, False]


async def _cut_silently_after_text(stage: Stage) -> None:
    await stage.run([asks(use("look")), silent(Text("It li")), answer(Text("es east."))], [stage.tool("look")])


def _is_one_answer_after_the_tool(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["text"] == "It lies east."
    assert chain(facts)[-1] == ("c2", "stream_ended")


async def _first_call_of_all_without_finish(stage: Stage) -> None:
    await stage.run([silent(DONE), answer(Text(" And more."))])


def _is_left_alone_and_said(facts: Facts) -> None:
    assert facts["verdict"] == "completed"
    assert not facts["is_answer"]
    assert len(facts["calls"]) == 1
    assert [warning["facts"] for warning in facts["warnings"]] == [{"reason": "no_proof"}]


async def _proved_by_an_earlier_round(stage: Stage) -> None:
    await stage.run([answer(DONE)])
    await stage.run([silent(Text("It li")), answer(Text("es east."))])


def _is_continued_on_the_clients_proof(facts: Facts) -> None:
    assert facts["is_answer"]
    assert chain(facts) == [(None, None), ("c1", "stream_ended")]


async def _only_reasoning(stage: Stage) -> None:
    await stage.run([cut(Reasoning("Let me see"), wire="anthropic"), answer(DONE, wire="anthropic")], wire="anthropic")


def _has_no_empty_assistant_turn(facts: Facts) -> None:
    assert facts["is_answer"]
    assert [message["role"] for message in facts["bodies"][-1]["messages"]] == ["user"]
    assert "Let me see" not in str(facts["bodies"][-1])


async def _window_too_small(stage: Stage) -> None:
    stage.window = 60 + CAP
    await stage.run([cut(Text("It li")), answer(Text("es east."))])


def _does_not_overflow(facts: Facts) -> None:
    assert facts["verdict"] == "output_cap_reached"
    assert len(facts["calls"]) == 1
    assert "context_window" in [warning["facts"].get("reason") for warning in facts["warnings"]]


async def _continuation_asks_for_a_tool_and_is_cut(stage: Stage) -> None:
    replies = [cut(Text("Let me")), cut(Text(" look."), use("look")), answer(DONE)]
    await stage.run(replies, [stage.tool("look")])


def _is_refused_in_the_continuation(facts: Facts) -> None:
    assert facts["is_answer"]
    assert facts["ran"] == []
    assert chain(facts) == [(None, None), ("c1", "output_cap"), (None, None)]
    assert [tool["state"] for tool in facts["tools"]] == ["refused"]
    assert facts["said"][0] == "Let me look."


PROOFS = (
    Proof("capped-answer", "continuations", _capped_answer, _is_one_answer, NEVER),
    Proof("capped-answer-above", "continuations", _capped_answer, _is_one_message_above, NEVER),
    Proof("capped-answer-request", "continuations", _capped_answer, _is_asked_for_with_the_partial_text, NEVER),
    Proof("cap-hit-again", "continuations", _cap_hit_again, _is_cut_after_all, NEVER),
    Proof("cap-without-text", "continuations", _capped_twice_without_text, _is_a_cut_and_no_missing_answer, NEVER),
    Proof("stop-control", "continue_only_cuts", _answer, _stays_an_answer, ANYTHING),
    Proof("stop-after-its-answer", "continue_only_cuts", _tool_round_with_answer, _stays_an_answer, ANYTHING),
    Proof("stop-without-text", "continue_only_cuts", _closing_stop_without_text, _is_no_final_answer, ANYTHING),
    Proof("closing-cut", "continuations", _closing_call_cut_silently, _is_answered_by_the_continuation, NEVER),
    Proof("closing-cut-twice", "continuations", _continuation_cut_silently_too, _ended_the_same_way, NEVER),
    Proof("cut-after-text", "continuations", _cut_silently_after_text, _is_one_answer_after_the_tool, NEVER),
    Proof(
        "no-proof", "continue_needs_proof", _first_call_of_all_without_finish, _is_left_alone_and_said,
        Rules(continue_needs_proof=False),
    ),
    Proof("earlier-round", "continuations", _proved_by_an_earlier_round, _is_continued_on_the_clients_proof, NEVER),
    Proof("only-reasoning", "continuations", _only_reasoning, _has_no_empty_assistant_turn, NEVER),
    Proof("window", "check_window", _window_too_small, _does_not_overflow, Rules(check_window=False)),
    Proof(
        "cut-tool-in-continuation", "continuations", _continuation_asks_for_a_tool_and_is_cut,
        _is_refused_in_the_continuation, NEVER,
    ),
)  # fmt: skip
