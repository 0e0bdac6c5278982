"""A real HTTP server on loopback that speaks provider wires and plays scripts: for the demo and for tests."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from . import scripted_openai
from .extra import require
from .script import Ending, HttpError, KeepAlives, Reply, Script, Wait
from .scripted_wires import ADDRESSES, Address, address_of

if TYPE_CHECKING:
    from .http_server import Exchange, Request

log = logging.getLogger(__name__)

SCRIPT_HEADER = "x-roundwatch-script"
"""Names the script that answers a request: ``name``, or ``name/conversation`` where several play one script."""
MAX_CONVERSATIONS = 4096  # positions kept; the oldest conversation is forgotten first


class ScriptedProvider:
    """Serves ``scripts`` while its context is open; ``base_url`` then says where.

    The request itself says which script answers it: the header ``x-roundwatch-script``, else its model name.
    Every conversation (the whole header value, or the model name) has a position of its own, so requests that
    run at the same time never take each other's replies.

    Args:
        scripts: by name; may be added to while the server runs.
        speed: pauses are divided by it; above 0.

    Raises:
        MissingExtra: h11 is not installed.
    """

    def __init__(self, scripts: Mapping[str, Script], *, speed: float = 1.0) -> None:
        require("h11")
        if speed <= 0:
            raise ValueError(f"speed has to be above 0, not {speed}")
        self.scripts: dict[str, Script] = dict(scripts)
        self.requests = 0
        """Requests answered so far."""
        self._speed = speed
        self._positions: OrderedDict[str, int] = OrderedDict()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def base_url(self) -> str:
        """Where it listens, without a path: what the Anthropic SDK takes; the OpenAI SDK wants ``/v1`` behind it."""
        if self._server is None:
            raise RuntimeError("the scripted provider is not running: use it as an async context manager")
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"http://{host}:{port}"

    async def idle(self) -> None:
        """Return when no client holds a connection any more."""
        while self._open:
            await asyncio.wait(self._open)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from .http_server import serve_connection  # h11 is loaded when the first client comes

        task = asyncio.create_task(serve_connection(reader, writer, self._answer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _answer(self, request: Request, exchange: Exchange) -> None:
        self.requests += 1
        found = address_of(request.path)
        if found is None or request.method != "POST":
            served = ", ".join(address.path for address in ADDRESSES)
            problem = HttpError(404, "not_found_error", f"this provider serves POST to {served}")
            await _send_json(exchange, problem.status, scripted_openai.error_body(problem))
            return
        address, named = found
        body = _json_object(request.body)
        asked = address.asked(body or {}, named, request.query)
        if body is None:
            reply: Reply | HttpError = HttpError(400, "invalid_request_error", "the body is no JSON object")
        else:
            reply = self._reply(request.headers.get(SCRIPT_HEADER) or str(asked.get("model")))
        if isinstance(reply, HttpError):
            await _send_json(exchange, reply.status, address.wire.error_body(reply))
        else:
            await self._play(reply, asked, address, exchange)

    def _reply(self, key: str) -> Reply | HttpError:
        script = self.scripts.get(key) or self.scripts.get(key.rpartition("/")[0])
        if script is None:
            return HttpError(404, "not_found_error", f"no script named {key[:80]!r}")
        number = self._positions.pop(key, 0)
        self._positions[key] = number + 1
        if len(self._positions) > MAX_CONVERSATIONS:
            self._positions.popitem(last=False)
        reply = script.reply(number)
        if reply is None:
            return HttpError(400, "invalid_request_error", f"the script ends after {number} replies: {key[:80]!r}")
        return reply

    async def _play(self, reply: Reply, body: dict[str, Any], address: Address, exchange: Exchange) -> None:
        wire = address.wire
        id = f"{self.requests:06d}"
        created = int(time.time())
        if reply.error is not None:
            await self._pause(_waits(reply))
            await _send_json(exchange, reply.error.status, wire.error_body(reply.error), reply.error.headers)
        elif body.get("stream") is True:
            await exchange.start(200, {"content-type": address.media(body), "cache-control": "no-cache"})
            for part in wire.stream(reply, body, id=id, created=created):
                if isinstance(part, bytes):
                    await exchange.send(part)
                else:
                    await self._pause(part)
            await (exchange.reset() if reply.ending is Ending.RESET else exchange.end())
        else:
            await self._pause(_waits(reply))
            status, value = wire.whole(reply, body, id=id, created=created)
            if reply.ending is Ending.RESET:
                await exchange.start(status, {"content-type": "application/json"})
                await exchange.reset()
            else:
                await _send_json(exchange, status, value)

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)


def _waits(reply: Reply) -> float:
    """The silence before a reply that comes in one piece; seconds at speed 1."""
    return sum(step.seconds for step in reply.steps if isinstance(step, Wait | KeepAlives))


def _json_object(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


async def _send_json(
    exchange: Exchange, status: int, value: dict[str, Any], headers: Mapping[str, str] | None = None
) -> None:
    body = json.dumps(value, ensure_ascii=False).encode()
    length = {"content-length": str(len(body))}
    await exchange.start(status, {"content-type": "application/json", **(headers or {}), **length})
    await exchange.send(body)
    await exchange.end()
