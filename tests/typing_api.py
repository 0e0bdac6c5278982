"""How other programs use the public names; never run, only checked: a changed signature fails the type check."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

from roundwatch.core.hub import (
    Gap,
    Hub,
    Link,
    LinkState,
    Publisher,
    Received,
    Retention,
    Selection,
    SqliteStore,
    StoredEvent,
    Synchronous,
    back_up,
    check_store,
    publish_lines,
    stored_events,
    watch,
)
from roundwatch.core.rounds import (
    Applied,
    Call,
    CompletionReason,
    Doubt,
    Event,
    Evidence,
    Figures,
    Ledger,
    Note,
    Outcome,
    ParentOutcome,
    Round,
    RoundSummary,
    StopReason,
    TerminalStatus,
    ToolCall,
    ToolState,
    Usage,
    Verdict,
    classify,
    parse_event,
    stop_reason,
)
from roundwatch.core.runner import Agent, Model, RoundResult, Runner, Task
from roundwatch.core.texts import Banner, Mark, Severity, Texts, banner, clean, mark
from roundwatch.core.wire import Fault, Translator, translator


def judging(line: str) -> None:
    ledger = Ledger()
    event = assert_type(parse_event(line), Event)
    assert_type(ledger.apply(event), Applied)
    round_ = assert_type(ledger.rounds["r1"], Round)
    outcome = assert_type(classify(round_, now=datetime.now(UTC)), Outcome)
    assert_type(outcome.verdict, Verdict)
    assert_type(outcome.status, TerminalStatus | None)
    assert_type(outcome.completion_reason, CompletionReason | None)
    assert_type(outcome.parent_outcome, ParentOutcome | None)
    assert_type(outcome.evidence, Evidence | None)
    assert_type(outcome.doubts, tuple[Doubt, ...])
    assert_type(outcome.notes, tuple[Note, ...])
    assert_type(outcome.figures, Figures | None)
    assert_type((outcome.is_success, outcome.is_complete, outcome.is_answer), tuple[bool, bool, bool])
    assert_type(outcome.as_json(), dict[str, object])
    ledger.close("r1", "end of file")
    assert_type(ledger.retire("r1"), RoundSummary)


def reading_calls(round_: Round) -> None:
    call = assert_type(round_.calls[0], Call)
    assert_type(call.finish_reason, str | None)
    assert_type(call.stop_reason, StopReason | None)
    assert_type(call.usage, Usage)
    assert_type(call.usage.output_tokens, int | None)
    assert_type(call.first_output_ms, float | None)
    tool = assert_type(call.tool_calls[0], ToolCall)
    assert_type(tool.state, ToolState)


def translating(body: bytes) -> list[Event]:
    translation = assert_type(
        translator("openai-chat", round="r1", call="c1", request={"model": "m"}, http_status=200), Translator
    )
    events = translation.feed(body, at_ms=12.5) + translation.close(at_ms=80.0, broken="reset")
    assert_type(translation.unreadable, tuple[Fault, ...])
    return assert_type(events, list[Event])


def telling(outcome: Outcome) -> None:
    texts = Texts.load("de", Path("own.toml"))
    shown = assert_type(banner(outcome, texts), Banner)
    assert_type(shown.title, str)
    assert_type(shown.severity, Severity)
    assert_type(shown.sentences, tuple[str, ...])
    assert_type(shown.figures, str | None)
    assert_type(mark(outcome), Mark)
    assert_type(clean("text", limit=10), str)


async def watching() -> None:
    async with Hub(Path("rounds.sqlite3"), port=0) as hub, watch(hub.url, after="begin") as feed:
        async for item in feed:
            match item:
                case Received(event, raw, seq):
                    assert_type(event, Event)
                    assert_type((raw, seq), tuple[str, int])
                case Link(state):
                    assert_type(state, LinkState)
                case Gap():
                    assert_type(item.to, int | None)
                case _:
                    pass


async def publishing(event: Event) -> None:
    async with Publisher(producer="mine") as publisher:
        await publisher.publish(event)
        await publisher.publish({"type": "round.started", "round": "r1"})
        assert_type(await publisher.flush(within_s=5.0), bool)
    report = await publish_lines(Path("events.jsonl"))
    assert_type(report.complete, bool)
    for stored in stored_events(Path("rounds.sqlite3"), Selection(frozenset({"r1"}))):
        assert_type(stored, StoredEvent)


async def storing() -> None:
    kept = Retention(events=1_000_000, days=30, size=20 * 1024**3)
    async with Hub(SqliteStore(Path("rounds.sqlite3"), retention=kept, synchronous=Synchronous.NORMAL)):
        back_up(Path("rounds.sqlite3"), Path("copy.sqlite3"))
        assert_type(check_store(Path("copy.sqlite3")), list[str])


async def running(publisher: Publisher) -> RoundResult:
    model = Model("gpt-5.1", "example", "openai-chat", "http://127.0.0.1:1", needs_key=False)
    async with Runner(publisher.publish, agents=[Agent("worker", model="gpt-5.1")], models=[model]) as runner:
        return await runner.run(Task("Say hello.", agent="worker"))


assert_type(stop_reason("openai-chat", "length"), StopReason | None)
