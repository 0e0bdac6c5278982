from __future__ import annotations

import pytest
from roundwatch.core.policies.continuation import ContinueWhy
from roundwatch.core.policies.terminal_write import terminal_write
from roundwatch.core.policies.thinking import DIALECTS, ThinkingMode, ThinkingRow
from roundwatch.core.rounds import Doubt, StopReason, Verdict
from roundwatch.core.rounds.notes import NoteCode
from roundwatch.core.rounds.rules import RULES
from roundwatch.core.rounds.verdicts import STANDINGS, TRUNCATION_MARKER, StoppedBy, standing

from tests.docs.pages import cited_places, page, sections, sources, tables
from tests.rounds import call, end, judge, start

PAGE = "outcomes.md"
RULE_ROWS = tables(PAGE, "2.3")[0]
REASON_ROWS = tables(PAGE, "2.4")[0]
CASES: tuple[tuple[bool, StoppedBy], ...] = ((True, StoppedBy.USER), (False, StoppedBy.HOST))
WORD_OF = {
    "end": "stop",
    "stop_sequence": "stop_sequence",
    "tool_use": "tool_calls",
    "output_cap": "length",
    "context_window": "model_length",
    "filtered": "SAFETY",
    "refused": "refusal",
    "paused": "pause_turn",
    "malformed": "UNEXPECTED_TOOL_CALL",
    "provider_error": "network_error",
    "cancelled": "abort",
    "unknown": "a new word",
    "not reported": None,
}


def in_cell(*values: str | None) -> str:
    return " / ".join(dict.fromkeys("–" if value is None else value for value in values))


def written(verdict: Verdict, has_partial: bool) -> str:
    found = terminal_write(verdict, "Text.", "Reason.", has_partial=has_partial)
    if found is None:
        return "nothing"
    more = {"": "text", TRUNCATION_MARKER: "text + marker", "\n\n*Error: Reason.*": "text + error"}
    return more[found.text.removeprefix("Text.")]


def test_the_table_has_the_rules_in_their_order_with_their_verdicts() -> None:
    assert [(row[0], row[2]) for row in RULE_ROWS] == [(rule.name, rule.verdict.value) for rule in RULES]


def test_the_table_covers_every_verdict_of_a_round_that_is_over_or_waits() -> None:
    assert {row[2] for row in RULE_ROWS} == set(STANDINGS) - {Verdict.RUNNING}
    assert STANDINGS[Verdict.RUNNING].completion_reason is None  # the sentence below the table
    assert STANDINGS[Verdict.RUNNING].parent_outcome is None


@pytest.mark.parametrize("row", RULE_ROWS, ids=lambda row: f"{row[0]}-{row[2]}")
def test_each_row_says_what_follows_from_its_verdict(row: tuple[str, ...]) -> None:
    verdict = Verdict(row[2])
    found = [standing(verdict, has_partial=partial, stopped_by=by) for partial, by in CASES]

    assert row[3:] == (
        in_cell(*(each.status for each in found)),
        in_cell(*(each.completion_reason for each in found)),
        in_cell(*("yes" if each.is_success else "no" for each in found)),
        in_cell(*(each.parent_outcome for each in found)),
        in_cell(*(written(verdict, partial) for partial, _ in CASES)),
    )


def test_every_neutral_reason_has_its_row() -> None:
    assert [row[0] for row in REASON_ROWS] == [*StopReason, "not reported"]


@pytest.mark.parametrize("row", REASON_ROWS, ids=lambda row: row[0])
def test_a_round_with_text_that_ended_on_a_reason_falls_under_the_row_named(row: tuple[str, ...]) -> None:
    outcome = judge(start(), call("c1", WORD_OF[row[0]], text="Some text."), end())

    assert outcome.rule == row[1]
    if outcome.verdict is Verdict.COMPLETED:
        assert bool(outcome.doubts) == (row[0] not in ("end", "stop_sequence"))


def test_every_doubt_and_every_note_is_explained() -> None:
    assert [row[0] for row in tables(PAGE, "2.6.8")[0]] == list(Doubt)
    assert [row[0] for row in tables(PAGE, "2.6.11")[0]] == list(NoteCode)


def test_every_reason_not_to_continue_is_named() -> None:
    said = sections(PAGE)["3"]

    assert [why for why in ContinueWhy if f"`{why}`" not in said] == [ContinueWhy.CUT]


def test_the_thinking_table_is_the_one_in_use() -> None:
    rows = tables(PAGE, "4")[0]

    assert [row[0] for row in rows] == list(ThinkingMode)
    assert [row[1:] for row in rows] == [
        tuple(DIALECTS[mode, described] for described in ThinkingRow) for mode in ThinkingMode
    ]


@pytest.mark.parametrize("name", ["outcomes.md", "providers.md"])
def test_every_section_that_the_code_cites_exists(name: str) -> None:
    places = set(sections(name)) | {row[0] for row in RULE_ROWS if name == PAGE}
    cited = {
        (place, path.name)
        for path in sources()
        for where, place in cited_places(path.read_text("utf-8"))
        if where == name
    }

    assert len(cited) > 1
    assert {(place, file) for place, file in cited if place not in places} == set()


def test_what_the_code_cites_by_name_stands_in_its_section() -> None:
    assert "| text written |" in sections(PAGE)["2.3"]
    assert "\n## 2. Tokens and the output cap\n" in page("providers.md")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("(outcomes.md 2.6.10).", ["2.6.10"]),
        ("outcomes.md 2.", ["2"]),
        ("outcomes.md 2.3 with 2.6", ["2.3", "2.6"]),
        ("outcomes.md 2.4, 2.6.1 and 2.6.5.", ["2.4", "2.6.1", "2.6.5"]),
        ("outcomes.md 2.6.11 to 2.6.13", ["2.6.11", "2.6.12", "2.6.13"]),
        ("outcomes.md\n        R4f).", ["R4f"]),
        ('outcomes.md 2.3, column "text written".', ["2.3"]),
        ("its name in outcomes.md, when it holds", []),
    ],
)
def test_citations_are_read_as_they_are_written(text: str, places: list[str]) -> None:
    assert list(cited_places(text)) == [("outcomes.md", place) for place in places]
