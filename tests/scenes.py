"""Named scenes for pictures and pilot tests: what a source sends, told in a few lines each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from roundwatch.core.hub import Link, LinkState, Received, Unreadable
from roundwatch.core.hub.frames import Gap
from roundwatch.core.rounds import Ledger, Outcome, classify, parse_event
from roundwatch.tui.source import SourceItem
from roundwatch.tui.testing import live_feed

DAY = datetime(2026, 11, 30, 13, 2, 0, tzinfo=UTC)
NOW = datetime(2026, 11, 30, 13, 3, 22, tzinfo=UTC)
"""The moment at which every picture is taken."""

Lines = list[dict[str, Any]]


def at(seconds: float) -> str:
    """A moment, so many seconds into the scene."""
    return (DAY + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event(type_: str, round_: str, seconds: float, **fields: Any) -> Lines:
    return [{"type": type_, "round": round_, "at": at(seconds), **fields}]


def start(round_: str, seconds: float, agent: str | None = "worker", **fields: Any) -> Lines:
    return event("round.started", round_, seconds, agent=agent, **fields)


def call(
    round_: str,
    name: str,
    seconds: float,
    *,
    first: float | None,
    total: float,
    finish: str | None = "stop",
    text: str = "",
    model: str = "sonnet-5",
    cap: int | None = 4096,
    usage: tuple[int | None, int | None] = (None, None),
    outcome: str = "completed",
    between: Sequence[dict[str, Any]] = (),
    sent: dict[str, Any] | None = None,
    **finished: Any,
) -> Lines:
    """A whole call; ``usage`` is input and output tokens, ``first`` and ``total`` are seconds."""
    lines = event("call.started", round_, seconds, call=name, model=model, max_output_tokens=cap, **(sent or {}))
    if text and first is not None:
        lines += event("call.output", round_, seconds + first, call=name, kind="text", text=text)
    lines += between
    counts = {"input_tokens": usage[0], "output_tokens": usage[1]} | finished.pop("usage_more", {})
    return lines + event(
        "call.finished",
        round_,
        seconds + total,
        call=name,
        outcome=outcome,
        finish_reason=finish,
        usage=counts,
        first_output_ms=None if first is None else first * 1000,
        total_ms=total * 1000,
        **finished,
    )


def asks(round_: str, call_: str, tool: str, name: str, seconds: float, arguments: str = "{}", **fields: Any) -> Lines:
    return event(
        "tool.requested", round_, seconds, call=call_, tool_call=tool, name=name, arguments=arguments, **fields
    )


def gives(round_: str, tool: str, seconds: float, ms: float, ok: bool = True, **fields: Any) -> Lines:
    return event("tool.finished", round_, seconds, tool_call=tool, ok=ok, duration_ms=ms, **fields)


def refuses(round_: str, call_: str, tool: str, seconds: float, why: str = "output_cap", **fields: Any) -> Lines:
    said = "The response was cut off at max_tokens; the tool calls in it are discarded."
    return event("tool.refused", round_, seconds, call=call_, tool_call=tool, why=why, message=said, **fields)


def end(round_: str, seconds: float, **claimed: Any) -> Lines:
    return event("round.finished", round_, seconds, claimed=claimed or None)


def answer() -> Lines:
    return [
        *start("233a0419", 1, "worker", thread="review-2970", title="Review of the retry layer"),
        *call(
            "233a0419", "c1", 1.2, first=0.9, total=4.1, usage=(4_812, 214), finish="end_turn",
            text="The retry layer holds the finish chunk back until the first output; that is right. Two remarks.",
        ),
        *end("233a0419", 5.6, status="completed"),
    ]  # fmt: skip


def tool_round() -> Lines:
    return [
        *start("8f1c22d0", 2, "fixer", thread="bug-118"),
        *call(
            "8f1c22d0", "c1", 2, first=1.2, total=3.8, usage=(24_601, 312), finish="tool_use",
            usage_more={"cache_read_tokens": 18_400, "reasoning_tokens": 120},
            between=[
                *asks("8f1c22d0", "c1", "t1", "read_file", 5, '{"path": "core/hub/server.py"}'),
                *asks("8f1c22d0", "c1", "t2", "grep", 5.1, '{"pattern": "close_timeout", "path": "."}'),
            ],
        ),
        *gives("8f1c22d0", "t1", 6, 12),
        *gives("8f1c22d0", "t2", 6.4, 431, ok=False, error="grep: .: Is a directory"),
        *call(
            "8f1c22d0", "c2", 6.6, first=0.8, total=5.4, usage=(26_010, 402), finish="end_turn",
            text="The time-out is passed on in the wrong unit. Fixed in server.py, line 132.",
            usage_more={"cache_read_tokens": 24_590},
        ),
        *end("8f1c22d0", 12.2, status="completed"),
    ]  # fmt: skip


def cap_cut() -> Lines:
    """The round of the sketch: a cut with refused tools, then a stream that never finished."""
    r = "271046c3"
    asked = [
        *asks(r, "c2", "w1", "write_file", 25, '{"path": "a.py", "content": "import as'),
        *asks(r, "c2", "w2", "write_file", 26, ""),
    ]
    return [
        *start(r, 3, "worker", thread="review-2969"),
        *call(
            r, "c1", 3, first=1.2, total=4.8, usage=(24_601, 312), finish="tool_use", cap=924,
            between=asks(r, "c1", "t1", "read_file", 7, '{"path": "core/rounds/ledger.py"}'),
        ),
        *gives(r, "t1", 8, 12),
        *call(r, "c2", 8.2, first=2.0, total=14.1, usage=(246_689, 924), finish="max_tokens", cap=924, between=asked),
        *event(
            "round.warning", r, 22.4, code="cut_tool_calls_refused",
            facts={"iteration": 2, "tools": ["write_file", "write_file"], "early": False, "output_tokens": 924},
        ),
        *refuses(r, "c2", "w1", 22.5), *refuses(r, "c2", "w2", 22.5),
        *call(
            r, "c3", 22.6, first=15.6, total=18.2, usage=(246_017, 24), finish=None, cap=924, text="I will split the",
        ),
        *end(r, 41, status="completed"),
    ]  # fmt: skip


def filtered() -> Lines:
    return [
        *start("77e0c1b2", 4, "triage", thread="ticket-4471"),
        *call("77e0c1b2", "c1", 4, first=3.0, total=19.2, usage=(9_120, 88), finish="content_filter", model="gpt-6",
              text="The report describes"),
        *end("77e0c1b2", 23.4, status="failed"),
    ]  # fmt: skip


def no_finish() -> Lines:
    return [
        *start("6b00aa17", 5, "worker", thread="nightly"),
        *call("6b00aa17", "c1", 5, first=None, total=61.0, finish=None, model="glm-5"),
        *end("6b00aa17", 66.2, status="completed"),
    ]


def provider_error() -> Lines:
    return [
        *start("5b1d9f00", 6, "worker", thread="review-2971"),
        *call(
            "5b1d9f00", "c1", 6, first=None, total=0.043, finish=None, outcome="failed",
            error={"kind": "provider_error", "http_status": 403, "code": "insufficient_quota",
                   "message": "Your account's monthly limit of 500 USD is reached."},
        ),
        *end("5b1d9f00", 6.2, status="error"),
    ]  # fmt: skip


def unresolved() -> Lines:
    said = "Selected agent 'ghost-agent' is not among the available agents."
    return [
        *start("0aa9d3c4", 7, None, title="Ask the ghost"),
        *event(
            "round.selection_unresolved",
            "0aa9d3c4",
            7.1,
            requested="ghost-agent",
            available=["worker", "triage"],
            sentence=said,
        ),
        *end("0aa9d3c4", 7.2, status="error"),
    ]


def cancelled() -> Lines:
    return [
        *start("c4ce11ed", 8, "writer", thread="release-notes"),
        *call("c4ce11ed", "c1", 8, first=0.7, total=9.0, usage=(3_100, None), finish=None, outcome="cancelled",
              text="## Changes since 0.9"),
        *event("round.cancel_requested", "c4ce11ed", 17, by="user"),
        *end("c4ce11ed", 17.2, status="cancelled"),
    ]  # fmt: skip


def sub_agent() -> Lines:
    return [
        *start("d0cb3e56", 40, "pr-reviewer", thread="pr-4459", title="Review of pull request 4459"),
        *call("d0cb3e56", "c1", 40, first=1.1, total=3.4, usage=(12_200, 180), finish="tool_use", model="opus-5",
              between=[*asks("d0cb3e56", "c1", "d1", "delegate", 43, '{"agent": "helper"}'),
                       *asks("d0cb3e56", "c1", "d2", "delegate", 43, '{"agent": "tester"}')]),
        *event("tool.started", "d0cb3e56", 43.5, call="c1", tool_call="d1"),
        *start("9f21aa07", 43.6, "helper", parent={"round": "d0cb3e56", "tool_call": "d1"}),
        *call("9f21aa07", "c1", 43.7, first=0.9, total=5.8, usage=(6_020, 244), finish="end_turn",
              text="No caller relies on the old name."),
        *end("9f21aa07", 49.6, status="completed"),
        *gives("d0cb3e56", "d1", 49.8, 6_210),
        *event("tool.started", "d0cb3e56", 50, call="c1", tool_call="d2"),
        *start("1c44e7d1", 50.1, "tester", parent={"round": "d0cb3e56", "tool_call": "d2"}),
        *call("1c44e7d1", "c1", 50.2, first=2.1, total=9.4, usage=(7_400, 1024), finish="length", cap=1024,
              text="Three of the tests fail because the fixture"),
        *end("1c44e7d1", 59.8, status="completed"),
        *gives("d0cb3e56", "d2", 60, 9_900),
        *event("call.started", "d0cb3e56", 60.2, call="c2", model="opus-5", max_output_tokens=8192),
        *event("call.output", "d0cb3e56", 62.1, call="c2", kind="text",
               text="Both helpers have reported. The rename is safe for callers, the tests are"),
    ]  # fmt: skip


def orphan() -> Lines:
    return [
        *start("0f0f0f0f", 30, "collector", parent={"round": "never-seen"}),
        *call("0f0f0f0f", "c1", 30, first=0.5, total=2, usage=(900, 40), finish="stop", text="Collected."),
        *end("0f0f0f0f", 32),
    ]


def received(lines: Iterable[dict[str, Any]], first: int = 1) -> list[SourceItem]:
    """The lines as a hub's client hands them on, each with the text it came as."""
    return [Received(parse_event(line), json.dumps(line), number) for number, line in enumerate(lines, start=first)]


def live(lines: Lines) -> list[SourceItem]:
    """A feed that has caught up and is live."""
    sent = live_feed.live([*map(parse_event, lines)])
    raw = iter(received(lines))
    return [next(raw) if isinstance(item, Received) else item for item in sent]


def everything() -> Lines:
    made = (answer, tool_round, cap_cut, filtered, no_finish, provider_error, unresolved, cancelled, orphan, sub_agent)
    return [line for make in made for line in make()]


def _reconnecting() -> list[SourceItem]:
    return [*live(everything()), Link(LinkState.RECONNECTING, "connection reset", 4.0)]


def _partial() -> list[SourceItem]:
    lines = sub_agent()
    gap = Gap.model_validate({"from": 121, "to": 599, "why": "trimmed"})
    return [
        *live(answer()),
        *received(lines[:6], 100),
        gap,
        *received(lines[6:], 600),
        Unreadable("frame 7", "not JSON", 700),
    ]


SCENES: dict[str, Callable[[], list[SourceItem]]] = {
    "empty": lambda: live([]),
    "answer": lambda: live([*provider_error(), *answer()]),
    "tools": lambda: live([*answer(), *tool_round()]),
    "cut": lambda: live([*answer(), *cap_cut()]),
    "filtered": lambda: live([*answer(), *filtered()]),
    "no_finish": lambda: live([*answer(), *no_finish()]),
    "provider_error": lambda: live([*answer(), *provider_error()]),
    "unresolved": lambda: live([*answer(), *unresolved()]),
    "cancelled": lambda: live([*answer(), *cancelled()]),
    "sub_agent": lambda: live([*answer(), *sub_agent()]),
    "everything": lambda: live(everything()),
    "reconnecting": _reconnecting,
    "partial": _partial,
}
"""What the source sends, by the name of the scene."""


def outcome_of(lines: Iterable[dict[str, Any]], round_: str | None = None) -> Outcome:
    """How a round of these lines stands; the first one by default."""
    ledger = Ledger()
    ledger.apply_all(parse_event(line) for line in lines)
    return classify(ledger.rounds[round_] if round_ is not None else next(iter(ledger.rounds.values())))
