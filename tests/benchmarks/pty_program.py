"""A program in a pseudo-terminal of its own: every byte it paints with the moment it came, and what it costs."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

SIZE = (120, 40)
PATIENCE_S = 120.0
"""Longer than anything here takes on a busy machine; then a measurement has failed."""
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
LEADER = "import fcntl,os,sys,termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes the terminal the controlling one of its session, then becomes the program."""


class PtyProgram:
    """Started at once; a thread reads all the time, so the program never waits for its terminal."""

    def __init__(self, command: Sequence[str], env: dict[str, str]) -> None:
        """Run ``command``; its first word is an absolute path."""
        self._ours, theirs = os.openpty()
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", LEADER, *command],
            stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.painted = bytearray()
        self._pieces: list[tuple[int, float]] = []
        """Where each piece ends, and when it came."""
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                select.select([self._ours], [], [])
                piece = os.read(self._ours, 1 << 16)
            except (OSError, ValueError):
                piece = b""
            with self._news:
                self.painted += piece
                self._pieces.append((len(self.painted), time.perf_counter()))
                self._news.notify_all()
            if not piece:
                return

    def press(self, key: str) -> float:
        """Type; returns the moment of it."""
        moment = time.perf_counter()
        os.write(self._ours, key.encode())
        return moment

    @property
    def place(self) -> int:
        """How many bytes have been painted so far."""
        with self._news:
            return len(self.painted)

    def wait_for(self, words: bytes, since: int = 0) -> float:
        """Return the moment at which ``words`` had been painted.

        Args:
            since: bytes before this place do not count.
        """
        end, seen = time.perf_counter() + PATIENCE_S, since
        with self._news:
            while (found := self.painted.find(words, seen)) < 0:
                seen = max(since, len(self.painted) - len(words))
                if not self._reader.is_alive() or not self._news.wait(max(0.0, end - time.perf_counter())):
                    raise TimeoutError(f"{words!r} was never painted; the last bytes: {bytes(self.painted[-2000:])!r}")
            ends = found + len(words)
            return next(moment for place, moment in self._pieces if place >= ends)

    def wait_news(self, since: int) -> int:
        """Wait until more than ``since`` bytes have been painted; return how many there are."""
        with self._news:
            if not self._news.wait_for(lambda: len(self.painted) > since, PATIENCE_S):
                raise TimeoutError("nothing more was painted")
            return len(self.painted)

    @property
    def cpu_s(self) -> float:
        """Processor seconds that the program has used, in user and in kernel mode."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S

    @property
    def resident_bytes(self) -> int:
        """Memory that the program holds."""
        return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * PAGE_BYTES

    def close(self) -> None:
        """End it."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(PATIENCE_S)
        os.close(self._ours)


ROUNDWATCH = "import sys; from roundwatch.tui.cli import main; sys.exit(main())"
BARE = Path(__file__).with_name("bare_textual.py")


@contextmanager
def started(command: Sequence[str]) -> Generator[PtyProgram]:
    """Run a Python program, its bytecode kept as an installed program's is, away from the operator's own files."""
    with tempfile.TemporaryDirectory(prefix="roundwatch-bench-") as home:
        program = PtyProgram([sys.executable, *command], environment(Path(home)))
        try:
            yield program
        finally:
            program.close()


def environment(home: Path) -> dict[str, str]:
    """Return what a program runs with: a colour terminal, English, its own folders."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("STATE", "CONFIG", "DATA", "CACHE")}
    cache = Path(tempfile.gettempdir()) / f"roundwatch-bench-bytecode-{os.getuid()}"
    return {
        **kept, **own, "HOME": str(home), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC",
        "PYTHONPYCACHEPREFIX": str(cache),
    }  # fmt: skip


@contextmanager
def watching(url: str) -> Generator[PtyProgram]:
    """Run ``roundwatch watch`` on a hub that takes any token."""
    with started(["-c", ROUNDWATCH, "watch", url]) as program:
        yield program


@contextmanager
def bare_textual() -> Generator[PtyProgram]:
    """Run the least Textual app that paints and answers a key."""
    with started([str(BARE)]) as program:
        yield program
