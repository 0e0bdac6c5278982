"""A real redis-server for one test: its own folder, a free port, durable unless the test wants otherwise."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, cast

from redis import Redis
from redis.exceptions import RedisError

START_S = 20.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RedisProcess:
    """``redis-server`` that can be killed, stopped for a while and started again on the same data."""

    def __init__(self, folder: Path, *, appendonly: str = "yes", appendfsync: str = "always") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(folder),
            "save": "",
            "appendonly": appendonly,
            "appendfsync": appendfsync,
            "logfile": str(folder / "redis.log"),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        words = [word for name, value in self._settings.items() for word in (f"--{name}", value)]
        self._process = subprocess.Popen(["redis-server", *words], stdout=subprocess.DEVNULL)
        until = time.monotonic() + START_S
        while True:
            try:
                with self.client() as client:
                    client.ping()
                return
            except RedisError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def client(self) -> Any:
        return cast("Any", Redis).from_url(self.url)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def freeze(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def _end(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(number)
            self._process.wait(timeout=START_S)
            self._process = None
