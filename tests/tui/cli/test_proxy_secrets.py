"""Hub, proxy, watcher and exports as programs of their own: no secret of a request is in anything that they leave."""

from __future__ import annotations

import json
import signal
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from roundwatch.core.feeds import Capture
from roundwatch.tui.keeping_app import EXPORTS
from websockets.sync.client import connect

from tests.tui.cli.command import PATIENCE_S, run, running_hub, start

HEADERS = {
    "Authorization": "Bearer bearer-secret-0001",
    "X-Api-Key": "header-secret-0002",
    "Api-Key": "header-secret-0003",
    "X-Goog-Api-Key": "header-secret-0004",
    "Cookie": "a=b; session=cookie-secret-0005",
    "Proxy-Authorization": "Basic dXNlcjpiYXNpYy1zZWNyZXQtMDAwNg==",
    "X-Amz-Security-Token": "header-secret-0007",
}
TOOLS = [{"type": "mcp", "server_url": "https://tools.example", "authorization": "body-secret-0008"}]
BODY = {"model": "m", "api_key": "body-secret-0009", "tools": TOOLS, "stream": True}
SECRETS = (
    *("bearer-secret-0001", "header-secret-0002", "header-secret-0003", "header-secret-0004", "cookie-secret-0005"),
    *("dXNlcjpiYXNpYy1zZWNyZXQtMDAwNg==", "basic-secret-0006", "header-secret-0007", "body-secret-0008"),
    *("body-secret-0009", "query-secret-0010", "answer-secret-0011"),
)
ECHO = " and ".join(SECRETS[:-1])
WORD = "publishable"
PATHS = {
    "openai": "/v1/chat/completions?api_key=query-secret-0010",
    "responses": "/v1/responses?access_token=query-secret-0010",
    "gemini": "/v1beta/models/m:streamGenerateContent?alt=sse&key=query-secret-0010",
    "refused": "/v1/messages?key=query-secret-0010",
    "unobserved": "/v1/files?key=query-secret-0010",
}


class Echo(BaseHTTPRequestHandler):
    """Says everything back that it was told, as text, as tool arguments and as an error."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        refused = "/messages" in self.path
        body = json.dumps({"error": {"message": f"{WORD} {ECHO}"}}).encode() if refused else self._answer()
        self.send_response(401 if refused else 200)
        self.send_header("Set-Cookie", "session=answer-secret-0011")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self) -> bytes:
        if "Generate" in self.path:
            parts = [{"text": f"{WORD} {ECHO}"}, {"functionCall": {"name": "look", "args": {"at": ECHO}}}]
            return _sse({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})
        if "responses" in self.path:
            part = {"type": "output_text", "text": f"{WORD} {ECHO}"}
            item = {"type": "message", "content": [part]}
            return _sse({"type": "response.completed", "response": {"status": "completed", "output": [item]}})
        call = {"index": 0, "id": "t1", "function": {"name": "look", "arguments": json.dumps({"at": ECHO})}}
        delta = {"content": f"{WORD} {ECHO}", "reasoning": ECHO, "tool_calls": [call]}
        return _sse({"choices": [{"index": 0, "delta": delta, "finish_reason": "tool_calls"}]})

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _sse(value: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


@contextmanager
def echoing() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ask(base: str, path: str) -> None:
    """Send every secret there is; a question, a tool call that was asked for, and its result repeat them too."""
    said = [
        {"role": "user", "content": f"{WORD} {ECHO}"},
        {"role": "assistant", "tool_calls": [{"id": "t1", "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "t1", "content": f"Error: {WORD} {ECHO}"},
    ]
    spoken = {"messages": said[:1], "input": said[:1], "contents": [{"role": "user", "parts": [{"text": ECHO}]}]}
    for body in ({**BODY, **spoken}, {**BODY, **spoken, "messages": said}):
        request = urllib.request.Request(base + path, json.dumps(body).encode(), HEADERS)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as reply:
                assert b"basic-secret-0006" in reply.read() or "files" in path
        except urllib.error.HTTPError as error:
            error.close()


def proxied(upstream: str, hub: str, capture: Capture) -> bytes:
    """Run the proxy, ask it everything, and return all that it wrote."""
    options = ("--upstream", f"mine={upstream}", "--to", hub, "--capture", capture.value, "--port", "0")
    with start("proxy", *options) as proxy:
        assert proxy.stdout is not None
        first = proxy.stdout.readline()
        for path in PATHS.values():
            ask(json.loads(first)["upstreams"]["mine"], path)
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(json.loads(first)["url"] + "/nowhere?key=query-secret-0010", timeout=PATIENCE_S)
        proxy.send_signal(signal.SIGTERM)
        out, err = proxy.communicate(timeout=PATIENCE_S)
    assert proxy.returncode == 0
    return first + out + err


def frames(hub: str) -> bytes:
    """Return the frames that a watcher of everything gets, as they are on the wire."""
    seen = b""
    with connect(f"{hub}/v1/rounds?after=begin", subprotocols=["roundwatch.v1"]) as socket:  # type: ignore[list-item]
        while b"feed.live" not in seen:
            frame = socket.recv(PATIENCE_S)
            seen += frame if isinstance(frame, bytes) else frame.encode()
    return seen


def files(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("capture", Capture)
def test_no_secret_is_in_anything_that_is_stored_sent_written_or_exported(
    capture: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store = tmp_path / "s.sqlite3"
    left: dict[str, bytes] = {}
    with echoing() as upstream, running_hub(store, "--no-auth") as (hub, process):
        left["proxy"] = proxied(upstream, hub, capture)
        left["proxy without a hub"] = proxied(upstream, "ws://127.0.0.1:1", capture)
        left["frames"] = frames(hub)
        left["files of the running programs"] = files(tmp_path)
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE_S)
        left["hub"] = out + err
    left["files"] = files(tmp_path)
    for form in EXPORTS:
        done = run("rounds", "export", "--format", form, "--store", store)
        left[form] = (done.out + done.err).encode()

    assert all(b"call.finished" in left[name] for name in ("frames", "files"))
    assert WORD.encode() in left["frames"]  # of an error message at least
    assert (f'"text":"{WORD}'.encode() in left["frames"]) is (capture is not Capture.NONE)
    found = {(name, secret) for name, data in left.items() for secret in SECRETS if secret.encode() in data}
    assert not found
