from __future__ import annotations

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.preferences import Preferences
from roundwatch.tui.settings_menu import changed, settings_rows
from roundwatch.tui.themes import DARK, THEMES

from tests.tui.lines import DE, EN


@pytest.mark.parametrize("texts", [EN, DE])
def test_every_setting_has_a_name_a_value_and_a_line_about_it(texts: Texts) -> None:
    rows = settings_rows(Preferences(), DARK.name, texts)
    assert all(row.label and row.value and row.about and "setting." not in row.label + row.value for row in rows)
    assert all(f"setting.{row.name}_about" in texts for row in rows)


def after(name: str, steps: int, chosen: Preferences | None = None) -> object:
    (value,) = changed(chosen or Preferences(), name, steps, theme=DARK.name, locale="en").values()
    return value


def test_every_row_goes_to_its_next_value_and_back() -> None:
    assert after("locale", 1) == "de"
    assert after("theme", 1) == THEMES[1].name
    assert after("theme", -1) == THEMES[-1].name
    assert (after("ascii", 1), after("ascii", -1)) == (True, False)
    assert (after("quiet_from", 1), after("quiet_from", -1)) == (0, 23)
    assert after("quiet_to", 1, Preferences(quiet_to=23)) is None
    assert (after("toast", 1), after("bell", 1), after("desktop", -1)) == (False, True, True)


def test_an_unknown_theme_goes_to_one_of_ours() -> None:
    assert changed(Preferences(), "theme", 1, theme="gruvbox", locale="en")["theme"] == THEMES[0].name


def test_every_theme_has_a_name_in_both_languages() -> None:
    for texts in (EN, DE):
        for theme in THEMES:
            (row,) = [row for row in settings_rows(Preferences(), theme.name, texts) if row.name == "theme"]
            assert row.value != theme.name
