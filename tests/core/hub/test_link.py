from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.core.hub import Hub, HubError, ensure_token, token_file
from roundwatch.core.hub.address import endpoint
from roundwatch.core.hub.link import LINK_ERRORS, dial, refusal, token_for
from roundwatch.core.hub.tls import server_context
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol


def test_the_hubs_own_url_gives_its_endpoints() -> None:
    assert endpoint("ws://127.0.0.1:7433", "/v1/rounds") == "ws://127.0.0.1:7433/v1/rounds"
    assert endpoint("https://Hub.example/", "/v1/publish") == "wss://hub.example/v1/publish"
    assert endpoint("ws://[::1]:1/v1/rounds", "/v1/rounds", [("after", "s:1")]) == "ws://[::1]:1/v1/rounds?after=s%3A1"


@pytest.mark.parametrize(
    "url",
    [
        "", "hub", "ftp://hub", "ws://", "ws://hub:port", "ws://SECRET@hub", "ws://hub?token=SECRET", "ws://hub#SECRET",
        "ws://hub/SECRET", "ws://[::1",
    ],
)  # fmt: skip
def test_other_urls_are_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(ValueError, match="URL") as caught:
        endpoint(url, "/v1/rounds")
    assert "SECRET" not in str(caught.value)


def test_the_accounts_token_goes_to_this_machine_only() -> None:
    token = ensure_token()
    assert token_for("ws://127.0.0.1:1", None) == token
    assert token_for("ws://hub.example:1", None) is None
    assert token_for("ws://hub.example:1", "given") == "given"
    token_file().unlink()
    assert token_for("ws://localhost", None) is None


async def _wait(link: ServerConnection) -> None:
    await link.wait_closed()


async def _refusal_of(url: str) -> HubError | None:
    try:
        async with dial(url, None):
            return None
    except LINK_ERRORS as error:
        return refusal(error)


async def test_another_websocket_server_is_no_hub() -> None:
    async with serve(_wait, "127.0.0.1", 0) as server:
        refused = await _refusal_of(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/rounds")
    assert "no roundwatch hub answers there" in str(refused)


async def test_a_hub_that_is_away_is_no_refusal() -> None:
    assert await _refusal_of("ws://127.0.0.1:9/v1/rounds") is None


async def test_no_proxy_stands_between_us_and_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    async with (
        serve(_wait, "127.0.0.1", 0, subprotocols=[Subprotocol("roundwatch.v1")]) as server,
        dial(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", None) as link,
    ):
        assert link.subprotocol == "roundwatch.v1"


async def test_a_hub_with_tls_is_told_from_one_without(files: tuple[Path, Path]) -> None:
    async with Hub(port=0, tls=server_context(*files)) as hub:
        refused = await _refusal_of(hub.url.replace("wss", "ws") + "/v1/rounds")
    assert refused is not None
    assert (refused.code, "wss://" in str(refused)) == ("hub_needs_tls", True)
    async with Hub(port=0) as hub:
        refused = await _refusal_of(hub.url.replace("ws", "wss") + "/v1/rounds")
    assert refused is not None
    assert refused.code == "hub_lacks_tls"
