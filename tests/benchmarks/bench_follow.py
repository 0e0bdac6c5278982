"""Reading transcripts: MB/s of backfill, peak memory, and how soon a line that is written is stored, and painted.

``FOLLOW_MB`` says how many megabytes are written for it (200), ``FOLLOW_ONE_MB`` how large a single file is that is
read besides (0: none; 1100 shows that memory stays bounded). Against ccusage and claude-code-log where they can be
had: both read the same files for other purposes, so that this says what is usual, not what is alike.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from roundwatch.core.feeds.transcripts.follow import Follower
from roundwatch.core.feeds.transcripts.follow_file import Hubward
from roundwatch.core.feeds.transcripts.follow_places import given_places
from roundwatch.core.feeds.transcripts.follow_positions import Positions
from roundwatch.core.hub import Access, Hub, Identity, stored_events

from tests.benchmarks.pty_program import ROUNDWATCH, started
from tests.benchmarks.transcript_mix import write_claude, write_codex

MB = 1_000_000
SIZE_MB = int(os.environ.get("FOLLOW_MB", "200"))
ONE_MB = int(os.environ.get("FOLLOW_ONE_MB", "0"))
WRITES = 40
TOOLS = Path(".bench-venv")
RIVAL_S = 600
PARSE = """
import resource, sys, time
from pathlib import Path
from roundwatch.core.feeds.transcripts.follow_reader import BLOCK_BYTES, line_of
from roundwatch.core.feeds.transcripts.sources import parser
start, busy, events = time.perf_counter(), time.process_time(), 0
for path in sorted(Path(sys.argv[2]).rglob("*.jsonl")):
    reader = parser(sys.argv[1])
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            events += sum(bool(line_of(event)) for event in reader.feed(block))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(time.perf_counter() - start, time.process_time() - busy, peak, events)
"""


def parse(source: str, home: Path, size: int) -> float:
    """Print what reading everything takes, down to the lines that are published; return MB per CPU second."""
    done = subprocess.run([sys.executable, "-c", PARSE, source, str(home)], check=True, capture_output=True, text=True)
    seconds, busy, peak, events = map(float, done.stdout.split())
    rates = f"{size / MB / seconds:7.1f} MB/s   {size / MB / busy:7.1f} MB per CPU second"
    print(f"{source:<16} {rates}   {events / busy:9.0f} events/s   peak {peak:6.0f} MiB")
    return size / MB / busy


async def deliver(home: Path, size: int, folder: Path) -> None:
    """Print what it takes until everything is stored by a hub in this process, then how late single lines are."""
    store = folder / "hub.sqlite3"
    async with Hub(store, port=0, access=Access({"t": Identity("bench")})) as hub:
        where = Hubward(hub.url, "t", Positions(folder / "positions.json"))
        start = time.perf_counter()
        await Follower(given_places([home]), hub=where).run_once()
        rate = size / MB / (time.perf_counter() - start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{'into a hub':<16} {rate:7.1f} MB/s   peak {peak:6.0f} MiB with hub and store")
    await lateness(next(home.rglob("*.jsonl")).read_bytes().splitlines(keepends=True), folder)  # noqa: ASYNC240


async def lateness(lines: list[bytes], folder: Path) -> None:
    """Print how long after a line was written its event is in the store."""
    small, store = folder / "small", folder / "small.sqlite3"
    small.mkdir()
    path = small / "session.jsonl"
    path.write_bytes(b"".join(lines[:2]))
    late: list[float] = []
    async with Hub(store, port=0, access=Access({"t": Identity("bench")})) as hub:
        where = Hubward(hub.url, "t", Positions(folder / "small.json"))
        task = asyncio.create_task(Follower(given_places([small]), hub=where).run())
        await asyncio.sleep(3)
        for line in lines[2 : 2 + WRITES]:
            before, start = _last(store), time.perf_counter()
            with path.open("ab") as file:
                file.write(line)
            while _last(store) == before and time.perf_counter() - start < 2:  # noqa: ASYNC110 - a store sets no event
                await asyncio.sleep(0.005)
            if _last(store) != before:  # some lines tell nothing
                late.append(1000 * (time.perf_counter() - start))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    middle = statistics.median(late)
    print(f"line to store    {middle:7.0f} ms median, {max(late):.0f} ms at most, of {len(late)} lines")


def painting(folder: Path) -> None:
    """Print how long after a prompt was written ``roundwatch follow`` has painted it in a terminal of its own."""
    folder.mkdir()
    path, late = folder / "session.jsonl", list[float]()
    path.write_bytes(_prompt("painted-first", 0))
    with started(["-c", ROUNDWATCH, "follow", str(folder)]) as program:
        program.wait_for(b"painted-first")
        for number in range(1, WRITES + 1):
            since, words = program.place, f"painted-{number:03}"
            start = time.perf_counter()
            with path.open("ab") as file:
                file.write(_prompt(words, number))
            late.append(1000 * (program.wait_for(words.encode(), since) - start))
            time.sleep(0.037 * (number % 7))  # not in step with the looks at the file
    print(
        f"line to paint    {statistics.median(late):7.0f} ms median, {max(late):.0f} ms at most, of {len(late)} lines"
    )


def _prompt(text: str, number: int) -> bytes:
    """Return a record that begins a round, whose title the list shows."""
    ids = {"uuid": f"00000000-0000-4000-9000-{number:012}", "sessionId": "00000000-0000-4000-8000-000000000000"}
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    message = {"role": "user", "content": text}
    row = {"parentUuid": None, "isSidechain": False, **ids, "timestamp": at, "type": "user", "message": message}
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def _last(store: Path) -> int:
    return max((event.seq for event in stored_events(store)), default=0)


def rivals(home: Path, size: int, ours: float) -> None:
    """Print how long other readers of the same files take, or why they are left out."""
    for name, command in (("ccusage", _ccusage()), ("claude-code-log", _claude_code_log())):
        if command is None:
            print(f"{name} cannot be had here: left out")
            continue
        environment = {**os.environ, "CLAUDE_CONFIG_DIR": str(home), "HOME": str(home)}
        given = [*command, str(home / "projects" / "-bench")] if name == "claude-code-log" else command
        start, busy = time.perf_counter(), _children_cpu_s()
        try:
            code = subprocess.run(given, env=environment, capture_output=True, timeout=RIVAL_S, check=False).returncode
        except subprocess.TimeoutExpired:
            print(f"{name:<16} not done after {RIVAL_S} s: below {size / MB / RIVAL_S:.1f} MB/s")
            continue
        if code:
            print(f"{name} ended with code {code}: left out")
            continue
        rate, spent = size / MB / (time.perf_counter() - start), size / MB / (_children_cpu_s() - busy)
        print(f"{name:<16} {rate:7.1f} MB/s   {spent:7.1f} MB per CPU second; ours {ours / spent:.1f} times as many")


def _children_cpu_s() -> float:
    """What the programs that were run took; other work on the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ccusage() -> list[str] | None:
    npm = shutil.which("npm")
    where = TOOLS / "node"
    if npm is None:
        return None
    command = [
        npm,
        "install",
        "--silent",
        "--no-audit",
        "--no-fund",
        "--prefix",
        str(where),
        "ccusage@17",
    ]  # later ones are native programs, which not every machine gets
    program = where / "node_modules" / ".bin" / "ccusage"
    if not program.exists() and subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    return [str(program.absolute()), "daily", "--json", "--offline"] if program.exists() else None


def _claude_code_log() -> list[str] | None:
    where = TOOLS / "claude-code-log"
    program = where / "bin" / "claude-code-log"
    if not program.exists():
        made = subprocess.run([sys.executable, "-m", "venv", str(where)], capture_output=True, check=False)
        pip = [str(where / "bin" / "python"), "-m", "pip", "--quiet", "install", "claude-code-log"]
        if made.returncode or subprocess.run(pip, capture_output=True, check=False).returncode:
            return None
    return [str(program.absolute()), "--no-individual-sessions"] if program.exists() else None


def main() -> None:
    """Write the transcripts, then measure one after the other."""
    with tempfile.TemporaryDirectory(prefix="roundwatch-bench-") as name:
        folder = Path(name)
        claude, codex = folder / "claude", folder / "codex"
        size, codex_size = write_claude(claude, SIZE_MB * MB), write_codex(codex, SIZE_MB * MB // 4)
        print(f"{size / MB:.0f} MB of Claude Code, {codex_size / MB:.0f} MB of Codex")
        ours = parse("claude-code", claude, size)
        parse("codex", codex, codex_size)
        asyncio.run(deliver(claude, size, folder))
        painting(folder / "painted")
        rivals(claude, size, ours)
        if ONE_MB:
            one = write_claude(folder / "one", ONE_MB * MB, session_bytes=ONE_MB * MB)
            print(f"a single file of {one / MB:.0f} MB")
            parse("claude-code", folder / "one", one)


if __name__ == "__main__":
    main()
