"""Hubs and publishers as processes of their own, started, asked and ended."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterable
from pathlib import Path

SENDERS = 4
RATE = 500
"""Events a second of each sender."""
PATIENCE_S = 120.0


async def start_hub(port: int, store: Path | str) -> Process:
    """Start a hub on a SQLite file or a Redis address, and wait until it listens."""
    hub = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.soak.hub_process", str(port), str(store), stdout=PIPE, stderr=DEVNULL
    )
    assert hub.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        assert json.loads(await hub.stdout.readline())["listens"]
    return hub


async def end(hub: Process) -> None:
    """Stop it in good order."""
    hub.terminate()
    await hub.wait()


async def start_sender(url: str, folder: Path, name: str, rate: int = RATE, *, life: int = 0) -> Process:
    """Start a publisher with its spool in ``folder``; its events bear ``name``, and ``life`` where that is not 0."""
    words = [url, str(folder / name), name, str(rate), str(life)]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.soak.sending", *words, stdin=PIPE, stdout=PIPE
    )


async def finished(sender: Process) -> dict[str, int]:
    """Let a publisher stop publishing, deliver everything, and say how much that was."""
    async with asyncio.timeout(PATIENCE_S):
        out, _ = await sender.communicate(b"")
    told: dict[str, int] = json.loads(out.splitlines()[-1])
    return told


async def all_finished(senders: Iterable[Process]) -> tuple[dict[str, int], list[str]]:
    """Return how much each of ``s0``, ``s1``, … had sent, and who had not everything acknowledged."""
    told = await asyncio.gather(*(finished(sender) for sender in senders))
    faults = [f"s{number}: {each}" for number, each in enumerate(told) if each["sent"] != each["acknowledged"]]
    return {f"s{number}": each["sent"] for number, each in enumerate(told)}, faults


def free_port() -> int:
    """Return a port that is free just now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
