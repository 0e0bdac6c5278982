"""Scenes about what the loop does by itself against a fault: it carries on, makes anew, drops what started early."""

from __future__ import annotations

from ..rounds.verdicts import Verdict
from . import demo_prose as prose
from .demo_scene import CLAUDE, GPT_SMALL, Scene, claude, gpt, look
from .rules import Rules
from .script import Counts, Ending, Reply, Text, ToolUse, Wait

ALL_RULES = Rules()
HANDBOOK_END = " has to be given again. Chapter 3 ends with the list of lights."
HANDBOOK_MORE = " has to be given again, in writing and by the duty officer himself. Until then she waits at the"
TICKETS_START, TICKETS_END = prose.TICKETS[:131], prose.TICKETS[131:]
NOTICE = '{"path": "plan/notice.md", "content": "Notice to mariners 14. From Monday the berths south 2 and sou'
EARLY_ANSWER = "The tickets name the export only. I have not written the notice yet; it has to be split first."

CONTINUED: tuple[Scene, ...] = (
    Scene(
        "cap-continued",
        Verdict.COMPLETED,
        "Handbook, chapter 3, again",
        "Write chapter 3 of the handbook.",
        (
            gpt(0.8, Text(prose.HANDBOOK, 16), finish="length", counts=Counts(904, 120)),
            gpt(0.6, Text(HANDBOOK_END, 14), counts=Counts(1_049, 17)),
        ),
        agent="writer",
        model=GPT_SMALL,
        thread="handbook",
        rules=ALL_RULES,
    ),
    Scene(
        "cap-hit-again",
        Verdict.OUTPUT_CAP_REACHED,
        "Handbook, the long version",
        "Write chapter 3 of the handbook, in full.",
        (
            gpt(0.8, Text(prose.HANDBOOK, 16), finish="length", counts=Counts(911, 120)),
            gpt(0.7, Text(HANDBOOK_MORE, 14), finish="length", counts=Counts(1_056, 120)),
        ),
        agent="writer",
        model=GPT_SMALL,
        thread="handbook",
        rules=ALL_RULES,
    ),
    Scene(
        "stream-continued",
        Verdict.COMPLETED,
        "Duplicate tickets, carried on",
        "Which of the export tickets are duplicates?",
        (
            look(0.9, "search_tickets", '{"query": "export locked"}', Counts(1_120, 31)),
            Reply((Wait(1.4), Text(TICKETS_START, 14)), None, Ending.EOF),
            gpt(0.9, Text(TICKETS_END, 14), counts=Counts(1_466, 34)),
        ),
        agent="accounts",
        thread="tickets",
        rules=ALL_RULES,
    ),
    Scene(
        "stream-ended-twice",
        Verdict.STREAM_ENDED_WITHOUT_FINISH,
        "Duplicate tickets, no luck",
        "Which of the export tickets are duplicates?",
        (
            look(0.9, "search_tickets", '{"query": "export locked"}', Counts(1_120, 31)),
            Reply((Wait(1.4), Text(TICKETS_START, 14)), None, Ending.EOF),
            Reply((Wait(2.1),), None, Ending.EOF),
        ),
        agent="accounts",
        thread="tickets",
        rules=ALL_RULES,
    ),
    Scene(
        "made-anew",
        Verdict.COMPLETED,
        "Radio channels, second attempt",
        "Which channel is for what?",
        (
            Reply((Wait(0.9), Text(prose.RADIO[:52], 10)), None, Ending.RESET),
            gpt(0.8, Text(prose.RADIO, 14), counts=Counts(711, 24)),
        ),
        thread="radio",
        rules=ALL_RULES,
    ),
    Scene(
        "early-dropped",
        Verdict.COMPLETED,
        "Notice about the export",
        "Look for export tickets and write the notice.",
        (
            claude(
                1.2,
                ToolUse("search_tickets", '{"query": "export"}'),
                ToolUse("write_file", NOTICE, whole=False, rate=6),
                finish="max_tokens",
                counts=Counts(2_004, 2_048, 1_377),
            ),
            claude(0.9, Text(EARLY_ANSWER, 14), counts=Counts(2_391, 29)),
        ),
        model=CLAUDE,
        thread="notices",
        rules=ALL_RULES,
    ),
)
