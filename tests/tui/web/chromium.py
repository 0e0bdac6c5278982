"""A headless Chromium, driven over its own debugging socket as a person's hands would drive it."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.tui.cli.command import PATIENCE_S

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update",
    "--disable-background-networking", "--disable-sync", "--window-size=1200,800", "--remote-debugging-port=0",
)  # fmt: skip
NEWS_AT_MOST = 100_000


class Tab:
    """One page of the browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self._session: str | None = None
        self.news: list[dict[str, Any]] = []
        """What the browser told without being asked: frames, requests, complaints."""

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser for something and wait for its answer."""
        self._number += 1
        wanted: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            wanted["sessionId"] = self._session
        await self._socket.send(json.dumps(wanted))
        async with asyncio.timeout(PATIENCE_S):
            while True:
                said: dict[str, Any] = json.loads(await self._socket.recv())
                if said.get("id") == self._number:
                    assert "error" not in said, said
                    return dict(said["result"])
                self.news.append(said)
                assert len(self.news) < NEWS_AT_MOST

    async def open(self, url: str, *, unbound: bool = False) -> None:
        """Open a page of its own and go to ``url``; it may be unbound by the policy that it was sent with."""
        self._session = None
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Network", "Page", "Runtime"):
            await self.call(f"{domain}.enable")
        await self.call("Page.setBypassCSP", enabled=unbound)
        await self.call("Page.navigate", url=url)

    async def value(self, script: str) -> Any:
        """What an expression is worth in the page."""
        return (await self.call("Runtime.evaluate", expression=script))["result"].get("value")

    async def wait_for(self, script: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE_S
        while not await self.value(script):
            assert time.monotonic() < end, f"never: {script}"
            await asyncio.sleep(0.1)

    async def click(self, x: int, y: int) -> None:
        """Click into the page, which gives the keys to what stands there."""
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def press(self, key: str) -> None:
        """Press a key that types its own character."""
        await self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        await self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def wait_for_words(self, words: str) -> None:
        """Wait until the terminal was sent these words."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.drawn():
            assert time.monotonic() < end, f"never: {words}"
            await asyncio.sleep(0.1)
            await self.value("1")  # takes in what came meanwhile

    def drawn(self) -> str:
        """Everything that the page's websocket has brought."""
        frames = [
            each["params"]["response"] for each in self.news if each["method"] == "Network.webSocketFrameReceived"
        ]
        return b"".join(base64.b64decode(each["payloadData"]) for each in frames if each["opcode"] == 2).decode(
            errors="replace"
        )


@asynccontextmanager
async def browsing(chromium: str, profile: Path) -> AsyncGenerator[Tab]:
    """Run the browser with a new profile; its own process is ended at the end."""
    command = [chromium, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    browser = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with connect(
            await _debugging_url(profile), max_size=None, compression=None, ping_interval=None
        ) as socket:
            yield Tab(socket)
    finally:
        browser.terminate()
        await asyncio.wait_for(browser.wait(), PATIENCE_S)


async def _debugging_url(profile: Path) -> str:
    told, end = profile / "DevToolsActivePort", time.monotonic() + PATIENCE_S
    while not told.exists() or len(told.read_text().splitlines()) < 2:
        assert time.monotonic() < end, "the browser never listened"
        await asyncio.sleep(0.1)
    port, path = told.read_text().splitlines()
    return f"ws://127.0.0.1:{port}{path}"
