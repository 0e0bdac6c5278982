from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import trustme
from roundwatch.core.feeds import Capture
from roundwatch.tui.cli.arguments import CAPTURES

from tests.tui.cli.command import PATIENCE_S, PROGRAM, environment, run, running_hub, start

NOBODY = "ws://127.0.0.1:1"
"""Where no hub runs: one that happens to run on the developer's machine must not be told of anything."""
ANSWER = json.dumps({"choices": [{"message": {"content": "East."}, "finish_reason": "stop"}]}).encode()


class Provider(BaseHTTPRequestHandler):
    """Answers every question with the same answer."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def provider() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def running_proxy(*options: str) -> Generator[tuple[dict[str, Any], subprocess.Popen[bytes]]]:
    with start("proxy", "--port", "0", *(() if "--to" in options else ("--to", NOBODY)), *options) as proxy:
        try:
            assert proxy.stdout is not None
            yield json.loads(proxy.stdout.readline()), proxy
        finally:
            if proxy.poll() is None:
                proxy.terminate()
                proxy.wait(PATIENCE_S)


def ask(base: str) -> bytes:
    body = json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "Where?"}]}).encode()
    request = urllib.request.Request(f"{base}/v1/chat/completions", body, {"Authorization": "Bearer hidden-secret"})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as reply:
        return bytes(reply.read())


def test_a_round_of_an_agent_that_nobody_changed_is_in_the_hub_s_store(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite3"
    with provider() as upstream, running_hub(store) as (hub, _):
        with running_proxy("--upstream", f"mine={upstream}", "--to", hub) as (said, proxy):
            assert ask(said["upstreams"]["mine"]) == ANSWER
            proxy.send_signal(signal.SIGTERM)

            assert proxy.wait(PATIENCE_S) == 0
            assert proxy.stderr is not None
            assert b"1 request forwarded: 1 of them model calls" in proxy.stderr.read()
        listed = run("rounds", "list", "--json", "--store", store)
        exported = run("rounds", "export", "--store", store)

    assert [row["verdict"] for row in listed.objects] == ["completed"]
    assert "East." in exported.out
    assert "hidden-secret" not in exported.out


def test_without_a_hub_it_says_so_and_serves(tmp_path: Path) -> None:
    with provider() as upstream:
        options = ("--upstream", f"mine={upstream}", "--to", NOBODY)
        with running_proxy(*options) as (said, proxy):
            assert proxy.stderr is not None
            assert NOBODY.encode() in proxy.stderr.readline()
            assert ask(said["upstreams"]["mine"]) == ANSWER


def test_other_paths_lead_nowhere() -> None:
    with running_proxy() as (said, _), pytest.raises(urllib.error.HTTPError, match="404"):
        ask(said["url"] + "/elsewhere")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_in_good_order(number: signal.Signals, code: int) -> None:
    with running_proxy("--locale", "de") as (_, proxy):
        proxy.send_signal(number)

        assert proxy.wait(PATIENCE_S) == code
        assert proxy.stderr is not None
        told = proxy.stderr.read().decode()
    assert "der Proxy hält an" in told
    assert "Traceback" not in told


def test_the_variables_for_clients_are_printed_without_starting_anything() -> None:
    done = run("proxy", "--print-env", "--port", "9000")

    assert done.code == 0
    assert done.out.splitlines() == [
        "export OPENAI_BASE_URL=http://127.0.0.1:9000/openai/v1",
        "export ANTHROPIC_BASE_URL=http://127.0.0.1:9000/anthropic",
        "export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9000/gemini",
        "export OLLAMA_HOST=http://127.0.0.1:9000/ollama",
    ]


@pytest.mark.parametrize(
    "options",
    [
        ("--upstream", "mine"),
        ("--upstream", "Mine=http://127.0.0.1"),
        ("--upstream", "mine=http://user:hidden-secret@127.0.0.1"),
        ("--host", "0.0.0.0"),
        ("--tls-cert", "nowhere.pem"),
        ("--tls-key", "nowhere.pem"),
        ("--print-env", "--host=0.0.0.0"),
        ("--print-env", "--host="),
        ("--print-env", "--upstream=mine"),
        ("--print-env", "--locale=de"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(options: tuple[str, str]) -> None:
    done = run("proxy", "--port", "0", *options)

    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "hidden-secret" not in done.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--upstream", "mine"), "Eine Adresse lautet"),
        (("--upstream", "Mine=http://127.0.0.1"), "Kleinbuchstaben"),
        (("--upstream", "mine=http://[::1"), "Das ist keine Adresse"),
        (("--upstream", "mine=http://127.0.0.1?a"), "kein Passwort"),
        (("--host", "0.0.0.0"), "lauscht nur auf diesem Rechner"),
        (("--print-env",), "--port 0 nimmt jedes Mal einen anderen"),
    ],
)
def test_what_cannot_be_is_told_in_german_too(options: tuple[str, ...], told: str) -> None:
    done = run("proxy", "--port", "0", "--locale", "de", *options)

    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_a_wrong_way_out_is_told_without_its_password() -> None:
    done = run("proxy", "--port", "0", env={**environment(), "HTTPS_PROXY": "socks5://me:hidden-secret@127.0.0.1"})

    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "HTTPS_PROXY" in done.err
    assert "hidden-secret" not in done.err


def test_with_a_certificate_it_serves_tls_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "both.pem"
    trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(file)
    with running_proxy("--tls-cert", str(file)) as (told, _):
        assert told["url"].startswith("https://127.0.0.1:")
    done = run("proxy", "--print-env", "--tls-cert", str(file))
    assert "export OPENAI_BASE_URL=https://127.0.0.1:7434/openai/v1" in done.out


def test_a_missing_library_is_named_with_the_way_to_get_it() -> None:
    hide = "import sys; sys.modules['httptools'] = None;"
    done = subprocess.run(
        [sys.executable, "-c", hide + PROGRAM[2], "proxy"],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "pip install 'roundwatch[proxy]'" in done.stderr


def test_the_parser_knows_every_way_to_capture() -> None:
    assert set(CAPTURES) == set(Capture)


@pytest.mark.parametrize(("locale", "said"), [("en", "is taken: maybe"), ("de", "ist belegt: Vielleicht")])
def test_a_port_that_is_taken_is_told_with_what_to_do(locale: str, said: str) -> None:
    with running_proxy() as (ready, _):
        port = ready["url"].rpartition(":")[2]
        done = run("--locale", locale, "proxy", "--port", port, "--to", NOBODY)

    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert port in done.err
    assert said in done.err
