"""Runs the command line as a program of its own, as a shell does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

PROGRAM = (sys.executable, "-c", "from roundwatch.tui.cli import main; raise SystemExit(main())")
PATIENCE_S = 60.0
"""Generous: a loaded machine must not fail a test."""
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM")


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Its results, one JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**variables: str) -> dict[str, str]:
    """Return an environment in which nothing of the developer's own languages and colours counts."""
    kept = {name: value for name, value in os.environ.items() if name not in LOCALE_VARIABLES}
    return {**kept, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0", **variables}


def run(*arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
    """Run a command to its end."""
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env=environment() if env is None else dict(env),
        timeout=PATIENCE_S,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def start(*arguments: str | Path, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Start a command and return it running, its streams being pipes."""
    return subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        env=environment(),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    """Write events, one a line."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


@contextmanager
def running_hub(store: Path, *options: str) -> Generator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a hub on a free port and give its URL and process; it is ended at the end if it still runs."""
    with start("hub", "--port", "0", "--store", store, *options) as hub:
        try:
            assert hub.stdout is not None
            yield json.loads(hub.stdout.readline())["url"], hub
        finally:
            if hub.poll() is None:
                hub.terminate()
                hub.wait(PATIENCE_S)


def read_until(stream: IO[bytes] | None, text: str) -> str:
    """Read lines until one holds ``text``; return all of them. Fails when the stream ends first."""
    assert stream is not None
    seen = ""
    while text not in seen:
        line = stream.readline().decode()
        assert line, f"ended without {text!r} after: {seen}"
        seen += line
    return seen
