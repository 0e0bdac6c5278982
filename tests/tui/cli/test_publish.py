from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.tui.cli.command import PATIENCE_S, run, running_hub, start, write_lines
from tests.tui.cli.recorded import answer, cut


def test_a_file_sent_twice_is_stored_once(tmp_path: Path) -> None:
    store, file = tmp_path / "s.sqlite3", write_lines(tmp_path / "e.jsonl", answer() + cut())
    with running_hub(store) as (url, _):
        first = run("publish", file, "--to", url)
        second = run("publish", file, "--to", url)

    assert (first.code, second.code, first.out) == (0, 0, "")
    stored = run("rounds", "export", "--store", store).objects
    assert [event["type"] for event in stored] == [event["type"] for event in answer() + cut()]


def test_bad_lines_are_told_and_the_rest_is_stored(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    file.write_text("garbage\n" + "".join(json.dumps(line) + "\n" for line in answer()))
    with running_hub(tmp_path / "s.sqlite3") as (url, _):
        done = run("publish", file, "--to", url)

    assert done.code == 1
    assert "line 1: not JSON" in done.err
    assert run("rounds", "show", "r1", "--store", tmp_path / "s.sqlite3").code == 0


def test_lines_from_a_pipe_are_sent_as_they_come(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3") as (url, _), start("watch", url) as watching:
        with start("publish", "-", "--to", url, stdin=subprocess.PIPE) as sending:
            assert sending.stdin is not None
            for line in answer("piped"):
                sending.stdin.write(json.dumps(line).encode() + b"\n")
            sending.stdin.flush()
            assert watching.stdout is not None
            seen = watching.stdout.readline().decode()  # while the pipe is still open
            sending.stdin.close()
            sending.stdin = None
            assert sending.wait(PATIENCE_S) == 0
        watching.kill()

    assert "piped" in seen


def test_nobody_there_is_told_in_one_line(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3") as (url, hub):
        hub.kill()
        hub.wait(PATIENCE_S)

        for source in (write_lines(tmp_path / "e.jsonl", answer()), "-"):
            done = run("publish", source, "--to", url)
            assert (done.code, len(done.err.splitlines())) == (2, 1)
            assert "nobody listens" in done.err


def test_a_wrong_token_is_told(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("wrong-token\n")
    token.chmod(0o600)
    with running_hub(tmp_path / "s.sqlite3") as (url, _):
        done = run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url, "--token-file", token)

    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "not authorised" in done.err
    assert "--token-file" in done.err
    assert "wrong-token" not in done.err


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").touch()
    with running_hub(tmp_path / "s.sqlite3") as (url, _):
        done = run("publish", tmp_path / "e.jsonl", "--to", url)

    assert (done.code, "is empty" in done.err) == (2, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_read_once_and_all_of_it_is_stored(tmp_path: Path) -> None:
    store, pipe = tmp_path / "s.sqlite3", tmp_path / "pipe"
    os.mkfifo(pipe)
    with running_hub(store) as (url, _), start("publish", pipe, "--to", url) as sending:
        write_lines(pipe, answer("piped"))
        assert sending.wait(PATIENCE_S) == 0

    assert len(run("rounds", "export", "--store", store).objects) == len(answer("piped"))


@pytest.mark.parametrize("url", ["http://me:s3cret@127.0.0.1:9", "ws://127.0.0.1:9/?token=s3cret", "ws://h:s3cret/"])
def test_a_wrong_address_is_told_without_the_secret_in_it(tmp_path: Path, url: str) -> None:
    done = run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "s3cret" not in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--to", "ws://"), "sie hat die Form ws://rechner:port"),
        (("--to", "ws://127.0.0.1:1?token=s3cret"), "ein Token gehört in eine Datei"),
        (("--to", "ws://me:s3cret@127.0.0.1:1"), "ein Token gehört in eine Datei"),
        (("--to", "ws://127.0.0.1:1/s3cret"), "sie hat keinen Pfad"),
        (("--to", "wss://127.0.0.1:1", "--ca-file", "/nowhere/ca.pem"), "/nowhere/ca.pem ist nicht lesbar"),
    ],
)
def test_a_wrong_address_or_authority_is_told_in_german_and_quotes_no_secret(
    options: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = run("--locale", "de", "publish", write_lines(tmp_path / "e.jsonl", answer()), *options)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert said in done.err
    assert "s3cret" not in done.err
