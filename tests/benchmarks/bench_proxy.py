"""The recording proxy, full capture into a hub, against mitmproxy writing flows, both against nothing in between."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import proxy_arms
from tests.benchmarks.paced_client import Load, Seen, run
from tests.benchmarks.proxy_arms import Arm

TURNS = 3  # each arm in turn; odd, so that the median is a run that happened
PACED = (
    ("1 stream, kept alive", Load(1, 50, 20, 4, kept_alive=True)),
    ("1 stream, fresh", Load(1, 50, 20, 4, kept_alive=False)),
    ("64 streams, kept alive", Load(64, 100, 20, 2, kept_alive=True)),
    ("64 streams, fresh", Load(64, 100, 20, 2, kept_alive=False)),
    ("200 streams, kept alive", Load(200, 40, 100, 1, kept_alive=True)),
)
BURST = Load(32, 20, 0, 4, kept_alive=True)
"""Streams that come as fast as they can: how many a second get through."""
CPU_OF = "64 streams, kept alive"


@dataclass(frozen=True)
class Measured:
    """One run of one arm."""

    seen: Seen
    cpu_s: float
    chunks: int

    @property
    def cpu_us(self) -> float:
        """Processor time of the proxy for each chunk."""
        return self.cpu_s * 1e6 / self.chunks

    @property
    def per_second(self) -> float:
        """Streams a second."""
        return self.seen.streams / self.seen.seconds


def measure(arm: Arm, load: Load) -> Measured:
    """Run a load once."""
    before = arm.cpu_s()
    seen = asyncio.run(run(arm.base, load))
    return Measured(seen, arm.cpu_s() - before, seen.streams * load.chunks)


def at(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def paced(name: str, load: Load, arms: Sequence[Arm]) -> None:
    """Print what each arm adds to the delays of paced streams."""
    runs: dict[str, list[Measured]] = {arm.name: [] for arm in arms}
    for _ in range(TURNS):
        for arm in arms:
            runs[arm.name].append(measure(arm, load))
    print(f"{name}, {1000 / load.pause_ms:.0f} chunks/s each")
    added: dict[str, dict[str, float]] = {}
    for arm in arms:
        figures = {
            "first byte": _row(runs[arm.name], lambda seen: seen.first_bytes),
            "per chunk": _row(runs[arm.name], lambda seen: seen.delays),
        }
        added[arm.name] = {what: median for what, (median, _) in figures.items()}
        cpu = statistics.median(one.cpu_us for one in runs[arm.name])
        shown = "   ".join(f"{what} {text}" for what, (_, text) in figures.items())
        print(f"  {arm.name:<11} {shown}" + (f"   CPU {cpu:6.1f} µs/chunk" if arm.pid else ""))
    _ratios(added)


def _row(runs: Sequence[Measured], values: Callable[[Seen], Sequence[float]]) -> tuple[float, str]:
    """Return the median of the runs' medians, and it with the 99th percentile and its spread as text."""
    p50 = statistics.median(at(values(one.seen), 0.5) for one in runs)
    p99 = sorted(at(values(one.seen), 0.99) for one in runs)
    return p50, f"p50 {p50:7.3f} ms, p99 {statistics.median(p99):7.2f} ms ({p99[0]:.2f} to {p99[-1]:.2f})"


def _ratios(medians: dict[str, dict[str, float]]) -> None:
    for what, base in medians["direct"].items():
        ours = medians["roundwatch"][what] - base
        line = f"  added to {what}: roundwatch {ours:.3f} ms"
        if "mitmproxy" in medians:
            theirs = medians["mitmproxy"][what] - base
            line += f", mitmproxy {theirs:.3f} ms, ratio {ours / theirs:.2f}"
        print(line)


def bursts(arms: Sequence[Arm]) -> None:
    """Print how many streams a second get through."""
    rates: dict[str, list[float]] = {arm.name: [] for arm in arms}
    for _ in range(TURNS):
        for arm in arms:
            rates[arm.name].append(measure(arm, BURST).per_second)
    print(f"{BURST.clients} clients, streams of {BURST.chunks} chunks without a pause, kept alive")
    for name, found in rates.items():
        print(f"  {name:<11} {statistics.median(found):7.0f} streams/s ({min(found):.0f} to {max(found):.0f})")
    if "mitmproxy" in rates:
        times = statistics.median(rates["roundwatch"]) / statistics.median(rates["mitmproxy"])
        print(f"  roundwatch / mitmproxy {times:.1f}")


def main() -> None:
    chosen = [row for row in PACED if len(sys.argv) < 2 or sys.argv[1] in row[0]]
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(proxy_arms.upstream())
        arms = [
            stack.enter_context(proxy_arms.direct(address)),
            stack.enter_context(proxy_arms.roundwatch(address, folder / "ours")),
        ]
        if proxy_arms.MITMDUMP.exists():
            arms.append(stack.enter_context(proxy_arms.mitmproxy(address, folder / "theirs")))
        else:
            print("mitmproxy is not installed in .bench-venv, so it is not measured: `make bench` installs it")
        for name, load in chosen:
            paced(name, load, arms)
        bursts(arms)


if __name__ == "__main__":
    main()
