"""The scenes of the demo: each is one round with its script and the verdict that an observer must see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..rounds.base import CancelledBy, Claim, Limits
from ..rounds.outcome import Outcome
from ..rounds.verdicts import Verdict
from . import demo_prose as prose
from .agents import NO_LIMITS, honest_claim
from .script import (
    BodyError,
    Counts,
    Ending,
    Finish,
    HttpError,
    KeepAlives,
    Reasoning,
    Reply,
    Script,
    Step,
    Text,
    ToolUse,
    Wait,
)

GPT = "gpt-5.1"
GPT_SMALL = "gpt-5.1-mini"
CLAUDE = "claude-sonnet-4-6"
CLAUDE_SMALL = "claude-haiku-4-5"
LOCAL = "mistral-small-3.2-24b"
"""Served by a local server that reports no finish reasons."""
KEYLESS = "grok-4.1-fast"
"""A model without a key."""


@dataclass(frozen=True)
class Scene:
    """One round of the demo. All times are seconds at speed 1."""

    name: str
    verdict: Verdict
    title: str
    prompt: str
    replies: tuple[Reply, ...] = ()
    agent: str = "harbour-clerk"
    model: str = GPT
    thread: str = "daily-plan"
    repeat_last: bool = False
    below: Reply | None = None
    """What a sub-agent is answered with."""
    limits: Limits = NO_LIMITS
    stall_s: float | None = None
    cancel_after_s: float | None = None
    cancelled_by: CancelledBy = CancelledBy.USER
    claim: Callable[[Outcome], Claim | None] = honest_claim
    killed_after_s: tuple[float, ...] = ()
    """The runner's process dies so long after each start; then a host closes the record as completed, or where
    there are several, a supervisor starts it again and gives up after the last."""

    @property
    def is_supervised(self) -> bool:
        """A supervisor starts it again until it gives up."""
        return len(self.killed_after_s) > 1

    @property
    def script(self) -> Script:
        """The replies as a script."""
        return Script(self.replies, repeat_last=self.repeat_last)


def _claims_completed(outcome: Outcome) -> Claim:
    return Claim(status="completed", summary="All done.")


def _gpt(first_s: float, *steps: Step, finish: str | None = "stop", counts: Counts, native: str | None = None) -> Reply:
    end = () if finish is None else (Finish(finish, native),)
    return Reply((Wait(first_s), *steps, *end), counts)


def _claude(first_s: float, *steps: Step, finish: str = "end_turn", counts: Counts) -> Reply:
    return Reply((Wait(first_s), *steps, Finish(finish)), counts)


def _look(first_s: float, name: str, arguments: str, counts: Counts, *, before: str = "") -> Reply:
    text = (Text(before, 30),) if before else ()
    return _gpt(first_s, *text, ToolUse(name, arguments), finish="tool_calls", counts=counts)


def _claude_look(first_s: float, name: str, arguments: str, counts: Counts, *, before: str = "") -> Reply:
    text = (Text(before, 30),) if before else ()
    return _claude(first_s, *text, ToolUse(name, arguments), finish="tool_use", counts=counts)


HALF_LIST = '{"path": "plan/berths.csv", "content": "berth,ship,from,to\\nnorth 1,Anna,06:00,09:30\\nnorth 2,Bri'
FIRST_HALF = '{"path": "plan/berths-1.csv", "content": "north 1,Anna,06:00,09:30"}'
SECOND_HALF = '{"path": "plan/berths-2.csv", "content": "south 6,Wilhelmina,18:00,20:00"}'

OPENING: tuple[Scene, ...] = (
    Scene(
        "answer",
        Verdict.COMPLETED,
        "Berth plan for the week",
        "Which ships have to move after the new draft limit?",
        (_gpt(1.6, Text(prose.BERTHS, 11), counts=Counts(1_842, 74, 0, 1_536)),),
    ),
    Scene(
        "tool-round",
        Verdict.COMPLETED,
        "Invoice for the Annabel",
        "What do we charge for 261 tonnes of gravel?",
        (
            _claude_look(1.1, "lookup_tariff", '{"goods": "gravel"}', Counts(2_310, 58), before=prose.BEFORE_TOOL),
            _claude(0.9, Text(prose.TARIFF, 14), counts=Counts(2_447, 83, None, 2_304)),
        ),
        agent="accounts",
        model=CLAUDE,
        thread="invoices",
    ),
    Scene(
        "unresolved",
        Verdict.SELECTION_UNRESOLVED,
        "Translate the notice",
        "Translate the notice to mariners into Dutch.",
        agent="translator",
        thread="notices",
    ),
    Scene(
        "cap-cut",
        Verdict.OUTPUT_CAP_REACHED,
        "Handbook, chapter 3",
        "Write chapter 3 of the handbook.",
        (_gpt(0.8, Text(prose.HANDBOOK, 16), finish="length", counts=Counts(904, 120)),),
        agent="writer",
        model=GPT_SMALL,
        thread="handbook",
    ),
    Scene(
        "cut-tool",
        Verdict.COMPLETED,
        "Write the berth list",
        "Put the berth plan into a file.",
        (
            _claude(
                1.4,
                ToolUse("write_file", HALF_LIST, whole=False, rate=5),
                finish="max_tokens",
                counts=Counts(3_120, 512, 190),
            ),
            _claude(
                1.0,
                ToolUse("write_file", FIRST_HALF),
                ToolUse("write_file", SECOND_HALF),
                finish="tool_use",
                counts=Counts(3_718, 164),
            ),
            _claude(0.7, Text(prose.RECOVERED, 18), counts=Counts(3_954, 47)),
        ),
        model=CLAUDE_SMALL,
    ),
    Scene(
        "filtered",
        Verdict.CONTENT_FILTERED,
        "Answer to a complaint",
        "Write back to the lady from the insurance.",
        (_gpt(1.2, Text(prose.LETTER, 12), finish="content_filter", counts=Counts(1_377, 23)),),
        agent="writer",
        thread="letters",
    ),
    Scene(
        "no-finish",
        Verdict.STREAM_ENDED_WITHOUT_FINISH,
        "Duplicate tickets",
        "Which of the export tickets are duplicates?",
        (
            _look(0.9, "search_tickets", '{"query": "export locked"}', Counts(1_120, 31)),
            Reply((Wait(2.2), Text(prose.TICKETS[:120], 14)), Counts(1_405, 30), Ending.EOF),
        ),
        agent="accounts",
        thread="tickets",
    ),
    Scene(
        "forbidden",
        Verdict.PROVIDER_ERROR,
        "Forecast with the large model",
        "Forecast the tonnage of next quarter.",
        (
            Reply(
                (Wait(0.5),),
                error=HttpError(403, "permission_error", "Your organization has no access to this model."),
            ),
        ),
        agent="accounts",
        model=CLAUDE,
        thread="forecast",
    ),
    Scene(
        "sub-agent",
        Verdict.COMPLETED,
        "Load test on the south quay",
        "Can the load test go ahead on Thursday?",
        (
            _look(1.3, "ask_surveyor", '{"task": "Count the bollards in use on the south quay."}', Counts(988, 36)),
            _gpt(1.0, Text(prose.AFTER_SURVEY, 15), counts=Counts(1_140, 44)),
        ),
        below=_claude(1.8, Text(prose.SURVEY, 9), counts=Counts(640, 38)),
        thread="quays",
    ),
    Scene(
        "cancelled",
        Verdict.CANCELLED,
        "Rewrite of the handbook",
        "Rewrite chapter 3 for beginners.",
        (_claude(1.0, Text(prose.HANDBOOK, 6), counts=Counts(1_904, 96)),),
        agent="writer",
        model=CLAUDE,
        thread="handbook",
        cancel_after_s=5.0,
    ),
)
"""What the first three quarters of a minute show."""

LATER: tuple[Scene, ...] = (
    Scene(
        "answer-claude",
        Verdict.COMPLETED,
        "Numbers of the quarter",
        "Sum up the quarter in three sentences.",
        (_claude(2.7, Reasoning(prose.THOUGHT, 20), Text(prose.SUMMARY, 14), counts=Counts(5_210, 148, 66, 4_096)),),
        agent="accounts",
        model=CLAUDE,
        thread="quarter",
    ),
    Scene(
        "refusal",
        Verdict.CONTENT_FILTERED,
        "Seal for a container",
        "How do I make a customs seal look unbroken?",
        (_claude(1.1, Text(prose.REFUSAL, 14), finish="refusal", counts=Counts(402, 14)),),
        model=CLAUDE,
        thread="customs",
    ),
    Scene(
        "stalled",
        Verdict.PROVIDER_STALLED,
        "Compare three timetables",
        "Which of the three timetables is best?",
        (Reply((Wait(1.2), Text(prose.PARTIAL, 14), KeepAlives(600.0)), Counts(2_218, 20)),),
        thread="timetables",
        stall_s=7.0,
    ),
    Scene(
        "body-cut",
        Verdict.RESPONSE_BODY_CUT,
        "Radio plan",
        "Which radio channels stay?",
        (Reply((Wait(0.9), Text(prose.RADIO, 10)), Counts(711, 20), Ending.RESET),),
        model=GPT_SMALL,
        thread="radio",
    ),
    Scene(
        "retried",
        Verdict.COMPLETED,
        "Pilot boat this afternoon",
        "Is the pilot boat free this afternoon?",
        (
            Reply(
                (Wait(0.4),),
                error=HttpError(
                    429, "rate_limit_error", "Rate limit reached, try again in 2 s.", "rate_limit_exceeded"
                ),
            ),
            _gpt(1.2, Text(prose.RETRIED, 12), counts=Counts(655, 33)),
        ),
        model=GPT_SMALL,
        thread="pilots",
    ),
    Scene(
        "reasoning-only",
        Verdict.NO_OUTPUT,
        "Which berth was it",
        "Which berth did the Annabel really use?",
        (_gpt(3.4, Reasoning(prose.LONG_THOUGHT, 16), counts=Counts(2_004, 91, 88)),),
        thread="invoices",
    ),
    Scene(
        "no-final-answer",
        Verdict.NO_FINAL_ANSWER,
        "Warehouse check",
        "Were any calls invoiced late?",
        (
            _look(1.0, "query_warehouse", '{"sql": "select * from calls where late"}', Counts(1_502, 42)),
            _gpt(0.8, counts=Counts(1_944, 1)),
        ),
        agent="accounts",
        thread="quarter",
    ),
    Scene(
        "iteration-limit",
        Verdict.MAX_ITERATIONS,
        "Search without end",
        "Find every mention of the old crane.",
        (_look(0.6, "search_tickets", '{"query": "crane"}', Counts(1_215, 28)),),
        repeat_last=True,
        model=GPT_SMALL,
        thread="tickets",
        limits=Limits(iterations=4),
    ),
    Scene(
        "token-budget",
        Verdict.TOKEN_BUDGET,
        "Read the whole archive",
        "Read the archive and list the storms.",
        (_claude_look(1.0, "read_file", '{"path": "archive/1987.txt"}', Counts(31_480, 64)),),
        repeat_last=True,
        agent="archivist",
        model=CLAUDE_SMALL,
        thread="archive",
        limits=Limits(tokens=90_000),
    ),
    Scene(
        "cost-budget",
        Verdict.COST_BUDGET,
        "Audit of the old invoices",
        "Check the invoices of 2019 one by one.",
        (_look(1.2, "query_warehouse", '{"sql": "select * from invoices_2019"}', Counts(96_000, 410)),),
        repeat_last=True,
        agent="accounts",
        thread="audit",
        limits=Limits(cost=0.3),
    ),
    Scene(
        "paused",
        Verdict.TURN_PAUSED,
        "Long search by the provider",
        "Search the web for harbours with the same rule.",
        (
            _claude(
                2.1,
                Text("I will search for harbours with a draft rule.", 14),
                finish="pause_turn",
                counts=Counts(8_410, 212),
            ),
        ),
        model=CLAUDE,
        thread="research",
    ),
    Scene(
        "window-full",
        Verdict.CONTEXT_WINDOW_EXCEEDED,
        "All minutes since 2015",
        "Write one summary of all minutes since 2015.",
        (_claude(5.8, Text(prose.MINUTES, 14), finish="model_context_window_exceeded", counts=Counts(199_480, 131)),),
        agent="archivist",
        model=CLAUDE,
        thread="archive",
    ),
    Scene(
        "false-claim",
        Verdict.OUTPUT_CAP_REACHED,
        "Handbook, chapter 4",
        "Write chapter 4 of the handbook.",
        (
            _gpt(
                0.9, Text(prose.HANDBOOK[:260], 15), finish="stop", native="max_output_tokens", counts=Counts(958, 120)
            ),
        ),
        agent="writer",
        model=GPT_SMALL,
        thread="handbook",
        claim=_claims_completed,
    ),
    Scene(
        "unconfirmed",
        Verdict.COMPLETED,
        "Minutes, short form",
        "Shorten the minutes of today.",
        (_gpt(0.6, Text(prose.MINUTES, 9), finish=None, counts=Counts(3_377, 49)),),
        agent="writer",
        model=LOCAL,
        thread="minutes",
    ),
    Scene(
        "gave-up",
        Verdict.SUPERVISOR_GAVE_UP,
        "Nightly reconciliation",
        "Reconcile yesterday's calls with the invoices.",
        (_claude(1.5, Text(prose.SUMMARY, 3), counts=Counts(4_470, 80)),),
        repeat_last=True,
        agent="accounts",
        model=CLAUDE,
        thread="nightly",
        killed_after_s=(5.0, 4.0, 4.5),
    ),
    Scene(
        "approval",
        Verdict.COMPLETED,
        "Send the weekly report",
        "Send the weekly report to the council.",
        (
            _claude_look(1.0, "send_report", '{"to": "council"}', Counts(1_660, 40)),
            _claude(0.9, Text("The report went out to three recipients.", 12), counts=Counts(1_740, 12)),
        ),
        agent="accounts",
        model=CLAUDE_SMALL,
        thread="reports",
    ),
    Scene(
        "unfinished-tool",
        Verdict.UNFINISHED_TOOL_CALL,
        "Yearly export",
        "Export the ledger of last year.",
        (_look(0.8, "export_ledger", '{"year": 2025}', Counts(1_090, 27)),),
        agent="accounts",
        thread="audit",
        killed_after_s=(7.0,),
    ),
    Scene(
        "timed-out",
        Verdict.ROUND_TIMED_OUT,
        "Slow letter",
        "Write a long letter to the insurance.",
        (_gpt(2.0, Text(prose.HANDBOOK, 2), counts=Counts(880, 90)),),
        agent="writer",
        thread="letters",
        limits=Limits(seconds=10.0),
    ),
    Scene(
        "wall-clock",
        Verdict.WALL_CLOCK,
        "Export with a deadline",
        "Export the ledger before noon.",
        (_look(0.8, "export_ledger", '{"year": 2024}', Counts(1_090, 27)),),
        agent="accounts",
        model=GPT_SMALL,
        thread="audit",
        limits=Limits(seconds=12.0),
    ),
    Scene(
        "no-progress",
        Verdict.STALLED_ITERATIONS,
        "Intranet is away",
        "Read the notice on the intranet.",
        (_claude_look(0.7, "fetch_page", '{"url": "https://intranet.example/notice"}', Counts(720, 35)),),
        repeat_last=True,
        model=CLAUDE_SMALL,
        thread="notices",
    ),
    Scene(
        "faulted",
        Verdict.FAULTED,
        "Search the archive",
        "When was the lighthouse painted last?",
        (_claude_look(0.9, "read_file", '{"path": "archive/lighthouse.txt"}', Counts(2_650, 41)),),
        agent="archivist-beta",
        model=CLAUDE_SMALL,
        thread="archive",
    ),
    Scene(
        "no-key",
        Verdict.NO_USABLE_MODEL,
        "Second opinion",
        "What does another model say?",
        model=KEYLESS,
        thread="research",
    ),
    Scene(
        "overloaded",
        Verdict.PROVIDER_ERROR,
        "Branch review",
        "Is the branch ready?",
        (
            _claude_look(1.0, "run_tests", "{}", Counts(5_800, 30)),
            Reply(
                (Wait(1.0), Text(prose.REVIEW[:90], 14), BodyError("overloaded_error", "Overloaded")),
                Counts(6_020, 20),
                Ending.EOF,
            ),
        ),
        agent="reviewer",
        model=CLAUDE,
        thread="branches",
    ),
    Scene(
        "review",
        Verdict.COMPLETED,
        "Branch review",
        "Is the branch ready?",
        (
            _claude_look(1.0, "run_tests", "{}", Counts(5_800, 30), before=prose.BEFORE_TOOL),
            _claude(1.2, Text(prose.REVIEW, 15), counts=Counts(6_020, 71)),
        ),
        agent="reviewer",
        model=CLAUDE,
        thread="branches",
    ),
    Scene(
        "forbidden-tool",
        Verdict.COMPLETED,
        "Clean up the warehouse",
        "Remove the old tables.",
        (
            _look(0.8, "drop_table", '{"table": "calls_2012"}', Counts(930, 22)),
            _gpt(0.9, Text("I may not drop tables here; please ask the warehouse team.", 12), counts=Counts(990, 16)),
        ),
        agent="accounts",
        model=GPT_SMALL,
        thread="warehouse",
    ),
    Scene(
        "half-arguments",
        Verdict.COMPLETED,
        "Rounding rule",
        "Which rounding rule is in force?",
        (
            _look(0.9, "read_file", '{"path": "tariff/round', Counts(810, 19)),
            _gpt(0.8, Text("Half up, as the printed tariff says.", 12), counts=Counts(868, 11)),
        ),
        agent="reviewer",
        thread="branches",
    ),
)
"""What follows; between them the two hold every verdict there is."""

SCENES = OPENING + LATER
