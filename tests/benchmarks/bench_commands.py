"""Small commands as whole processes, against a process that only imports ``textual.app``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.pty_program import ROUNDWATCH, environment
from tests.benchmarks.spread import told

PAIRS = 15
WARM_UP = 2
"""Runs that do not count: the first one compiles the modules."""
SAMPLE = Path(__file__).parents[2] / "docs" / "events.jsonl"
IMPORTS_TEXTUAL = ("-c", "import textual.app")
VERSION_TARGET, CLASSIFY_TARGET = 0.15, 0.9


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="roundwatch-bench-") as home:
        env = environment(Path(home))
        _against_textual("--version / import textual.app", ("--version",), env, VERSION_TARGET)
        _against_textual("classify a small file / import textual.app", ("classify", str(SAMPLE)), env, CLASSIFY_TARGET)
        _against_textual("the same as JSON", ("classify", "--json", str(SAMPLE)), env, CLASSIFY_TARGET)
        _against_textual("python -c pass, the floor", None, env, None)


def _against_textual(name: str, arguments: Sequence[str] | None, env: dict[str, str], target: float | None) -> None:
    command = ("-c", "pass") if arguments is None else ("-c", ROUNDWATCH, *arguments)
    pairs = [(_run_ms(command, env), _run_ms(IMPORTS_TEXTUAL, env)) for _ in range(WARM_UP + PAIRS)][WARM_UP:]
    told(name, [ours for ours, _ in pairs], [base for _, base in pairs], "ms", target=target)


def _run_ms(arguments: Sequence[str], env: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=env, capture_output=True, check=False)
    return (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
