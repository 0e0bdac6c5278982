from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from roundwatch.core.feeds import ports as proxy_ports
from roundwatch.core.hub import limits as hub_limits
from roundwatch.tui.web import server as web_server
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.tui.cli.command import PATIENCE_S, environment, run, running_hub
from tests.tui.web.page import serving_page


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_and_every_open_screen(number: signal.Signals, code: int, tmp_path: Path) -> None:
    with serving_page(tmp_path / "s.sqlite3") as page:
        url = page.origin.replace("http", "ws") + "/ws"
        headers = {"Cookie": page.cookie()}
        with connect(url, origin=Origin(page.origin), additional_headers=headers, compression=None) as opened:
            opened.recv(PATIENCE_S)
            (screen,) = children(page.process.pid)
            page.process.send_signal(number)
            assert page.process.wait(PATIENCE_S) == code
        assert page.process.stderr is not None
        assert b"Traceback" not in page.process.stderr.read()
        for _ in range(600):
            if not Path(f"/proc/{screen}").exists():
                break
            signal.sigtimedwait([], 0.1)
        assert not Path(f"/proc/{screen}").exists()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    told = Path(f"/proc/{pid}/task/{pid}/children")
    if not told.exists():
        pytest.skip("this system does not tell a process's children")
    return [int(child) for child in told.read_text().split()]


def test_a_port_in_use_is_told_with_what_to_do(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3") as (hub, _), socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("watch", hub, "--web", "--web-port", str(taken.getsockname()[1]))
    assert (done.code, done.out) == (2, "")
    assert "--web-port" in done.err
    assert "Traceback" not in done.err


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['aiohttp'] = None; sys.modules['textual_serve'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name in ('aiohttp', 'textual_serve') else find(name, *rest)\n"
        "from roundwatch.tui.cli import main; raise SystemExit(main(sys.argv[1:]))"
    )
    with running_hub(tmp_path / "s.sqlite3") as (hub, _):
        command = [sys.executable, "-c", code, "watch", hub, "--web", "--web-port", "0"]
        done = subprocess.run(
            command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    assert done.returncode == 2
    assert "pip install 'roundwatch[web]'" in done.stderr
    assert "aiohttp and textual_serve" in done.stderr


def test_by_default_the_page_the_proxy_and_the_hub_can_run_side_by_side() -> None:
    assert len({hub_limits.DEFAULT_PORT, proxy_ports.DEFAULT_PORT, web_server.DEFAULT_PORT}) == 3
