"""``watch --web``: the screen in a browser on this machine; one line says where."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from ...core.hub import ensure_token, token_file
from ...core.texts import clean
from ..web.extra import missing
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .output import Output

MOST_TOLD = 300
"""Characters of a line that a screen's process leaves behind."""


async def serve(args: argparse.Namespace, hubs: Sequence[str], context: Context) -> int:
    """Serve the screen of these hubs, by address or name, until SIGTERM (exit code 0) or SIGINT (130).

    Raises:
        CommandFailed: a library is missing, or the port cannot be had.
    """
    if (why := missing()) is not None:
        raise CommandFailed("cli.web.missing", why=why)
    from ..web.server import DEFAULT_PORT, serving

    stopped: asyncio.Future[ExitCode] = asyncio.get_running_loop().create_future()
    for number, code in ((signal.SIGTERM, ExitCode.ANSWERS), (signal.SIGINT, ExitCode.INTERRUPTED)):
        asyncio.get_running_loop().add_signal_handler(number, _stop, stopped, code)
    place = str(token_file())
    try:
        with contextlib.redirect_stdout(_Told(context.output)):
            async with serving(
                _command(args, hubs, context),
                port=DEFAULT_PORT if args.web_port is None else args.web_port,
                token=ensure_token(),
                token_place=place,
                texts=context.texts,
            ) as address:
                if not context.output.is_terminal:  # a person is told in a sentence
                    context.output.result_json({"url": address, "hub": ", ".join(hubs)})
                    context.output.flush()
                context.note("cli.web.open", url=address, file=place)
                return await stopped
    except OSError as error:
        raise CommandFailed("cli.web.failed", why=error.strerror or str(error)) from None


def _stop(stopped: asyncio.Future[ExitCode], code: ExitCode) -> None:
    if not stopped.done():
        stopped.set_result(code)


def _command(args: argparse.Namespace, hubs: Sequence[str], context: Context) -> list[str]:
    """Return the program that each browser tab runs; a token file is named, a token never."""
    program = "import sys; from roundwatch.tui.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "watch", *hubs]
    if context.asked_for_locale:
        command += ["--locale", context.texts.locale]
    files: dict[str, Path | None] = {
        "--token-file": args.token_file,
        "--ca-file": args.ca_file,
        "--config": args.config,
    }
    for option, file in files.items():
        if file is not None:
            command += [option, str(file.resolve())]
    return [*command, "--live"] if args.live else command


class _Told(io.TextIOBase):
    """Takes what textual-serve prints of a screen's process, and tells it on stderr with nothing in it obeyed."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def write(self, text: str, /) -> int:
        for line in text.splitlines()[:20]:
            if line.strip():
                self._output.note(clean(line, limit=MOST_TOLD))
        return len(text)
