from __future__ import annotations

import os
from pathlib import Path

import pytest
from roundwatch.core.hub.paths import private_file, private_folder, state_folder, store_file


def test_the_state_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert state_folder() == tmp_path / "state" / "roundwatch"
    monkeypatch.setenv("HOME", str(tmp_path))
    for unusable in ("", "relative/path"):
        monkeypatch.setenv("XDG_STATE_HOME", unusable)
        assert store_file() == tmp_path / ".local/state/roundwatch/rounds.sqlite3"


def test_a_folder_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    folder.mkdir(mode=0o755)
    assert private_folder(folder).stat().st_mode & 0o777 == 0o700


def test_a_file_is_for_the_account_only_and_no_link_is_followed(tmp_path: Path) -> None:
    os.close(private_file(tmp_path / "a"))
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match=r"symbolic|levels"):
        private_file(tmp_path / "link")
