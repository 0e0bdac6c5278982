"""Laws of the parsers of Claude Code and Codex: pieces, damage, and totals counted again in another way."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roundwatch.core.feeds.transcripts.fields import list_of, object_of
from roundwatch.core.feeds.transcripts.sources import parser
from roundwatch.core.rounds import Event, Ledger, classify

from tests.core.feeds.transcripts.claude_records import Script, text, tool
from tests.core.feeds.transcripts.codex_records import Rollout, lines

NAMES = ("claude-code", "codex", "codex-exec-json")
Step = tuple[str, int]


def claude(steps: Sequence[Step]) -> bytes:
    """A session in which anything follows anything."""
    script = Script()
    does: dict[str, Callable[[int], object]] = {
        "prompt": lambda n: script.user(f"prompt {n} “ü”"),
        "text": lambda n: script.answer(f"m{n}", text(f"said {n}"), output=n),
        "last": lambda n: script.answer(f"m{n}", text("done"), stop="end_turn", output=n + 1),
        "tool": lambda n: script.answer(f"m{n}", tool(f"t{n}"), output=2 * n),
        "task": lambda n: script.answer(f"m{n}", tool(f"t{n}", "Task", prompt="x"), stop="tool_use"),
        "result": lambda n: script.result(f"t{n}", toolUseResult={"agentId": f"a{n}"}),
        "refusal": lambda n: script.result(f"t{n}", "User rejected tool use", is_error=True),
        "interrupt": lambda _: script.user([text("[Request interrupted by user]")]),
        "retry": lambda n: script.system("api_error", retryAttempt=n, error={"status": 529}),
        "failure": lambda n: script.answer(f"e{n}", text("API Error: 500"), isApiErrorMessage=True, output=None),
        "over": lambda _: script.system("turn_duration", durationMs=1),
        "refused": lambda _: script.system("api_refusal"),
        "wake": lambda _: script.user("<task-notification><summary>b</summary>"),
        "command": lambda _: script.user("<command-name>/x</command-name>"),
        "queued": lambda n: script.add("attachment", attachment={"type": "queued_command", "prompt": f"p{n}"}),
        "agent": lambda n: script.answer(f"n{n}", text("aside"), isSidechain=True, agentId=f"a{n % 2}"),
        "chain": lambda n: script.user(f"aside {n}", isSidechain=True),
    }
    for word, number in steps:
        does[word](number)
    return script.data


def codex(steps: Sequence[Step]) -> bytes:
    """A session in which anything follows anything."""
    rollout = Rollout()
    does: dict[str, Callable[[int], object]] = {
        "prompt": lambda n: rollout.event("user_message", message=f"prompt {n} “ü”"),
        "text": lambda n: rollout.says(f"said {n}"),
        "last": lambda n: rollout.event("task_complete", last_agent_message=f"said {n}"),
        "tool": lambda n: rollout.asks(f"t{n}", cmd="ls"),
        "task": lambda n: rollout.began(f"turn {n}"),
        "result": lambda n: rollout.answers(f"t{n}"),
        "refusal": lambda n: rollout.answers(f"t{n}", "patch rejected by user"),
        "interrupt": lambda _: rollout.event("turn_aborted", reason="interrupted"),
        "retry": lambda _: rollout.event("stream_error", message="gone"),
        "failure": lambda _: rollout.event("error", message="gone"),
        "over": lambda _: rollout.event("context_compacted"),
        "refused": lambda _: rollout.item("reasoning", summary=[]),
        "wake": lambda n: rollout.counts(n, n + 1),
        "command": lambda _: rollout.repeats(),
        "queued": lambda n: rollout.item("message", role="user", content=[{"type": "input_text", "text": f"p{n}"}]),
        "agent": lambda n: rollout.event("collab_agent_spawn_end", call_id=f"t{n}", new_thread_id=f"th-{n}"),
        "chain": lambda n: rollout.meta(f"th-{n}"),
    }
    for word, number in steps:
        does[word](number)
    return rollout.data


def run(steps: Sequence[Step]) -> bytes:
    """A run in which anything follows anything."""
    made: dict[str, Any] = {
        "prompt": {"type": "turn.started"},
        "last": {"type": "turn.completed", "usage": {"input_tokens": 5}},
        "failure": {"type": "turn.failed", "error": {"message": "ü"}},
        "over": {"type": "thread.started", "thread_id": "th-1"},
    }
    kinds = {"text": "agent_message", "tool": "command_execution", "wake": "web_search", "refused": "mcp_tool_call"}
    records = [
        made.get(word)
        or {"type": "item.completed", "item": {"id": f"i{n}", "type": kinds.get(word, word), "text": "ü"}}
        for word, n in steps
    ]
    return lines(records)


WRITERS: dict[str, Callable[[Sequence[Step]], bytes]] = {"claude-code": claude, "codex": codex, "codex-exec-json": run}
WORDS: tuple[str, ...] = (
    "prompt", "text", "last", "tool", "task", "result", "refusal", "interrupt", "retry", "failure", "over", "refused",
    "wake", "command", "queued", "agent", "chain",
)  # fmt: skip
STEP = st.tuples(st.sampled_from(WORDS), st.integers(0, 4))
STEPS = st.lists(STEP, min_size=1, max_size=40)


def events_of(name: str, data: bytes, cuts: list[int]) -> list[Event]:
    transcript = parser(name, "s1.jsonl")
    events: list[Event] = []
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    for start, end in pairwise(edges):
        events += transcript.feed(data[start:end])
    return events + transcript.close()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(steps=STEPS, cuts=st.lists(st.integers(0, 1_000_000), max_size=30))
def test_pieces_of_any_size_give_the_events_of_the_whole_file(name: str, steps: list[Step], cuts: list[int]) -> None:
    data = WRITERS[name](steps)
    assert events_of(name, data, cuts) == events_of(name, data, [])


@pytest.mark.parametrize("name", NAMES)
def test_single_bytes_give_the_events_of_the_whole_file(name: str) -> None:
    data = WRITERS[name]([(word, number) for number, word in enumerate(WORDS)])
    assert events_of(name, data, list(range(len(data)))) == events_of(name, data, [])


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_every_round_that_a_whole_file_tells_of_can_be_judged(name: str, steps: list[Step]) -> None:
    ledger = Ledger()
    ledger.apply_all(events_of(name, WRITERS[name](steps), []))
    running = [found.id for found in ledger.rounds.values() if classify(found).verdict == "running"]
    placed = [found for found in running if not ledger.rounds[found].calls and ledger.rounds[found].parent is not None]
    assert running == placed  # rounds that another file tells of


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every value inside."""
    inside: list[tuple[Any, Any]] = [*object_of(value).items(), *enumerate(list_of(value))]
    return [*([path] if path else []), *(place for key, one in inside for place in places(one, (*path, key)))]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_no_value_in_any_place_raises(name: str, data: st.DataObject) -> None:
    records = [json.loads(line) for line in WRITERS[name](data.draw(STEPS)).splitlines()]
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(places(records)))
        where: Any = records
        for key in path[:-1]:
            where = where[key]
        where[path[-1]] = data.draw(JSON)
        if not places(records):
            return
    ledger = Ledger()
    ledger.apply_all(events_of(name, b"".join(json.dumps(one).encode() + b"\n" for one in records), []))
    for found in ledger.rounds.values():
        classify(found)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(steps=STEPS, at=st.integers(0, 1_000_000), new=st.binary(max_size=6), gone=st.integers(0, 40))
def test_no_damage_raises(name: str, steps: list[Step], at: int, new: bytes, gone: int) -> None:
    data = WRITERS[name](steps)
    at %= len(data)
    events_of(name, data[:at] + new + data[at + gone :], [])


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_totals_of_claude_code_are_those_of_the_last_usage_of_each_message(steps: list[Step]) -> None:
    data = claude(steps)
    last: dict[str, dict[str, int]] = {}
    for line in data.splitlines():
        message = json.loads(line).get("message", {})
        if message.get("usage"):
            last.setdefault(message["id"], {}).update(message["usage"])
    ledger = Ledger()
    ledger.apply_all(events_of("claude-code", data, []))
    told = [call.usage_as_reported for found in ledger.rounds.values() for call in found.calls]
    told = [usage for usage in told if usage.output_tokens is not None]
    assert len(told) == len(last)
    first_rounds = sum(usage.input_tokens or 0 for usage in told)
    assert first_rounds == sum(usage["input_tokens"] for usage in last.values())


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_totals_of_codex_are_the_last_total(steps: list[Step]) -> None:
    data = codex([step for step in steps if step[0] != "chain"])
    total = {"input_tokens": 0, "output_tokens": 0}
    for line in data.splitlines():
        info = json.loads(line)["payload"].get("info")
        total |= info["total_token_usage"] if info else {}
    ledger = Ledger()
    ledger.apply_all(events_of("codex", data, []))
    told = [call.usage_as_reported for found in ledger.rounds.values() for call in found.calls]
    assert sum(usage.input_tokens or 0 for usage in told) == total["input_tokens"]
    assert sum(usage.output_tokens or 0 for usage in told) == total["output_tokens"]
