from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.hub import Access, Hub, HubError, Redaction, StoreError, ensure_token, stored_events, token_file
from websockets.exceptions import InvalidStatus

from tests.core.hub.peers import dial, event, publish


async def get(hub: Hub, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(hub.url.rpartition(":")[2]))
    sent = {"Host": "localhost", "Authorization": f"Bearer {ensure_token()}"} | headers
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    writer.write("\r\n".join(lines).encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *fields = head.split("\r\n")
    return int(status.split()[1]), dict(field.lower().split(": ", 1) for field in fields), body


async def test_health_and_metrics_answer_on_the_same_port(hub: Hub) -> None:
    await publish(hub, event(1), event(1))
    status, headers, body = await get(hub, "/healthz")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body)["status"] == "ok"
    assert json.loads(body)["last"] == 1
    status, _, body = await get(hub, "/metrics")
    assert status == 200
    assert "roundwatch_stored_total 1.0\n" in body
    assert "roundwatch_duplicates_total 1.0\n" in body


async def test_plain_requests_are_checked_like_websockets(hub: Hub) -> None:
    status, headers, _ = await get(hub, "/healthz", Authorization="Bearer wrong")
    assert (status, headers["www-authenticate"]) == (401, 'bearer realm="roundwatch"')
    assert (await get(hub, "/healthz", Host="evil.example"))[0] == 403
    assert (await get(hub, "/metrics", Origin="https://evil.example"))[0] == 403
    assert (await get(hub, "/nothing"))[0] == 404
    assert (await get(hub, "/v1/rounds", **{"Sec-WebSocket-Protocol": "roundwatch.v1"}))[0] == 426
    assert hub.counters.refused == 4


@pytest.mark.parametrize(
    ("path", "changes", "status"),
    [
        ("/v1/rounds", {"additional_headers": {}}, 401),
        ("/v1/publish", {"additional_headers": {"Authorization": "Bearer nonsense"}}, 401),
        ("/v1/rounds", {"origin": "https://evil.example"}, 403),
        ("/v1/rounds", {"subprotocols": None}, 400),
        ("/v1/rounds?token=SECRET", {}, 400),
    ],
)
async def test_websockets_that_may_not_come_in_get_an_http_status(
    hub: Hub, path: str, changes: dict[str, Any], status: int
) -> None:
    with pytest.raises(InvalidStatus) as caught:
        async with dial(hub, path, **changes):
            pass
    assert caught.value.response.status_code == status


async def test_no_token_and_no_payload_reaches_the_log_even_at_debug(
    hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("roundwatch.core.hub.quiet").setLevel(logging.DEBUG)
    async with dial(hub, "/v1/publish", logger=logging.getLogger("test.client.unused")) as link:
        pass
    assert link.close_code == 1000
    with pytest.raises(InvalidStatus):
        async with dial(hub, "/v1/rounds?token=SECRET"):
            pass
    logging.getLogger("roundwatch.core.hub.quiet").setLevel(logging.NOTSET)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("roundwatch")]
    assert any("refused a request: 400" in message for message in ours)
    assert not any(ensure_token() in message or "SECRET" in message for message in ours)


async def test_without_a_token_everybody_on_this_machine_may_come_in() -> None:
    async with Hub(port=0, access=Access.anyone()) as hub:
        assert not hub.asks_for_token
        assert not token_file().exists()
        assert (await publish(hub, event(1)))[0]["type"] == "feed.ack"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
async def test_only_loopback_addresses_are_bound_without_more(host: str) -> None:
    hub = Hub(port=0, host=host)
    with pytest.raises(HubError, match="beyond this machine"):
        await hub.start()


async def test_a_taken_port_is_told_and_leaves_nothing_behind(hub: Hub, tmp_path: Path) -> None:
    port = int(hub.url.rpartition(":")[2])
    other = Hub(tmp_path / "s.db", port=port, host="localhost")
    with pytest.raises(HubError, match=f"port {port} is taken"):
        await other.start()
    async with Hub(tmp_path / "s.db", port=0):
        pass


async def test_an_unusable_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "s.db").write_text("no database " * 100)
    with pytest.raises(StoreError):
        await Hub(tmp_path / "s.db", port=0).start()


async def test_stopping_does_not_wait_for_clients_that_say_nothing(hub: Hub) -> None:
    port = int(hub.url.rpartition(":")[2])
    _, silent = await asyncio.open_connection("127.0.0.1", port)
    async with dial(hub, "/v1/rounds"):
        await asyncio.sleep(0.05)
        async with asyncio.timeout(8):
            await hub.stop()
    silent.close()
    await silent.wait_closed()


async def test_what_the_redaction_names_is_never_stored(tmp_path: Path) -> None:
    rules = tmp_path / "redaction.toml"
    rules.write_text("[[rule]]\nname = 'key'\nliteral = 'sesame'", "utf-8")
    path = tmp_path / "s.db"
    async with Hub(path, port=0, redaction=Redaction.from_file(rules)) as hub:
        await publish(hub, event(1, title="open sesame"), event(2, title="closed"))
    lines = [json.loads(stored.line)["title"] for stored in stored_events(path)]
    assert lines == ["open [redacted: key]", "closed"]
    files = await asyncio.to_thread(lambda: [file.read_bytes() for file in tmp_path.glob("s.db*")])
    assert not any(b"sesame" in held for held in files)
