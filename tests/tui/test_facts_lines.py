from __future__ import annotations

import pytest
from roundwatch.core.rounds import Silence
from roundwatch.core.texts import Texts, cell_width
from roundwatch.tui.facts_lines import facts_lines
from roundwatch.tui.safe_text import line_cells

from tests.scenes import NOW, Lines, cap_cut, start, sub_agent
from tests.stage import ZONE
from tests.tui.lines import DE, EN, round_of, text, texts


def told(lines: Lines, locale: Texts = EN) -> list[str]:
    return texts(facts_lines(round_of(lines), NOW, ZONE, locale, 100))


def test_the_claim_stands_beside_what_the_evidence_says() -> None:
    shown = told(cap_cut())
    assert any(line.startswith("The record says") and '"completed"' in line for line in shown)
    assert any(line.startswith("Status") and line.endswith("error") for line in shown)
    assert any(line.startswith("Rule") and line.endswith("R9") for line in shown)
    assert any("Stream ended without a finish" in line for line in shown)


def test_what_a_record_should_say_and_does_not_is_told() -> None:
    shown = told(start("r", 0, None))
    assert any(line.startswith("Agent") and "not reported" in line for line in shown)
    assert not any(line.startswith(("Ended", "Status", "Parent", "Evidence")) for line in shown)


def test_moments_stand_in_the_viewers_zone() -> None:
    assert any("30.11.2026 14:02:03 CET" in line for line in told(cap_cut(), DE))


@pytest.mark.parametrize("width", [20, 36, 110])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    for lines in (cap_cut(), sub_agent()):
        assert all(line_cells(line) <= width for line in facts_lines(round_of(lines), NOW, ZONE, DE, width))


def test_hostile_names_stay_text() -> None:
    evil = "a\x1b[2J\n[/]"
    assert any("a␛[2J␊[/]" in line for line in told([*start("r", 0, evil, title=evil)]))


def foreign(*silent: str) -> Lines:
    return [{"type": "round.started", "round": "r", "source": "claude-code", "silent": silent}]


def test_a_foreign_record_is_named_with_what_it_never_says() -> None:
    lines = foreign("progress", "finish_reason", "something_new")
    english, german = ("\n".join(told(lines, locale)) for locale in (EN, DE))
    assert "Source" in english
    assert "claude-code" in english
    assert "Not recorded there" in english
    assert "why a call ended, progress (reported at the end), something_new" in english
    assert "warum ein Aufruf endete, der Verlauf (erst am Ende gemeldet), something_new" in german
    assert "Not recorded there" not in "\n".join(told(start("r", 0, None)))


@pytest.mark.parametrize("locale", [EN, DE])
@pytest.mark.parametrize("word", Silence)
def test_every_silence_has_words(locale: Texts, word: Silence) -> None:
    assert word.value not in "\n".join(told(foreign(word.value), locale)).split("  ")


@pytest.mark.parametrize("width", [20, 34, 49, 60, 120])
def test_no_fact_is_cut_off_where_room_is_short(width: int) -> None:
    round_ = round_of([*start("an-id-of-many-letters-0002", 60, title="A title that is as long as titles are " * 3)])
    lines = [text(line) for line in facts_lines(round_, NOW, None, EN, width)]
    assert all(cell_width(line) <= width for line in lines)
    said = "".join("".join(lines).split())
    assert "an-id-of-many-letters-0002" in said
    assert "Atitlethatisaslongastitlesare" * 3 in said
