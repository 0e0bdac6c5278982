"""From the arguments to an exit code: parse, run one command, turn every way it can end into one line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from ...core.texts.texts import Texts
from ...core.texts.viewer_locale import locale_from_env
from .context import Context, said
from .exit_codes import ExitCode
from .failure import CommandFailed
from .loading import loading
from .output import Output
from .parser import PROGRAM, command_line

DEFAULT_COMMAND = "watch"
READER_GONE = 141  # 128 + SIGPIPE, what a shell reports of any program whose reader left


class Command(Protocol):
    """What each command's module offers."""

    def run(self, args: argparse.Namespace, context: Context) -> int:
        """Do the work and return the exit code."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_missing_streams()
    output = Output()
    try:
        code = _run(arguments, output)
        output.stdout.flush()
    except BrokenPipeError:  # whoever read our results has had enough
        output.abandon()
        return READER_GONE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except OSError as error:  # a full disk, a device that is gone: commands answer for the files they read
        output.abandon()
        output.note(f"{PROGRAM}: {error.strerror or error}")
        return ExitCode.UNUSABLE
    except Exception as error:  # noqa: BLE001 - the outer rim: a fault of our own is told in words, and nothing in it is obeyed
        output.note(_fault(error, arguments))
        return ExitCode.FAULT
    return code


def _open_missing_streams() -> None:
    """Put the null device where a stream was closed before we began: nobody reads, or nothing comes, but we work.

    Lowest number first: each gets the descriptor that no later file may get.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as we run


def _run(arguments: list[str], output: Output) -> int:
    with loading():
        texts = Texts.load(locale_from_env(os.environ, _locale_option(arguments)))
        line = command_line(texts)
    try:
        args = _parsed(line.parser, arguments)
    except SystemExit as done:  # argparse has said what is wrong, or has shown its help
        return done.code if isinstance(done.code, int) else ExitCode.UNUSABLE
    if args.print_completion:
        from .completion import script

        output.result(script(args.print_completion, line))
        return ExitCode.ANSWERS
    try:
        takes_mouse = not getattr(args, "no_mouse", False)
        context = Context.of(output, os.environ, locale=args.locale, config=args.config, takes_mouse=takes_mouse)
        texts = context.texts
        with loading():
            command = cast("Command", import_module(f".{args.command}", __package__))
        return command.run(args, context)
    except CommandFailed as failure:
        output.note(f"{PROGRAM}: {texts(failure.key, **said(failure.values, texts))}")
        for below in failure.lines:
            output.note(f"  {below}")
        return failure.code


def _fault(error: Exception, arguments: Sequence[str]) -> str:
    from ..ending import fault_told
    from ..saved_files import saved_folder

    texts = Texts.load(locale_from_env(os.environ, _locale_option(arguments)))
    return fault_told(error, texts, saved_folder(os.environ))


def _parsed(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """Parse; without a command, or with a hub's address in its place, it is ``watch``."""
    if arguments and "://" in arguments[0]:
        arguments = [DEFAULT_COMMAND, *arguments]
    args = parser.parse_args(arguments)
    if args.command is None and not args.print_completion:
        args = parser.parse_args([DEFAULT_COMMAND, *arguments])
    return args


def _locale_option(arguments: Sequence[str]) -> str | None:
    """Return what ``--locale`` says before anything is parsed: help and complaints follow it too."""
    for position, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == "--locale":
            return value if equals else next(iter(arguments[position + 1 : position + 2]), None)
    return None
