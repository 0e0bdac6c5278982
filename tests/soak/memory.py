"""What a process takes, read from /proc; Linux alone can tell."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

EVERY_S = 0.1


def resident_mib(pid: int) -> float:
    """Return the resident memory of a process."""
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(row for row in rows if row.startswith("VmRSS")).split()[1]) / 1024


@dataclass
class Gauge:
    """The memory of a process over a time, while ``run`` is a task."""

    pid: int
    seen: list[float] = field(default_factory=list[float])

    async def run(self) -> None:
        """Look again and again until cancelled."""
        while True:
            self.seen.append(resident_mib(self.pid))
            await asyncio.sleep(EVERY_S)
