"""The hub is killed again and again while four publishers send and one watcher follows; nothing may be lost."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from roundwatch.core.hub import Gap, Received, Unreadable, check_store, stored_events, watch
from roundwatch.core.rounds import Event, Ledger, classify, parse_event

SENDERS = 4
RATE = 500
"""Events a second of each sender."""
PATIENCE_S = 120.0
HUB = "from roundwatch.tui.cli import main; raise SystemExit(main())"


@dataclass
class Followed:
    """What the watcher got."""

    ledger: Ledger = field(default_factory=Ledger)
    seqs: int = 0
    faults: list[str] = field(default_factory=list[str])

    def take(self, event: Event, seq: int) -> None:
        if seq != self.seqs + 1:
            self.faults.append(f"seq {seq} after {self.seqs}")
        self.seqs = seq
        self.ledger.apply(event)


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    kills: int
    sent: int
    stored: int
    seconds: float
    faults: list[str]


async def run(folder: Path, kills: int, rate: int = RATE, seed: int = 7) -> Outcome:
    """Kill the hub ``kills`` times, then let everybody finish and compare. XDG_STATE_HOME has to be the test's own."""
    begin = time.monotonic()
    port, store = _free_port(), folder / "s.db"
    url = f"ws://127.0.0.1:{port}"
    hub = await _hub(port, store)
    senders = [await _sender(url, folder, f"s{number}", rate) for number in range(SENDERS)]
    followed = Followed()
    following = asyncio.create_task(_follow(url, followed))
    moments = random.Random(seed)
    for _ in range(kills):
        await asyncio.sleep(moments.uniform(0.05, 0.8))
        hub.send_signal(signal.SIGKILL)
        await hub.wait()
        hub = await _hub(port, store)
    told = await asyncio.gather(*(_finished(sender) for sender in senders))
    total = sum(each["sent"] for each in told)
    faults = [f"{each}" for each in told if each["sent"] != each["acknowledged"]]
    async with asyncio.timeout(PATIENCE_S):
        while followed.seqs < total and not following.done():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    hub.terminate()
    await hub.wait()
    faults += followed.faults + _compared(store, [each["sent"] for each in told], followed)
    return Outcome(kills, total, followed.seqs, time.monotonic() - begin, faults)


async def _hub(port: int, store: Path) -> Process:
    """Start a hub and wait until it listens."""
    hub = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HUB, "hub", "--port", str(port), "--store", str(store), stdout=PIPE, stderr=DEVNULL
    )
    assert hub.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        assert json.loads(await hub.stdout.readline())["store"] == str(store)
    return hub


async def _sender(url: str, folder: Path, name: str, rate: int) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.soak.sending", url, str(folder / name), name, str(rate), stdin=PIPE, stdout=PIPE
    )


async def _finished(sender: Process) -> dict[str, int]:
    async with asyncio.timeout(PATIENCE_S):
        out, _ = await sender.communicate(b"")
    told: dict[str, int] = json.loads(out.splitlines()[-1])
    return told


async def _follow(url: str, followed: Followed) -> None:
    async with watch(url, after="begin", rand=lambda: 0.05) as feed:
        async for item in feed:
            match item:
                case Received():
                    followed.take(item.event, item.seq)
                case Gap() | Unreadable():
                    followed.faults.append(repr(item))
                case _:
                    pass


def _compared(store: Path, sent: list[int], followed: Followed) -> list[str]:
    """Return where store, senders and watcher differ."""
    faults = check_store(store)
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    ledger = Ledger()
    for stored in stored_events(store):
        fields = json.loads(stored.line)
        numbers[fields["sender"]].append(fields["k"])
        ledger.apply(parse_event(stored.line))
    for number, count in enumerate(sent):
        if numbers[f"s{number}"] != list(range(count)):
            faults.append(f"s{number}: {count} sent, not exactly these are stored, once and in order")
    ours, theirs = (
        {round_.id: (classify(round_), round_.calls[:1] and round_.calls[0].text) for round_ in each.rounds.values()}
        for each in (ledger, followed.ledger)
    )
    if ours != theirs:
        faults.append("the watcher's ledger differs from the store's")
    return faults


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        outcome = asyncio.run(run(Path(folder), kills=100))
    print(
        f"{outcome.kills} kills, {outcome.sent:,} events sent by {SENDERS} publishers, {outcome.stored:,} watched, "
        f"{outcome.seconds:.0f} s; faults: {outcome.faults[:5] or 'none'}"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
