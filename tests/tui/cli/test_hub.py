from __future__ import annotations

import json
import signal
import socket
import ssl
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme

from tests.core.hub.redis_process import RedisProcess
from tests.tui.cli.command import PATIENCE_S, environment, read_until, run, running_hub, start, write_lines
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
        assert run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url).code == 0
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


def test_a_token_list_opens_by_its_roles_and_sighup_reads_it_again(tmp_path: Path) -> None:
    listed = tmp_path / "tokens"
    listed.write_text("sender publish a-token-of-a-sender\n")
    listed.chmod(0o600)
    own = tmp_path / "own"
    own.write_text("a-token-of-a-sender\n")
    own.chmod(0o600)
    events = write_lines(tmp_path / "e.jsonl", answer())
    with running_hub(tmp_path / "s.sqlite3", "--tokens", str(listed)) as (url, hub):
        assert run("publish", events, "--to", url, "--token-file", own).code == 0
        given = environment(ROUNDWATCH_TOKEN="a-token-of-a-sender")
        assert run("publish", events, "--to", url, env=given).code == 0
        refused = run("watch", url, env=given)
        assert refused.code == 2
        assert "403" in refused.err or "may not" in refused.err

        listed.write_text("wrong line\n")
        hub.send_signal(signal.SIGHUP)
        assert "stay as they were" in read_until(hub.stderr, "stay")
        assert run("publish", events, "--to", url, env=given).code == 0

        listed.write_text("# nobody\n")
        hub.send_signal(signal.SIGHUP)
        assert "0 connections were ended" in read_until(hub.stderr, "read again")
        assert run("publish", events, "--to", url, env=given).code == 2


def test_tls_and_an_authority_of_ones_own(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate, trusted = tmp_path / "hub.pem", tmp_path / "ca.pem"
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(certificate))
    authority.cert_pem.write_to_path(str(trusted))
    events = write_lines(tmp_path / "e.jsonl", answer())
    with running_hub(
        tmp_path / "s.sqlite3", "--tls-cert", str(certificate), "--host-name", "localhost", "--host", "0.0.0.0"
    ) as (url, _):
        assert url.startswith("wss://localhost:")
        assert run("publish", events, "--to", url, "--ca-file", trusted).code == 0
        refused = run("publish", events, "--to", url)
        assert (refused.code, len(refused.err.splitlines())) == (2, 1)
        assert "certificate" in refused.err
        settings = tmp_path / "config.toml"
        settings.write_text(f'[hubs.work]\nurl = "{url}"\nca_file = "ca.pem"\n')
        assert run("publish", events, "--to", "work", "--config", settings).code == 0


def test_which_of_tls_and_none_a_hub_speaks_is_told_at_once(tmp_path: Path) -> None:
    certificate = tmp_path / "hub.pem"
    trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(certificate))
    events = write_lines(tmp_path / "e.jsonl", answer())
    with (
        running_hub(tmp_path / "a.sqlite3", "--tls-cert", str(certificate)) as (encrypted, _),
        running_hub(tmp_path / "b.sqlite3") as (plain, _),
    ):
        for wrong, said in (
            (encrypted.replace("wss:", "ws:"), "spricht TLS"),
            (plain.replace("ws:", "wss:"), "spricht kein TLS"),
        ):
            for command in (("publish", str(events), "--to", wrong), ("watch", wrong)):
                done = run("--locale", "de", *command)
                assert (done.code, said in done.err.splitlines()[-1]) == (2, True), done.err


def test_sighup_reads_a_renewed_certificate_and_keeps_the_old_one_beside_a_wrong_one(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = tmp_path / "hub.pem"
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(certificate))
    with running_hub(tmp_path / "s.sqlite3", "--tls-cert", str(certificate)) as (url, hub):
        port = int(url.rpartition(":")[2])
        old = ssl.get_server_certificate(("127.0.0.1", port))
        certificate.write_text("half a certif")
        hub.send_signal(signal.SIGHUP)
        assert "hub.pem" in read_until(hub.stderr, "certificate stays as it was")
        assert ssl.get_server_certificate(("127.0.0.1", port)) == old
        authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(certificate))
        hub.send_signal(signal.SIGHUP)
        read_until(hub.stderr, "certificate was read again")
        assert ssl.get_server_certificate(("127.0.0.1", port)) != old


def test_json_logs_are_all_that_stands_on_standard_error(tmp_path: Path) -> None:
    with running_hub(tmp_path / "s.sqlite3", "--log-json") as (url, hub):
        run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", url)
        hub.terminate()
        hub.wait(PATIENCE_S)
        assert hub.stderr is not None
        said = [json.loads(line) for line in hub.stderr.read().splitlines()]
    assert {"hub_listens", "hub_stops"} <= {line["event"] for line in said}
    assert all({"time", "level", "event"} <= line.keys() for line in said)


def test_the_settings_say_how_the_hub_runs(tmp_path: Path) -> None:
    rules = tmp_path / "redaction.toml"
    rules.write_text("[[rule]]\nname = 'word'\nliteral = 'a'")
    settings = tmp_path / "config.toml"
    settings.write_text(
        '[hub]\nport = 0\nstore = "mine.sqlite3"\nredact = "redaction.toml"\nlog_json = true\n'
        "[hub.limits]\nconnections = 1\nqueued_events = 5\n"
    )
    with start("hub", "--config", settings) as hub:
        assert hub.stdout is not None
        said = json.loads(hub.stdout.readline())
        hub.terminate()
        hub.wait(PATIENCE_S)
        assert hub.stderr is not None
        assert all(line.startswith(b"{") for line in hub.stderr.read().splitlines())
    assert said["store"] == str(tmp_path / "mine.sqlite3")


@pytest.mark.parametrize(
    ("option", "value"),
    [("--tls-cert", "none.pem"), ("--tls-key", "none.pem"), ("--redact", "none.toml"), ("--tokens", "none")],
)
def test_a_file_that_is_not_there_is_told_in_one_line(option: str, value: str, tmp_path: Path) -> None:
    done = run("hub", "--port", "0", "--store", tmp_path / "s.sqlite3", option, tmp_path / value)

    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)


def test_a_redis_store_is_named_without_its_password_and_read_by_rounds(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    require_program("redis-server")
    redis = RedisProcess(tmp_path / "redis")
    redis.start()
    address = redis.url.replace("redis://", "redis://default:s3cret@")
    with redis.client() as client:
        client.config_set("requirepass", "s3cret")
    private = tmp_path / "address"
    private.write_text(address)
    private.chmod(0o600)
    given = environment(ROUNDWATCH_REDIS_URL=address)
    try:
        with start("hub", "--port", "0", "--redis-file", private) as hub:
            assert hub.stdout is not None
            said = json.loads(hub.stdout.readline())
            assert run("publish", write_lines(tmp_path / "e.jsonl", answer()), "--to", said["url"]).code == 0
            hub.terminate()
            hub.wait(PATIENCE_S)
            assert hub.stderr is not None
            assert b"s3cret" not in hub.stderr.read()
        assert said["store"] == redis.url
        listed = run("rounds", "list", "--json", env=given)
        assert [each["round"] for each in listed.objects] == ["r1"]
        assert run("rounds", "show", "r1", "--redis-file", private).code == 0
        exported = run("rounds", "export", env=given)
        assert len(exported.out.splitlines()) == len(list(answer()))
        for wrong in (run("hub", "--check", env=given), run("rounds", "list", "--store", redis.url)):
            assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)
            assert "s3cret" not in wrong.err
    finally:
        redis.kill()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("nothing", "ist kein TOML"),
        ("x = 1", "enthält keine [[rule]]"),
        ('[[rule]]\nliteral = "hush"', "Regel 1 der Schwärzungsdatei"),
        ('[[rule]]\nname = "n"', "entweder „literal“ oder „pattern“"),
        ('[[rule]]\nname = "n"\npattern = "("', "ist kein RE2-Muster"),
    ],
)
def test_a_wrong_redaction_file_is_told_in_the_readers_language(rules: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "redaction.toml"
    file.write_text(rules)
    done = run("--locale", "de", "hub", "--port", "0", "--store", tmp_path / "s.sqlite3", "--redact", file)

    assert done.code == 2
    assert said in done.err
    assert "hush" not in done.err


def test_sighup_while_the_store_is_being_opened_does_not_end_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE_S)
        with start("hub", "--port", "0", "--store", f"redis://127.0.0.1:{silent.getsockname()[1]}/0") as hub:
            asking, _ = silent.accept()
            hub.send_signal(signal.SIGHUP)
            time.sleep(0.2)
            silent.close()
            asking.close()

            assert hub.wait(PATIENCE_S) == 2
            assert hub.stderr is not None
            assert "does not answer" in hub.stderr.read().decode().splitlines()[-1]


@pytest.mark.parametrize("store", ["", ".", "/", "http://user:s3cret@example.org/x"])
def test_a_store_that_is_neither_a_file_nor_a_redis_address_is_refused(store: str, tmp_path: Path) -> None:
    done = run("hub", "--port", "0", "--store", store)

    assert (done.code, done.out) == (2, "")
    assert "redis://HOST" in done.err
    assert "s3cret" not in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--host-name", ""), "kein Rechnername"),
        (("--host-name", "https://hub.example"), "kein Rechnername"),
        (("--host-name", "hub.example:7433"), "kein Rechnername"),
        (("--origin", "hub.example"), "keine Web-Herkunft"),
        (("--origin", "https://hub.example/page"), "keine Web-Herkunft"),
        (("--host", "192.0.2.1", "--insecure"), "192.0.2.1, Port 0, kann der Hub nicht lauschen"),
        (("--host", "nobody.invalid", "--insecure"), "nobody.invalid, Port 0, kann der Hub nicht lauschen"),
        (("--tls-cert", "/nowhere/c.pem"), "/nowhere/c.pem ist nicht lesbar"),
        (("--tokens", "/nowhere/t"), "die Token-Liste /nowhere/t ist nicht lesbar"),
        (("--redis-file", "/nowhere/r"), "die Redis-Adresse in /nowhere/r ist nicht lesbar"),
        (("--store", "/dev/null/s.db"), "lässt sich nicht öffnen"),
        (("--backup", "/nowhere/b.db"), "keine Sicherung: der Speicher"),
        (("--check",), "nicht geprüft: der Speicher"),
    ],
)
def test_what_is_wrong_with_an_option_is_said_in_german_too(
    options: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = run("--locale", "de", "hub", "--port", "0", "--store", tmp_path / "s.sqlite3", *options)

    assert (done.code, done.out) == (2, "")
    assert said in done.err.splitlines()[-1]
