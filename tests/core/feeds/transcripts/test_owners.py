from __future__ import annotations

import contextlib
import sqlite3
import stat
from pathlib import Path

import pytest
from roundwatch.core.feeds.transcripts.owners import Owners


def test_the_first_who_claims_a_key_owns_it_after_a_restart_too(tmp_path: Path) -> None:
    file = tmp_path / "state" / "owners.sqlite3"
    owners = Owners(file)
    assert [owners.claim("m1", owner) for owner in ("a", "b", "a")] == ["a", "a", "a"]
    assert owners.has("m1")
    assert not owners.has("m2")
    owners.close()
    again = Owners(file)
    assert again.claim("m1", "b") == "a"
    assert again.claim("m\udcff", "b") == "b"
    again.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_two_processes_share_what_was_saved(tmp_path: Path) -> None:
    one, other = Owners(tmp_path / "o.sqlite3"), Owners(tmp_path / "o.sqlite3")
    one.claim("m1", "a")
    one.save()
    assert other.claim("m1", "b") == "a"
    one.close()
    other.close()


@pytest.mark.parametrize("is_folder", [True, False])
def test_an_index_that_cannot_be_used_holds_as_long_as_the_process(tmp_path: Path, is_folder: bool) -> None:
    file = tmp_path / "o.sqlite3"
    if is_folder:
        file.mkdir()
    else:
        file.write_bytes(b"no database, however one looks at it" * 100)
    owners = Owners(file)
    assert [owners.claim("m1", owner) for owner in ("a", "b")] == ["a", "a"]
    owners.close()


def test_a_file_that_breaks_later_ends_no_reading(tmp_path: Path) -> None:
    owners = Owners(tmp_path / "o.sqlite3")
    owners.claim("m1", "a")
    assert owners.has("m1")
    break_(tmp_path / "o.sqlite3", owners)
    assert owners.claim("m2", "b") == "b"
    assert [owners.claim("m3", owner) for owner in ("b", "c")] == ["b", "b"]
    owners.close()


def test_of_a_broken_file_nothing_is_known(tmp_path: Path) -> None:
    owners = Owners(tmp_path / "o.sqlite3")
    owners.claim("m1", "a")
    break_(tmp_path / "o.sqlite3", owners)
    assert not owners.has("m1")
    owners.save()
    owners.close()


def break_(file: Path, owners: Owners) -> None:
    owners.save()
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("DROP TABLE owned")
        database.commit()


def test_one_index_belongs_to_an_account(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert Owners.default_file() == tmp_path / "roundwatch" / "follow" / "owners.sqlite3"
