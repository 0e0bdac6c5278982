"""What the proxy is measured against: nothing in between, and mitmproxy writing its flows to a file."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

MITMDUMP = Path(__file__).parents[2] / ".bench-venv" / "bin" / "mitmdump"
START_S = 30.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Arm:
    """A running way to the upstream."""

    name: str
    base: str
    pid: int | None

    def cpu_s(self) -> float:
        """Return the processor time that its process has taken so far; of nothing in between, none."""
        if self.pid is None:
            return 0.0
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


@contextlib.contextmanager
def _process(*command: str, env: dict[str, str] | None = None) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **(env or {})}
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def _first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"a process of the measurement ended with code {process.wait()}")
    return line


@contextlib.contextmanager
def upstream() -> Generator[str]:
    """Run the paced provider; give its address."""
    with _process(sys.executable, "-m", "tests.benchmarks.paced_upstream") as process:
        yield f"http://127.0.0.1:{int(_first_line(process))}"


@contextlib.contextmanager
def direct(address: str) -> Generator[Arm]:
    """Give the way without anything in between."""
    yield Arm("direct", address, None)


@contextlib.contextmanager
def roundwatch(address: str, folder: Path) -> Generator[Arm]:
    """Run the proxy with full capture, publishing to a hub that stores everything."""
    env = {"XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "LC_ALL": "C"}
    command = str(Path(sys.executable).parent / "roundwatch")
    with _process(command, "hub", "--port", "0", env=env) as hub:
        to = json.loads(_first_line(hub))["url"]
        options = ("--to", to, "--port", "0", "--capture", "full", "--upstream", f"up={address}")
        with _process(command, "proxy", *options, env=env) as proxy:
            yield Arm("roundwatch", json.loads(_first_line(proxy))["url"] + "/up", proxy.pid)


@contextlib.contextmanager
def mitmproxy(address: str, folder: Path) -> Generator[Arm]:
    """Run mitmdump as it records streams: bodies passed on at once, and stored."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (
        str(MITMDUMP), "--quiet", "--mode", f"reverse:{address}", "--listen-host", "127.0.0.1",
        "--listen-port", str(port), "--set", "stream_large_bodies=1", "--set", "store_streamed_bodies=true",
        "--set", f"confdir={folder}", "--save-stream-file", str(folder / "flows"),
    )  # fmt: skip
    with _process(*command) as process:
        deadline = time.monotonic() + START_S
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("mitmproxy does not start")
            time.sleep(0.1)
        yield Arm("mitmproxy", f"http://127.0.0.1:{port}", process.pid)
