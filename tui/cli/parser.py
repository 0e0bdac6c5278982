"""The whole command line as one parser, in the viewer's language; knows the commands, imports none of them."""

from __future__ import annotations

import argparse
import sys
from typing import ClassVar, NoReturn

from ...core.texts.encoding import fit_encoding
from ...core.texts.texts import Texts
from ...core.version import VERSION
from .arguments import COMMANDS, Options
from .exit_codes import ExitCode
from .help_texts import HelpTexts

PROGRAM = "roundwatch"
SHELLS = ("bash", "zsh", "fish")


def command_line(texts: Texts) -> Options:
    """Return the command line; ``args.command`` is None when no command was given."""
    words = HelpTexts(texts)
    parser = _parser_type(texts)(**words.presentation(PROGRAM, PROGRAM))
    parser.set_defaults(locale=None, config=None)
    options = Options(parser, words)
    options.add_commands(COMMANDS, dest="command", required=False)
    options.add_general()
    options.add("--version", action=_Version, about="version")
    options.add("--print-completion", choices=SHELLS, about="print_completion")
    return options


class _Parser(argparse.ArgumentParser):
    """Complains in one line, in the viewer's language, and in characters that the stream can take."""

    texts: ClassVar[Texts]

    def error(self, message: str) -> NoReturn:
        said = self.texts("cli.usage", command=self.prog, message=message)
        self.exit(ExitCode.UNUSABLE, fit_encoding(said, sys.stderr.encoding) + "\n")

    def format_help(self) -> str:
        return fit_encoding(super().format_help(), sys.stdout.encoding)


def _parser_type(viewers: Texts) -> type[_Parser]:
    """Return the parser class of one language: argparse makes the commands' parsers itself, from a class alone."""

    class Parser(_Parser):
        texts = viewers

    return Parser


class _Version(argparse.Action):
    """Says the version and ends."""

    def __init__(self, option_strings: list[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(PROGRAM, VERSION)
        parser.exit()
