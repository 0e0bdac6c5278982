from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Verdict
from roundwatch.tui.filter_match import AnyText, Condition, Either, Every, Not

from tests.scenes import NOW, answer, call, end, start
from tests.tui.filtering import a_filter, let_through, watching


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("agent:worker verdict:no-finish", {"worker"}),
        ("verdict:cut", {"tester"}),
        ("verdict:abgeschnitten", {"tester"}),
        ("verdict:output_cap_reached", {"tester"}),
        ("verdict:filtered|cancelled", {"triage", "writer"}),
        ("agent:TRI", {"triage"}),
        ("agent:none", {"0aa9d3c4"}),
        ("thread:release-notes", {"writer"}),
        ("round:9f21aa", {"helper"}),
        ("title:ghost", {"0aa9d3c4"}),
        ("tool:delegate", {"pr-reviewer"}),
        ("werkzeug:delegate", {"pr-reviewer"}),
        ("model:opus is:running", {"pr-reviewer"}),
        ("finish:length", {"tester"}),
        ("is:running", {"pr-reviewer"}),
        ("ist:läuft", {"pr-reviewer"}),
        ("is:orphan", {"collector"}),
        ("is:sub -is:orphan", {"helper", "tester"}),
        ("in:6020", {"helper"}),
        ("tokens:8k..9k", {"tester"}),
        ("tokens:>300k", {"worker"}),
        ("out:>=244 out:<=244", {"helper"}),
        ("calls:2 -is:running", {"fixer"}),
        ("first:2s..2.2s", {"tester"}),
        ("total:<6s agent:helper|worker", {"worker"}),
        ("total:>40s", {"pr-reviewer", "worker"}),
        ("triage | writer", {"triage", "writer"}),
        ('"Ask the"', {"0aa9d3c4"}),
        ("!is:ended", {"pr-reviewer"}),
    ],
)
def test_a_filter_shows_the_rounds_it_names(text: str, shown: set[str]) -> None:
    assert let_through(text) == shown


@pytest.mark.parametrize("field", ["tokens", "in", "out", "first"])
def test_what_was_not_reported_is_neither_small_nor_large(field: str) -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=None, total=1, cap=None), *end("r", 1)]
    for text in (f"{field}:<5", f"-{field}:<5", f"{field}:>=0", f"-{field}:>=0"):
        assert let_through(text, lines) == set()
    assert let_through(f"{field}:none", lines) == {"worker"}


def test_a_round_that_used_no_tool_is_known_to_have_used_none() -> None:
    assert let_through("tool:none", answer()) == let_through("-tool:read", answer()) == {"worker"}


def test_rounds_whose_details_are_gone_are_filtered_by_the_same_words() -> None:
    lines = [*answer(), *[{**line, "round": "other"} for line in answer()]]
    for text in ("model:sonnet", "finish:end_turn", "tokens:5026", "agent:worker", "first:>800ms"):
        gone = watching(lines, kept=1)
        assert "233a0419" in gone.ledger.retired
        subject = gone.subject("233a0419", NOW)
        assert subject is not None
        assert a_filter(text).passes(subject), text


class Fixed:
    def __init__(self, value: bool | None) -> None:
        self.value = value

    def holds(self, subject: object) -> bool | None:
        return self.value


@given(st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=4))
def test_an_undecided_condition_decides_nothing(values: list[bool | None]) -> None:
    conditions: tuple[Condition, ...] = tuple(Fixed(value) for value in values)
    subject = watching(answer()).subject("233a0419", NOW)
    assert subject is not None
    worst = False if False in values else None if None in values else True
    best = True if True in values else None if None in values else False
    assert Every(conditions).holds(subject) is worst
    assert Either(conditions).holds(subject) is best
    assert Not(Every(conditions)).holds(subject) is (None if worst is None else not worst)


def test_every_verdict_has_a_word_in_both_languages() -> None:
    from tests.tui.filtering import WORDS

    assert all(WORDS.meant(verdict.value) == {verdict} for verdict in Verdict)
    assert WORDS.meant("no finish") == WORDS.meant("Ohne-Abschluss") == {Verdict.STREAM_ENDED_WITHOUT_FINISH}
    assert WORDS.meant("provider") == {Verdict.PROVIDER_ERROR, Verdict.PROVIDER_STALLED}
    assert WORDS.meant("") == frozenset()


def test_the_case_of_letters_does_not_matter() -> None:
    subject = watching(answer()).subject("233a0419", NOW)
    assert subject is not None
    assert AnyText("straße".casefold(), lambda _: ("STRASSE",)).holds(subject)
