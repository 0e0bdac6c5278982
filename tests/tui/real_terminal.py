"""Runs the program in a pseudo-terminal of its own, with nothing between: every byte is kept and judged."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.tui.cli.command import PROGRAM, environment
from tests.tui.vt import StrictTerminal

PATIENCE_S = 60.0
"""A loaded machine starts slowly; nothing here measures speed."""
QUIET_S = 0.3
"""So long without a byte, a program has said what it had to say."""
LEADER = "import fcntl,os,sys,termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
"""Makes the terminal the controlling one of its session, then becomes the program."""


class RealTerminal:
    """A program, the terminal it runs in, and the keyboard before it."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], size: tuple[int, int], cwd: Path) -> None:
        """Start ``command`` on a terminal of ``size``, columns and rows."""
        self._ours, theirs = os.openpty()
        self._theirs = theirs
        self.screen = StrictTerminal(*size)
        self.raw = bytearray()
        self._decoder = codecs.getincrementaldecoder(env.get("ENCODING", "utf-8"))()
        self._set_size(*size)
        self.settings_before = termios.tcgetattr(theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-c", LEADER, *command],
            stdin=theirs, stdout=theirs, stderr=theirs, env=dict(env), cwd=cwd, start_new_session=True,
        )  # fmt: skip

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size; the kernel tells the program."""
        self.screen.resized(width, height)
        self._set_size(width, height)

    def press(self, keys: str | bytes) -> None:
        """Type."""
        os.write(self._ours, keys.encode() if isinstance(keys, str) else keys)

    def read(self, seconds: float) -> bytes:
        """Take in what comes within ``seconds``, at most one piece; empty when nothing came."""
        if not select.select([self._ours], [], [], seconds)[0]:
            return b""
        try:
            piece = os.read(self._ours, 1 << 16)
        except OSError:  # nobody has the other end open
            return b""
        self.raw += piece
        self.screen.feed(self._decoder.decode(piece))
        return piece

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Read until ``holds``."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            gone = self.process.poll() is not None and not self.read(0.05)
            if gone and holds():
                return
            is_late = gone or time.monotonic() > end
            assert not is_late, f"{what} never came:\n{self.screen.shown}"
            self.read(0.05)

    def wait_for(self, words: str) -> str:
        """Read until ``words`` stand on the screen; return all that does."""
        self.wait_until(lambda: words in self.screen.shown, repr(words))
        return self.screen.shown

    def settle(self) -> str:
        """Read until nothing comes for a moment; return what stands on the screen then."""
        end = time.monotonic() + PATIENCE_S
        while self.read(QUIET_S):
            assert time.monotonic() < end, "it never comes to rest"
        return self.screen.shown

    def keep_reading(self, seconds: float) -> int:
        """Read for so long; return how many bytes came."""
        before, end = len(self.raw), time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)
        return len(self.raw) - before

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)

    def wait_end(self) -> int:
        """Read until the program has ended; return its exit code."""
        self.wait_until(lambda: self.process.poll() is not None, "the end")
        while self.read(0.05):
            pass
        return self.process.returncode

    def hang_up(self) -> None:
        """Close the terminal, as its window does."""
        os.close(self._theirs)
        os.close(self._ours)
        self._ours = self._theirs = -1

    @property
    def left_behind(self) -> list[str]:
        """What the program should have put back: modes, and the line settings."""
        changed = termios.tcgetattr(self._theirs) != self.settings_before
        return self.screen.left_behind + (["the line settings are changed"] if changed else [])

    def close(self) -> None:
        """End what still runs."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self._ours >= 0:
            self.hang_up()


@contextmanager
def real_terminal(
    *arguments: str | Path,
    home: Path,
    size: tuple[int, int] = (120, 40),
    program: Sequence[str] = PROGRAM,
    variables: Mapping[str, str] = {},
) -> Generator[RealTerminal]:
    """Run the program with ``arguments``; ``home`` is where it finds and keeps its own files."""
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("STATE", "CONFIG", "DATA", "CACHE")}
    env = environment(**{"TERM": "xterm-256color", "HOME": str(home), "TZ": "UTC", **own, **variables})
    terminal = RealTerminal([*program, *map(str, arguments)], env, size, home)
    try:
        yield terminal
    finally:
        terminal.close()
