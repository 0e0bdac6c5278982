from __future__ import annotations

import pytest
from roundwatch.core.texts import TOOL_MARKS, VERDICT_MARKS, Texts
from roundwatch.tui.help_lines import help_lines
from roundwatch.tui.keys import ACTIONS
from roundwatch.tui.safe_text import line_cells

from tests.tui.lines import DE, EN, texts


@pytest.mark.parametrize("locale", [EN, DE])
def test_the_help_explains_every_mark_and_every_command(locale: Texts) -> None:
    shown = "\n".join(texts(help_lines(locale, 100)))
    for mark in (*VERDICT_MARKS.values(), *TOOL_MARKS.values()):
        assert f"{mark.glyph} {mark.word(locale)}" in shown
    for action in ACTIONS:
        if action.command:
            assert locale(action.command) in shown


@pytest.mark.parametrize("width", [30, 60, 110])
def test_no_line_of_the_help_is_wider_than_the_screen(width: int) -> None:
    assert all(line_cells(line) <= width for line in help_lines(DE, width))


def test_the_help_names_changed_keys() -> None:
    shown = texts(help_lines(EN, 60, {"main.next": "f7", "app.commands": "f8"}))
    assert any(line.startswith("f7") and EN("command.next_problem") in line for line in shown)
    assert any("command list (f8)" in line for line in shown)


def test_what_has_no_key_of_its_own_stands_after_what_has_one() -> None:
    shown = texts(help_lines(EN, 60))
    heading = next(n for n, line in enumerate(shown) if "command list (^p)" in line)
    keyless = next(n for n, line in enumerate(shown) if EN("command.copy_reason") in line)
    keyed = next(n for n, line in enumerate(shown) if EN("command.next_problem") in line)
    assert keyed < heading < keyless
    assert shown[keyless].startswith(" ")
