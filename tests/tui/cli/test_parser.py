from __future__ import annotations

import io
import sys
from importlib import import_module

import pytest
from roundwatch.core import wire
from roundwatch.core.texts import Texts
from roundwatch.tui.cli.arguments import COMMANDS, Options
from roundwatch.tui.cli.help_texts import WIRES
from roundwatch.tui.cli.parser import command_line


def test_the_parser_knows_every_wire_format_there_is() -> None:
    assert set(WIRES) == set(wire.WIRES)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_module_that_runs_it(name: str) -> None:
    assert callable(import_module(f"roundwatch.tui.cli.{name}").run)


def test_every_option_of_every_command_is_explained() -> None:
    def all_options(options: Options) -> list[Options]:
        return [options, *(each for below in options.below.values() for each in all_options(below))]

    for options in all_options(command_line(Texts.load("de"))):
        for action in options.actions:
            assert action.help, action.option_strings
            assert not action.help.startswith("cli."), action.help


def test_help_can_be_written_by_a_terminal_without_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))

    assert command_line(Texts.load("de")).parser.format_help().isascii()


def test_abbreviated_options_are_refused() -> None:
    with pytest.raises(SystemExit) as raised:
        command_line(Texts.load("en")).parser.parse_args(["classify", "--js", "-"])

    assert raised.value.code == 2
