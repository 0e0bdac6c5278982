"""``follow`` as a person runs it: shown, published to a hub, listed."""

from __future__ import annotations

import contextlib
import json
import signal
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from roundwatch.core.hub import stored_events

from tests.core.feeds.transcripts.foreign_records import PI_HEAD, lines, pi_answer, pi_prompt

from .command import PATIENCE_S, Done, environment, read_until, run, running_hub, start

SESSION = lines(PI_HEAD, pi_prompt("How many?"), pi_answer("Three."))


def texts(store: Path) -> list[str]:
    events = [json.loads(event.line) for event in stored_events(store)]
    return [event["text"] for event in events if event["type"] == "call.output"]


def test_a_file_is_told_in_plain_lines_by_a_hub_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(SESSION)
    env = environment(XDG_STATE_HOME=str(tmp_path / "state"))
    first = run("follow", "--once", tmp_path / "s.jsonl", env=env)
    assert first.code == 0, first.err
    assert "pi-1" in first.out
    assert "Answer" in first.out
    again = run("follow", "--once", "--locale", "de", tmp_path / "s.jsonl", env=env)
    assert "Antwort" in again.out
    assert "1 Mitschrift verfolgt" in again.err
    assert texts(tmp_path / "state" / "roundwatch" / "rounds.sqlite3") == ["Three."]


def test_transcripts_go_to_another_hub_and_what_is_added_follows_until_a_signal(tmp_path: Path) -> None:
    path, store = tmp_path / "s.jsonl", tmp_path / "hub.sqlite3"
    path.write_bytes(SESSION)
    with running_hub(store) as (url, _), start("follow", path, "--to", url) as following:
        try:
            read_until(following.stderr, "publishing")
            wait_for(store, 1)
            with path.open("ab") as file:
                file.write(lines(pi_prompt("And now?"), pi_answer("Four.")))
            wait_for(store, 2)
            following.send_signal(signal.SIGTERM)
            assert following.wait(PATIENCE_S) == 0
        finally:
            following.kill()
        assert texts(store) == ["Three.", "Four."]


def wait_for(store: Path, count: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while not store.exists() or len(texts(store)) < count:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_agents_own_places_are_found(tmp_path: Path) -> None:
    folder = tmp_path / ".pi" / "agent" / "sessions"
    folder.mkdir(parents=True)
    (folder / "s.jsonl").write_bytes(SESSION)
    env = environment(HOME=str(tmp_path))
    listed = run("follow", "--list", env=env)
    assert (listed.code, listed.out.split()[0]) == (0, "pi")
    assert str(folder / "s.jsonl") in listed.out
    nothing = run("follow", "--list", "--source", "codex", env=env)
    assert (nothing.code, nothing.out) == (0, "")
    assert "no transcripts found" in nothing.err
    assert ".codex" in nothing.err


def test_wrong_usage_is_told_in_one_line(tmp_path: Path) -> None:
    assert "there is no" in (missing := run("follow", tmp_path / "none.jsonl")).err
    assert missing.code == 2
    assert "neither a span" in run("follow", "--since", "soon").err
    assert "nobody listens" in run("follow", "--once", "--to", "ws://127.0.0.1:9", tmp_path).err


@pytest.mark.parametrize("elsewhere", [False, True])
def test_given_files_that_are_no_transcripts_cannot_be_used(elsewhere: bool, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text('{"type": "round.started", "round": "r1"}\n')
    with usual_hub(tmp_path) as once:
        done = once(*(("--to", "default") if elsewhere else ()), file)

    assert done.code == 2
    assert "nothing that was given is a transcript" in done.err


def test_only_what_was_followed_is_told_of_a_hub_that_keeps_more(tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").write_bytes(lines({**PI_HEAD, "id": "pi-old"}, pi_prompt("Before?"), pi_answer("Yes.")))
    (tmp_path / "s.jsonl").write_bytes(SESSION)
    with usual_hub(tmp_path) as once:
        assert "pi-old" in once(tmp_path / "old.jsonl").out
        for _ in range(2):
            done = once(tmp_path / "s.jsonl")
            assert "pi-1" in done.out
            assert "pi-old" not in done.out


def test_why_something_cannot_be_read_is_said_in_the_readers_language(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(SESSION + b"{broken}\n[]\n")
    (tmp_path / "t.jsonl").write_bytes(b"{}\n")
    with usual_hub(tmp_path) as once:
        done = once("--locale", "de", tmp_path / "s.jsonl", tmp_path / "t.jsonl")
    assert "Zeile 4, Byte" in done.err
    assert "kein JSON („" in done.err
    assert "kein JSON-Objekt" in done.err
    assert "keine Mitschrift in einem bekannten Format" in done.err
    assert "2 Zeilen" in done.err


@contextlib.contextmanager
def usual_hub(folder: Path) -> Generator[Callable[..., Done]]:
    """Run a hub that commands use where none is named, and yield what follows files once."""
    with running_hub(folder / "hub.sqlite3") as (url, _):
        config = folder / "config.toml"
        config.write_text(f'[hubs.default]\nurl = "{url}"\n')
        yield lambda *arguments: run("follow", "--once", "--config", config, *arguments)
