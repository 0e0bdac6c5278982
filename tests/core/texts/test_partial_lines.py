from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.policies.partial import SOURCE_REASONING, SOURCE_TEXT
from roundwatch.core.rounds.events import RoundPartial
from roundwatch.core.texts import partial_kind, partial_lines

from tests.core.texts.ended import BOTH, DE, EN


def partial(source: str = "spawn-accumulator", kept: int = 20, **fields: Any) -> RoundPartial:
    return RoundPartial(round="r1", source=source, kept_chars=kept, **fields)


@pytest.mark.parametrize(
    ("source", "kept", "kind"),
    [
        ("spawn-accumulator", 20, "text"),
        ("spawn-accumulator:reasoning", 20, "reasoning"),
        (SOURCE_TEXT, 20, "text"),
        (SOURCE_REASONING, 20, "reasoning"),
        ("SPAWN-ACCUMULATOR:REASONING", 20, "text"),
        ("", 20, "text"),
        ("spawn-accumulator:reasoning", 0, "none"),
        ("spawn-accumulator", -1, "none"),
    ],
)
def test_only_one_source_means_reasoning(source: str, kept: int, kind: str) -> None:
    assert partial_kind(partial(source, kept)) == kind


def test_draft_text_is_called_unfinished_and_reasoning_is_not() -> None:
    assert partial_lines(partial(), DE)[0] == "Zwischenstand (Entwurfstext): unfertig und ungeprüft."
    reasoning = partial_lines(partial("spawn-accumulator:reasoning"), EN)
    assert "not a draft of an answer" in reasoning[0]
    assert not any("unfinished" in line or "unchecked" in line for line in reasoning)
    assert partial_lines(partial(kept=0), DE) == ("Kein Zwischenstand: Bis zum Abbruch lag nichts vor.",)


def test_a_tail_is_called_one_and_dropped_segments_are_counted() -> None:
    lines = partial_lines(partial(kept=20_000, total_chars=51_234, dropped_segments=1, segments=9), DE)
    assert "Gezeigt: die letzten 20.000 von 51.234 Zeichen." in lines
    assert "Ein älterer Abschnitt entfernt." in lines
    assert "9 Abschnitte." in lines
    assert "20 characters." in partial_lines(partial(total_chars=20), EN)


def test_times_and_what_can_be_done_next() -> None:
    lines = partial_lines(
        partial(timeout_ms=600_000, elapsed_ms=601_400, first_evidence_ms=3_150, resumable=False, resume_reason="gone"),
        EN,
    )
    assert lines[-4:] == (
        "Waiting time allowed: 10 min.",
        "Ended after 10 min 1 s.",
        "First sign of work after 3.2 s.",
        'It cannot be resumed. Reported reason: "gone".',
    )
    assert partial_lines(partial(resumable=True), DE)[-1] == "Lässt sich fortsetzen."


def test_no_line_lacks_a_text() -> None:
    for texts in BOTH:
        assert not texts.gaps
