from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.tui.cli.command import run, running_hub, write_lines
from tests.tui.cli.recorded import answer


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "s.sqlite3"
    with running_hub(path) as (url, _):
        assert run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url).code == 0
    return path


def test_a_sound_store_is_called_sound(store: Path) -> None:
    done = run("hub", "--check", "--store", store)

    assert (done.code, done.objects) == (0, [{"store": str(store), "is_sound": True, "findings": []}])


def test_a_damaged_store_ends_with_1_and_the_findings(store: Path) -> None:
    with sqlite3.connect(store) as other:
        other.execute("DELETE FROM events WHERE seq = 2")
    other.close()
    done = run("hub", "--check", "--store", store)

    assert (done.code, done.objects[0]["is_sound"]) == (1, False)
    assert "first one missing is 2" in done.objects[0]["findings"][0]
    assert "is damaged" in done.err


def test_what_is_no_store_is_not_checked(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("some text " * 100)
    for name in ("absent", "other"):
        done = run("hub", "--check", "--store", tmp_path / name)
        assert (done.code, done.out) == (2, "")
        assert "not checked" in done.err


def test_a_backup_of_a_running_hub_holds_its_rounds_and_replaces_nothing(tmp_path: Path) -> None:
    path, copy = tmp_path / "s.sqlite3", tmp_path / "copy.sqlite3"
    with running_hub(path) as (url, _):
        run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url)
        done = run("hub", "--backup", copy, "--store", path)
        again = run("hub", "--backup", copy, "--store", path)

        assert run("rounds", "list", "--json", "--store", path).objects[0]["round"] == "r1"
    assert (done.code, json.loads(done.out)["backup"]) == (0, str(copy))
    assert (again.code, len(again.err.splitlines())) == (2, 1)
    assert run("rounds", "show", "r1", "--store", copy).code == 0
    assert run("hub", "--check", "--store", copy).code == 0


def test_the_settings_bound_the_store_and_the_command_line_goes_first(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[store]\nkeep = 1\nkeep_days = 2.5\nkeep_gib = 1\nsynchronous = 'normal'\n")
    with running_hub(tmp_path / "s.sqlite3", "--config", str(config), "--keep", "50") as (url, _):
        sent = run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url)

    assert sent.code == 0
    assert run("rounds", "show", "r1", "--store", tmp_path / "s.sqlite3").code == 0


@pytest.mark.parametrize("options", [("--keep-days", "0"), ("--keep-gib", "nan"), ("--synchronous", "off")])
def test_a_wrong_bound_is_refused(options: tuple[str, str], tmp_path: Path) -> None:
    assert run("hub", *options, "--store", tmp_path / "s.sqlite3").code == 2
    assert not (tmp_path / "s.sqlite3").exists()
