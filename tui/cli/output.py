"""Where a command writes: results to stdout, everything else to stderr, nothing that an encoding cannot take."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from ...core.texts.encoding import fit_encoding

if TYPE_CHECKING:
    from .console import Console

PIPE_COLUMNS = 10_000  # nobody's screen: a table in a file keeps every value whole
INVISIBLE = re.compile(r"[^\x20-\x7e]")  # in JSON text an escape says the same as the character
WEB_DRIVER = "textual.drivers.web_driver:WebDriver"
ASK_FOR_STYLE = ("FORCE_COLOR", "TTY_COMPATIBLE")
"""Variables by which rich takes what is no terminal for one."""
WIDEST = 100  # prose wider than this is hard to read on any terminal


class Output:
    """The two streams of a command."""

    def __init__(self, stdout: TextIO | None = None, stderr: TextIO | None = None) -> None:
        self.stdout = stdout if stdout is not None else sys.stdout
        self.stderr = stderr if stderr is not None else sys.stderr
        self._console: Console | None = None

    @property
    def is_terminal(self) -> bool:
        """Results go to a person's screen."""
        return self.stdout.isatty()

    @property
    def has_screen(self) -> bool:
        """The full screen can be shown: keys come in, and nothing that it draws on is redirected.

        Where a browser's tab runs this process, its streams are pipes to the server of that tab.
        """
        if os.environ.get("TEXTUAL_DRIVER") == WEB_DRIVER:
            return True
        ends = (sys.stdin, self.stdout, self.stderr)
        return (os.environ.get("TERM") or "dumb") != "dumb" and all(end is not None and end.isatty() for end in ends)

    @property
    def is_unicode(self) -> bool:
        """Results may hold marks and frames beyond ASCII."""
        return (self.stdout.encoding or "").lower().replace("-", "").startswith("utf")

    def result(self, text: str) -> None:
        """Write one line of results."""
        _write(self.stdout, text)

    def result_json(self, value: Mapping[str, object]) -> None:
        """Write one result as one line of JSON; ASCII only, so any encoding and any terminal may get it."""
        self.stdout.write(json.dumps(value, ensure_ascii=True, separators=(",", ":")) + "\n")

    def result_bytes(self, line: bytes) -> None:
        """Write one line of JSON as it was stored; to a screen without what a terminal obeys or an eye cannot see."""
        if self.is_terminal:
            self.stdout.write(INVISIBLE.sub(_json_escape, line.decode("utf-8", "replace")) + "\n")
        else:
            self.stdout.flush()
            self.stdout.buffer.write(line + b"\n")

    def note(self, text: str) -> None:
        """Write one line about the work itself."""
        _write(self.stderr, text)
        self.stderr.flush()

    @property
    def may_be_styled(self) -> bool:
        """A reader may see colours, which rich decides; in a pipe or a file that nobody asked it for, none does."""
        return self.is_terminal or any(os.environ.get(name) for name in ASK_FOR_STYLE)

    def styled(self, text: str, style: str) -> None:
        """Write one line of results with a style on top, where the reader's screen can show it."""
        if not self.may_be_styled:
            self.result(text)
            return
        from rich.text import Text

        self.console.print(Text(self.fitted(text), style=style), soft_wrap=True)

    @property
    def console(self) -> Console:
        """Styled results; loads rich at the first use, which honours NO_COLOR, FORCE_COLOR and TERM."""
        if self._console is None:
            from .console import Console

            self._console = Console(
                file=self.stdout,
                markup=False,
                emoji=False,
                highlight=False,
                width=None if self.is_terminal else PIPE_COLUMNS,
            )
        return self._console

    @property
    def prose_width(self) -> int:
        """Cells that a line of prose may take."""
        return min(self.console.width, WIDEST) if self.may_be_styled else WIDEST

    def fitted(self, text: str) -> str:
        """Return ``text`` such that stdout can write it."""
        return fit_encoding(text, self.stdout.encoding)

    def flush(self) -> None:
        """Hand everything to the reader; a reader that is gone is no error."""
        with contextlib.suppress(BrokenPipeError):
            self.stdout.flush()

    def abandon(self) -> None:
        """Let nothing more reach a stdout whose reader is gone, not even the interpreter's last flush."""
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stdout.fileno())


def _json_escape(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]


def _write(stream: TextIO, text: str) -> None:
    stream.write(fit_encoding(text, stream.encoding) + "\n")
