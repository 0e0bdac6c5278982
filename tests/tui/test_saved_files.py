from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.saved_files import new_file, safe_stem, saved_folder


def test_a_file_is_for_this_account_only_and_never_over_an_older_one(tmp_path: Path) -> None:
    paths: list[Path] = []
    for text in (b"one", b"two"):
        with new_file(tmp_path / "deep" / "er", "round-x", "json") as (file, path):
            file.write(text)
            paths.append(path)
    assert [path.name for path in paths] == ["round-x.json", "round-x-2.json"]
    assert [path.read_bytes() for path in paths] == [b"one", b"two"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o600}


def test_what_breaks_off_leaves_no_half_file(tmp_path: Path) -> None:
    def write() -> None:
        with new_file(tmp_path, "x", "txt") as (file, _):
            file.write(b"half")
            raise RuntimeError("broken off")

    with pytest.raises(RuntimeError):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("mine")
    (tmp_path / "x.txt").symlink_to(tmp_path / "target")
    with new_file(tmp_path, "x", "txt") as (file, path):
        file.write(b"new")
    assert path.name == "x-2.txt"
    assert (tmp_path / "target").read_text() == "mine"


@given(st.lists(st.text(max_size=100), max_size=3))
def test_a_name_from_outside_cannot_leave_the_folder(parts: list[str]) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]+", safe_stem(*parts))
    assert len(safe_stem(*parts)) <= 130


def test_names_stay_readable() -> None:
    assert safe_stem("round", "../../etc/passwd") == "round-etc-passwd"
    assert safe_stem("", "…") == "roundwatch"


def test_the_folder_is_the_accounts_own() -> None:
    assert saved_folder({"XDG_DATA_HOME": "/d"}) == Path("/d/roundwatch")
    assert saved_folder({}) == Path.home() / ".local/share/roundwatch"
