"""The way to a real terminal: whatever ends the program, the terminal is handed back as it was, and soon.

Textual's own driver knows neither a signal that ends the program nor a terminal that is closed or reads no more.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
import termios
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver

from .ending import end_for_certain

if TYPE_CHECKING:
    from textual.app import App

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
SIGNALLED = 128
"""An exit code says by this much more which signal ended a program, as shells have it."""
RESET = (
    "\x1b[?2026l\x1b[?2048l\x1b[?2004l\x1b[?7h\x1b[?1016l\x1b[?1015l\x1b[?1006l\x1b[?1003l\x1b[?1000l\x1b[?1004l"
    "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[23;2t"
)
"""Takes back, with no help from anything that may hang, whatever Textual and we set."""


class PatientFile:
    """A terminal's file for the thread that writes: a terminal that is gone is told once, and no error."""

    def __init__(self, file: TextIO, gone: Callable[[], None]) -> None:
        """Write into ``file``; call ``gone``, from any thread, when nobody has the terminal open any more."""
        self._file = file
        self._gone = gone
        self._is_gone = False

    def write(self, text: str) -> None:
        """Write all of it, unless the terminal is gone."""
        raw: object = getattr(self._file, "buffer", None)
        if isinstance(raw, io.RawIOBase):
            self._try(lambda: self._write_raw(raw, text))
        else:
            self._try(lambda: self._file.write(text))

    def _write_raw(self, raw: io.RawIOBase, text: str) -> None:
        """Write piece by piece: without a buffer (PYTHONUNBUFFERED) Python drops what a signal kept a write from."""
        left = memoryview(text.encode(self._file.encoding, self._file.errors or "strict"))
        while left:
            written = raw.write(left)
            if written is None:
                raise BlockingIOError("the terminal does not wait any more")
            left = left[written:]

    def flush(self) -> None:
        """Flush, unless the terminal is gone."""
        self._try(self._file.flush)

    def fileno(self) -> int:
        """Return the file's number."""
        return self._file.fileno()

    def _try(self, act: Callable[[], object]) -> None:
        if self._is_gone:
            return
        try:
            act()
        except (OSError, ValueError):
            self._is_gone = True
            self._gone()


class TerminalDriver(LinuxDriver):
    """Ends the app on a signal, or when its terminal is closed, and leaves no terminal behind in pieces."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        """Draw ``app`` on the terminal."""
        super().__init__(app, debug=debug, mouse=mouse, size=size)  # pyright: ignore[reportUnknownMemberType]
        self._terminal = cast("TextIO", self._file)
        self._file = cast("Any", PatientFile(self._terminal, self._terminal_gone))
        self._loop = asyncio.get_running_loop()
        self._ending = False
        self._has_terminal = False
        self._settings: list[Any] | None = None

    def start_application_mode(self) -> None:
        """Take the terminal over, and with it what ends a program."""
        if self._settings is None:
            with contextlib.suppress(termios.error):
                self._settings = termios.tcgetattr(self.fileno)
        for number in ENDING_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup, or a shell's background job, means it
                signal.signal(number, self._signalled)
        self._has_terminal = True
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        super().stop_application_mode()
        self._has_terminal = False

    def run_input_thread(self) -> None:
        """Read keys until the app ends, or the terminal does."""
        try:
            super().run_input_thread()
        except OSError:  # nobody has the other end open
            self._terminal_gone()

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self._end(SIGNALLED + number)

    def _terminal_gone(self) -> None:
        self._end(SIGNALLED + signal.SIGHUP)

    def _end(self, code: int) -> None:
        """End the app, from any thread; whatever hangs is not waited for."""
        if self._ending:
            return
        self._ending = True
        end_for_certain(code, restore=self._restore)
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(lambda: self._app.exit(return_code=code))

    def _restore(self) -> None:
        """Give the terminal back without waiting for anything."""
        if not self._has_terminal:
            return
        with contextlib.suppress(OSError, ValueError):
            os.set_blocking(self.fileno, False)
            os.write(self._terminal.fileno(), RESET.encode())
        if self._settings is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._settings)
        with contextlib.suppress(OSError, ValueError):
            os.set_blocking(self.fileno, True)
