"""The demo's scenes about agents that are missing, cannot be built, or hand work to one that runs out of time."""

from __future__ import annotations

from ..rounds.verdicts import Verdict
from . import demo_prose as prose
from .demo_scene import CLAUDE, Scene, claude, claude_look, gpt, look
from .script import Counts, Reasoning, Text, ToolUse

ASK = '{"task": "Which bollards on the south quay have to be replaced?"}'
BELOW_S = 8.0
NEVER_S = 600.0  # the surveyor's next response does not come within his time
SLOW = claude(NEVER_S, counts=Counts(1, 1))

DELEGATES: tuple[Scene, ...] = (
    Scene(
        "unbuildable",
        Verdict.NO_USABLE_MODEL,
        "Weather for the crossing",
        "Will the ferry run tomorrow?",
        agent="meteorologist",
        thread="weather",
    ),
    Scene(
        "delegate-reasoning",
        Verdict.COMPLETED,
        "Bollards to replace",
        "Which bollards do we have to order?",
        (
            look(0.9, "ask_surveyor", ASK, Counts(902, 33)),
            gpt(0.8, Text(prose.AFTER_REASONING, 15), counts=Counts(1_420, 39)),
        ),
        below=(
            claude(
                0.7,
                Reasoning(prose.SURVEY_THOUGHT, 24),
                ToolUse("read_file", '{"path": "quays/south.csv"}'),
                finish="tool_use",
                counts=Counts(610, 88, 60),
            ),
            SLOW,
        ),
        below_s=BELOW_S,
        thread="quays",
    ),
    Scene(
        "delegate-text",
        Verdict.COMPLETED,
        "Bollards to replace, once more",
        "Ask the surveyor again about the bollards.",
        (
            claude_look(0.9, "ask_surveyor", ASK, Counts(1_502, 33)),
            claude(0.8, Text(prose.AFTER_TEXT, 15), counts=Counts(1_733, 41)),
        ),
        below=(
            claude(
                0.7,
                Text(prose.SURVEY_DRAFT, 24),
                ToolUse("search_text", '{"text": "to be replaced", "path": "quays"}'),
                finish="tool_use",
                counts=Counts(610, 74),
            ),
            SLOW,
        ),
        below_s=BELOW_S,
        model=CLAUDE,
        thread="quays",
    ),
    Scene(
        "delegate-nothing",
        Verdict.COMPLETED,
        "Bollards of the north quay",
        "And what about the north quay?",
        (
            look(0.9, "ask_surveyor", '{"task": "Survey the north quay."}', Counts(1_810, 29)),
            gpt(0.8, Text(prose.AFTER_NOTHING, 15), counts=Counts(1_902, 24)),
        ),
        below=(SLOW,),
        below_s=4.0,
        thread="quays",
    ),
)
