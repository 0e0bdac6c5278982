"""The whole command line as one parser, in the viewer's language; knows the commands, imports none of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NoReturn

from ...core.texts.encoding import fit_encoding
from ...core.texts.texts import Texts
from .arguments import COMMANDS, Options
from .exit_codes import ExitCode
from .help_texts import HelpTexts

PROGRAM = "roundwatch"
SHELLS = ("bash", "zsh", "fish")
HELP_COLUMN = 28


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The parser, and what it consists of."""

    parser: argparse.ArgumentParser
    general: Options
    commands: Mapping[str, Options]


def command_line(texts: Texts) -> CommandLine:
    """Return the command line; ``args.command`` is None when no command was given."""
    words = HelpTexts(texts)
    make = _parser_type(texts)
    general = Options(make(**_presentation(PROGRAM, words, "roundwatch")), words)
    general.parser.set_defaults(locale=None, config=None)
    below = general.parser.add_subparsers(
        dest="command", metavar=words("group.command"), title=words("group.commands"), parser_class=make
    )
    commands: dict[str, Options] = {}
    for name, add in COMMANDS.items():
        about = words(f"short.{name}")
        parser = below.add_parser(name, help=about, **_presentation(f"{PROGRAM} {name}", words, name))
        commands[name] = options = Options(parser, words)
        options.group("arguments")
        add(options)
        options.add_general()
    general.add_general()
    general.add("--version", action=_Version, about="version")
    general.add("--print-completion", choices=SHELLS, about="print_completion")
    return CommandLine(general.parser, general, commands)


def _presentation(program: str, words: HelpTexts, name: str) -> dict[str, Any]:
    """Return how a parser presents itself."""
    return {
        "prog": program,
        "add_help": False,
        "allow_abbrev": False,
        "description": words(f"about.{name}"),
        "epilog": words(f"examples.{name}"),
        "formatter_class": partial(_Formatter, words("usage")),
    }


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


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the line ends of examples; begins with the viewer's word for "usage"."""

    def __init__(self, usage_word: str, prog: str) -> None:
        super().__init__(prog, max_help_position=HELP_COLUMN)
        self._usage_word = usage_word

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, prefix or f"{self._usage_word} ")


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __init__(self, option_strings: list[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(PROGRAM, version(PROGRAM))
        parser.exit()
