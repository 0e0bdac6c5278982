from __future__ import annotations

import signal
from pathlib import Path

from tests.tui.cli.command import PATIENCE_S, read_until, run, running_hub, start, write_lines
from tests.tui.cli.recorded import answer, cut, open_round, recording


def test_each_round_is_reported_as_it_ends(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3") as (url, _), start("watch", url) as watching:
        read_until(watching.stderr, "live")
        run("publish", write_lines(tmp_path / "a.jsonl", open_round("open") + cut("cut")), "--to", url)
        seen = read_until(watching.stdout, "The record says")
        watching.send_signal(signal.SIGINT)

        assert watching.wait(PATIENCE_S) == 130
    assert "✂ cut" in seen
    assert "open" not in seen


def test_late_news_about_a_round_are_told_again(tmp_path: Path) -> None:
    late = recording("r1", [{"type": "tool.requested", "call": "c1", "tool_call": "t", "name": "x", "arguments": "{}"}])
    with running_hub(tmp_path / "s.sqlite3") as (url, _), start("watch", url) as watching:
        read_until(watching.stderr, "live")
        run("publish", write_lines(tmp_path / "a.jsonl", answer()), "--to", url)
        read_until(watching.stdout, "Answer")
        run("publish", write_lines(tmp_path / "b.jsonl", late), "--to", url)

        read_until(watching.stderr, "late news about the round r1")
        read_until(watching.stdout, "… r1")
        watching.kill()


def test_only_what_happens_from_now_on(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3") as (url, _):
        run("publish", write_lines(tmp_path / "a.jsonl", answer("before")), "--to", url)
        with start("watch", "--live", url) as watching:
            read_until(watching.stderr, "live")
            run("publish", write_lines(tmp_path / "b.jsonl", answer("after")), "--to", url)
            seen = read_until(watching.stdout, "after")
            watching.kill()

    assert "before" not in seen


def test_a_hub_is_found_by_its_configured_name(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    with running_hub(tmp_path / "s.sqlite3") as (url, _):
        config.write_text(f'[hubs.work]\nurl = "{url}"\n')
        with start("watch", "work", "--config", config) as watching:
            read_until(watching.stderr, "live")
            watching.kill()


def test_a_hub_that_will_not_have_us_ends_it(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("wrong-token\n")
    token.chmod(0o600)
    with running_hub(tmp_path / "s.sqlite3") as (url, _):
        done = run("watch", url, "--token-file", token)

    assert done.code == 2
    assert "not authorised" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_a_token_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("token\n")
    token.chmod(0o644)

    done = run("watch", "ws://127.0.0.1:1", "--token-file", token)

    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert str(token) in done.err
