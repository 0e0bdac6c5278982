from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.preferences import MOST_FILTERS, Preferences, PreferencesFile, preferences_path

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=6,
)
NAMES = list(Preferences.__dataclass_fields__)


def test_what_is_chosen_is_there_the_next_time_and_for_this_account_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "screen.json"
    PreferencesFile(path).change(theme="x", filters=("verdict:cut", "ß „x“"), bell=True, quiet_from=22)
    kept = PreferencesFile(path)
    assert kept.current == Preferences(theme="x", filters=("verdict:cut", "ß „x“"), bell=True, quiet_from=22)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["screen.json"]


def test_without_a_path_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert PreferencesFile().change(locale="de").locale == "de"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "[1]", "{", "null", '{"theme": ' * 5000, "\x00"])
def test_a_file_that_is_not_ours_is_told_and_loses_nothing_else(tmp_path: Path, content: str) -> None:
    path = tmp_path / "screen.json"
    path.write_text(content)
    kept = PreferencesFile(path)
    assert kept.current == Preferences()
    assert kept.problem


@given(st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=5)), JSON, max_size=6))
def test_a_value_of_a_wrong_kind_counts_as_none(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, object]
) -> None:
    path = tmp_path_factory.mktemp("kept") / "screen.json"
    path.write_text(json.dumps(tree))
    kept = PreferencesFile(path).current
    assert all(isinstance(each, str) for each in kept.filters)
    assert all(isinstance(each, bool) for each in (kept.toast, kept.bell, kept.desktop))
    assert all(hour is None or 0 <= hour < 24 for hour in (kept.quiet_from, kept.quiet_to))


def test_saved_filters_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "screen.json"
    path.write_text(json.dumps({"filters": [str(number) for number in range(500)] + ["x" * 5000, 7]}))
    assert len(PreferencesFile(path).current.filters) == MOST_FILTERS


def test_a_folder_that_cannot_be_written_is_told_and_the_choice_counts_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = PreferencesFile(tmp_path / "file" / "screen.json")
    assert kept.change(theme="x").theme == "x"
    assert kept.problem


def test_the_file_stands_in_the_state_folder() -> None:
    assert preferences_path({"XDG_STATE_HOME": "/s"}) == Path("/s/roundwatch/screen.json")
    assert preferences_path({"XDG_STATE_HOME": "not/absolute"}) == Path.home() / ".local/state/roundwatch/screen.json"
