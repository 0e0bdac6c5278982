"""The server as an operator starts it, and a plain HTTP client that sends exactly the headers it is told to."""

from __future__ import annotations

import http.client
import json
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPMessage
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from roundwatch.core.hub import token_file

from tests.tui.cli.command import PATIENCE_S, running_hub, start


@dataclass(frozen=True)
class Answer:
    """What the server said."""

    status: int
    headers: HTTPMessage
    body: str


@dataclass(frozen=True)
class Page:
    """A running ``watch --web``."""

    url: str
    hub: str
    process: subprocess.Popen[bytes]

    @property
    def origin(self) -> str:
        return self.url.removesuffix("/")

    @property
    def netloc(self) -> str:
        return urlsplit(self.url).netloc

    @property
    def cookie_name(self) -> str:
        return f"roundwatch_{self.netloc.rpartition(':')[2]}"

    def ask(
        self, path: str = "/", *, method: str = "GET", headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Answer:
        """Send one request; ``Host`` is ours unless given."""
        connection = http.client.HTTPConnection(self.netloc, timeout=PATIENCE_S)
        try:
            connection.putrequest(method, path, skip_host=True)
            for name, value in ({"Host": self.netloc} | dict(headers or {})).items():
                connection.putheader(name, value)
            if body or method == "POST":
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body or None)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read().decode())
        finally:
            connection.close()

    def log_in(self, token: str, **headers: str) -> Answer:
        """Send the form as our own page does."""
        given = {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"} | headers
        return self.ask("/login", method="POST", headers=given, body=urlencode({"token": token}).encode())

    def cookie(self) -> str:
        """Log in, and return the cookie as a browser sends it back."""
        answer = self.log_in(token_file().read_text().strip())
        assert answer.status == 303
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


@contextmanager
def serving_page(store: Path, *options: str) -> Generator[Page]:
    """Run a hub and a page before it; both are ended at the end if they still run."""
    with (
        running_hub(store) as (hub, _),
        start("watch", hub, "--web", "--web-port", "0", "--locale", "de", *options) as process,
    ):
        try:
            assert process.stdout is not None
            yield Page(json.loads(process.stdout.readline())["url"], hub, process)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(PATIENCE_S)
