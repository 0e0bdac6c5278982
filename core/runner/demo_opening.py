"""The scenes of the demo's first three quarters of a minute."""

from __future__ import annotations

from ..rounds.verdicts import Verdict
from . import demo_prose as prose
from .demo_scene import (
    CLAUDE,
    CLAUDE_SMALL,
    GPT_SMALL,
    Scene,
    claude,
    claude_look,
    gpt,
    look,
)
from .script import Counts, Ending, HttpError, Reply, Text, ToolUse, Wait

HALF_LIST = '{"path": "plan/berths.csv", "content": "berth,ship,from,to\\nnorth 1,Anna,06:00,09:30\\nnorth 2,Bri'
FIRST_HALF = '{"path": "plan/berths-1.csv", "content": "north 1,Anna,06:00,09:30"}'
SECOND_HALF = '{"path": "plan/berths-2.csv", "content": "south 6,Wilhelmina,18:00,20:00"}'

OPENING: tuple[Scene, ...] = (
    Scene(
        "answer",
        Verdict.COMPLETED,
        "Berth plan for the week",
        "Which ships have to move after the new draft limit?",
        (gpt(1.6, Text(prose.BERTHS, 11), counts=Counts(1_842, 74, 0, 1_536)),),
    ),
    Scene(
        "tool-round",
        Verdict.COMPLETED,
        "Invoice for the Annabel",
        "What do we charge for 261 tonnes of gravel?",
        (
            claude_look(1.1, "lookup_tariff", '{"goods": "gravel"}', Counts(2_310, 58), before=prose.BEFORE_TOOL),
            claude(0.9, Text(prose.TARIFF, 14), counts=Counts(2_447, 83, None, 2_304)),
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
        (gpt(0.8, Text(prose.HANDBOOK, 16), finish="length", counts=Counts(904, 120)),),
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
            claude(
                1.4,
                ToolUse("write_file", HALF_LIST, whole=False, rate=5),
                finish="max_tokens",
                counts=Counts(3_120, 512, 190),
            ),
            claude(
                1.0,
                ToolUse("write_file", FIRST_HALF),
                ToolUse("write_file", SECOND_HALF),
                finish="tool_use",
                counts=Counts(3_718, 164),
            ),
            claude(0.7, Text(prose.RECOVERED, 18), counts=Counts(3_954, 47)),
        ),
        model=CLAUDE_SMALL,
    ),
    Scene(
        "filtered",
        Verdict.CONTENT_FILTERED,
        "Answer to a complaint",
        "Write back to the lady from the insurance.",
        (gpt(1.2, Text(prose.LETTER, 12), finish="content_filter", counts=Counts(1_377, 23)),),
        agent="writer",
        thread="letters",
    ),
    Scene(
        "no-finish",
        Verdict.STREAM_ENDED_WITHOUT_FINISH,
        "Duplicate tickets",
        "Which of the export tickets are duplicates?",
        (
            look(0.9, "search_tickets", '{"query": "export locked"}', Counts(1_120, 31)),
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
            look(1.3, "ask_surveyor", '{"task": "Count the bollards in use on the south quay."}', Counts(988, 36)),
            gpt(1.0, Text(prose.AFTER_SURVEY, 15), counts=Counts(1_140, 44)),
        ),
        below=(claude(1.8, Text(prose.SURVEY, 9), counts=Counts(640, 38)),),
        thread="quays",
    ),
    Scene(
        "cancelled",
        Verdict.CANCELLED,
        "Rewrite of the handbook",
        "Rewrite chapter 3 for beginners.",
        (claude(1.0, Text(prose.HANDBOOK, 6), counts=Counts(1_904, 96)),),
        agent="writer",
        model=CLAUDE,
        thread="handbook",
        cancel_after_s=5.0,
    ),
)
"""What the first three quarters of a minute show."""
