from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.tui.cli.command import PATIENCE_S, run, running_hub, start, write_lines
from tests.tui.cli.recorded import answer


def test_the_first_line_says_where_it_listens_and_asks_for_a_token(tmp_path: Path) -> None:
    with start("hub", "--port", "0", "--store", tmp_path / "s.sqlite3") as hub:
        assert hub.stdout is not None
        said = json.loads(hub.stdout.readline())
        hub.terminate()

        assert said["url"].startswith("ws://127.0.0.1:")
        assert said["store"] == str(tmp_path / "s.sqlite3")
        assert said["asks_for_token"] is True
        assert hub.stdout.read() == b""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_in_good_order(number: signal.Signals, code: int, tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite3"
    with running_hub(store) as (url, hub):
        run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url)
        hub.send_signal(number)

        assert hub.wait(PATIENCE_S) == code
        assert hub.stderr is not None
        assert b"Traceback" not in hub.stderr.read()
    assert run("rounds", "show", "r1", "--store", store).code == 0


def test_a_second_hub_on_the_same_store_is_refused_in_one_line(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3"):
        done = run("hub", "--port", "0", "--store", tmp_path / "s.sqlite3")

    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "s.sqlite3" in done.err


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    with running_hub(tmp_path / "a.sqlite3") as (url, _):
        port = url.rpartition(":")[2]
        done = run("hub", "--port", port, "--store", tmp_path / "b.sqlite3")

    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert port in done.err


def test_it_does_not_listen_to_other_machines(tmp_path: Path) -> None:
    done = run("hub", "--host", "0.0.0.0", "--store", tmp_path / "s.sqlite3")

    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_without_a_token_it_warns(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3", "--no-auth") as (_, hub):
        assert hub.stderr is not None
        assert b"asks for no token" in hub.stderr.readline()
