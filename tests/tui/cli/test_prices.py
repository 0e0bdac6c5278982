from __future__ import annotations

from pathlib import Path

import pytest

from tests.rounds import call, end, start
from tests.tui.cli.command import run
from tests.tui.cli.recorded import recording
from tests.tui.cli.test_rounds import stored

OWN = """
[[price]]
models = ["house-model"]
currency = "EUR"
input = 1000
output = 2000
source = "our own bill"
checked = 2026-11-01
"""
USAGE = {"input_tokens": 1000, "output_tokens": 500}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    asked = call("c1", "stop", "Done.", sent={"model": "house-model"}, usage=USAGE)
    other = call("c2", "stop", "Done.", sent={"model": "somebody"}, usage=USAGE)
    return stored(tmp_path / "s.sqlite3", recording("r1", start(), asked, other, end()))


def config(folder: Path, prices: str, name: str = "prices.toml", settings: str = "") -> Path:
    (folder / name).write_text(prices, "utf-8")
    path = folder / "config.toml"
    path.write_text(settings, "utf-8")
    return path


def test_a_price_file_beside_the_settings_is_used_and_what_it_lacks_is_said(place: Path, tmp_path: Path) -> None:
    settings = config(tmp_path, OWN)
    (listed,) = run("--config", settings, "rounds", "list", "--json", "--store", place).objects
    assert listed["cost"] == {
        "amounts": {"EUR": "2"},
        "bound": "at_least",
        "known_calls": 1,
        "unknown_calls": {"model_unknown": 1},
    }
    shown = run("--config", settings, "rounds", "show", "r1", "--store", place).out
    assert "Cost: ≥2.00 EUR   1 call without a known cost: no price for this model and provider" in shown


def test_a_price_file_may_be_named_in_the_settings(place: Path, tmp_path: Path) -> None:
    settings = config(tmp_path, OWN, "ours.toml", 'prices = "ours.toml"')
    (listed,) = run("--config", settings, "rounds", "list", "--json", "--store", place).objects
    assert listed["cost"]["amounts"] == {"EUR": "2"}


@pytest.mark.parametrize(
    ("prices", "settings", "told"),
    [
        (OWN + OWN.replace("input = 1000", "input = -1"), "", "one entry is left out; [[price]] 2: input"),
        ("nonsense", "", "one entry is left out; no TOML"),
        (OWN, 'prices = "nowhere.toml"', "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_price_file_is_told_and_the_command_goes_on(
    place: Path, tmp_path: Path, prices: str, settings: str, told: str
) -> None:
    done = run("--config", config(tmp_path, prices, settings=settings), "rounds", "list", "--store", place)
    assert told in done.err
    assert "r1" in done.out


def test_the_table_has_the_cost_where_it_is_wide_enough(place: Path, tmp_path: Path) -> None:
    done = run("--config", config(tmp_path, OWN), "rounds", "list", "--store", place)
    assert "≥2.00 EUR" in done.out


@pytest.mark.parametrize(("form", "told"), [("json", '"amounts":{"EUR":"2"}'), ("markdown", "Cost: ≥2.00 EUR")])
def test_exports_carry_the_cost(place: Path, tmp_path: Path, form: str, told: str) -> None:
    settings = config(tmp_path, OWN)
    assert told in run("--config", settings, "rounds", "export", "r1", "--format", form, "--store", place).out


def test_what_is_wrong_with_a_price_is_said_in_the_readers_language(place: Path, tmp_path: Path) -> None:
    settings = config(tmp_path, OWN + OWN.replace("input = 1000", "input = -1"))
    told = run("--config", settings, "--locale", "de", "rounds", "list", "--json", "--store", place).err
    assert "[[price]] 2: input ist kein Geldbetrag für eine Million Token" in told
