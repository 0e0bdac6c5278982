"""The hub: one websocket server that stores round events and feeds them to watchers."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import shutil
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from ssl import SSLContext
from types import TracebackType
from typing import Self
from weakref import WeakKeyDictionary

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from ..version import VERSION
from .auth import Access
from .binding import check_binding
from .closing import tracked
from .errors import HubError
from .frames import State
from .gate import HEALTH_PATH, METRICS_PATH, Admission, Gate, Refusal
from .limits import CLOSE_S, DEFAULT_PORT, MAX_FRAME_BYTES, PING_S, SUBPROTOCOL, WATCH_PATH
from .metrics import Counters, exposition
from .publishing import Producers, PublishConnection
from .quiet import WIRE_LOG
from .redaction import Redaction
from .sqlite_store import SqliteStore
from .store import Store, StoredEvent, StoreListener
from .store_health import Checking, Health, Writing
from .supervising import Supervising
from .supervision import SupervisionLimits
from .watchers import Watcher, WatcherLimits, Watchers

log = logging.getLogger(__name__)

OPEN_S = 10.0
WATCHFUL = SupervisionLimits()
QUEUED_FRAMES = 4  # of up to 16 MiB each, read ahead for one connection


class Hub:
    """A hub in this process: ``async with Hub(path) as hub: hub.url``."""

    def __init__(
        self,
        store: Store | Path | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        access: Access | None = None,
        hosts: Collection[str] = (),
        origins: Collection[str] = (),
        limits: WatcherLimits | None = None,
        redaction: Redaction | None = None,
        tls: SSLContext | None = None,
        insecure: bool = False,
        supervision: SupervisionLimits | None = WATCHFUL,
    ) -> None:
        """Describe a hub; nothing is opened yet.

        Args:
            store: a store, the path of a SQLite store, or None to keep events in a temporary folder only.
            host: where to listen; beyond this machine only with a token and ``tls``. ``localhost`` is 127.0.0.1.
            port: 0 takes a free one; ``url`` tells which.
            access: who may come in; the account's token file by default, ``Access.anyone()`` for no token.
            hosts: further names that clients may connect by.
            origins: web origins that may connect.
            limits: what one watcher may cost.
            redaction: what is blotted out of events before they are stored.
            tls: the certificate, see ``tls.server_context``; None: plain websockets.
            insecure: listen beyond this machine without it: something in front encrypts.
            supervision: when the hub speaks about rounds that have fallen silent; None: never.
        """
        self._given_store = store
        self._host = "127.0.0.1" if host == "localhost" else host
        self._port = port
        self._access = access
        self._hosts = frozenset(name.lower() for name in hosts)
        self._origins = frozenset(origins)
        self._limits = limits or WatcherLimits()
        self._redaction = redaction
        self._tls = tls
        self._insecure = insecure
        self._supervision = supervision
        self._supervising: Supervising | None = None
        self._looking: asyncio.Task[None] | None = None
        self._watchers = Watchers()
        self._producers = Producers()
        self._counters = Counters()
        self._admitted: WeakKeyDictionary[ServerConnection, Admission] = WeakKeyDictionary()
        self._open: set[ServerConnection] = set()
        self._temporary: Path | None = None
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        await self.stop()

    @property
    def url(self) -> str:
        """Where clients connect, without a token: ``ws://127.0.0.1:7433``."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        scheme = "ws" if self._tls is None else "wss"
        return f"{scheme}://{host}:{self._port}"

    @property
    def asks_for_token(self) -> bool:
        """Whether clients need a token; known once the hub runs."""
        return self._access is None or self._access.asks

    @property
    def counters(self) -> Counters:
        """What happened since the start."""
        return self._counters

    async def start(self) -> None:
        """Open the store and listen.

        Raises:
            HubError: the address is not allowed or taken, the token file is not to be trusted, or the store unusable.
        """
        self._access = self._access or Access.of_account()
        check_binding(
            self._host, asks_for_token=self._access.asks, has_tls=self._tls is not None, insecure=self._insecure
        )
        self._gate = Gate(self._access, self._hosts, self._origins)
        self._store = self._make_store()
        try:
            await self._store.open(StoreListener(self._committed, self._health_changed, self._watchers.restart))
            self._supervise()
            self._server = await self._listen()
        except BaseException:
            await self.stop()
            raise
        self._port = self._server.sockets[0].getsockname()[1]
        log.info("hub listens on %s%s", self.url, "" if self._access.asks else ", without asking for a token")

    async def stop(self) -> None:
        """Say good-bye (1001), end what does not answer within a second, commit what came in, close the store."""
        if self._server is not None:
            server, self._server = self._server, None
            server.close()
            closed = asyncio.ensure_future(server.wait_closed())
            await asyncio.wait([closed], timeout=CLOSE_S)
            for connection in list(self._open):
                connection.transport.abort()
            await closed
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._store.close()
        if self._temporary is not None:
            await asyncio.to_thread(shutil.rmtree, self._temporary, ignore_errors=True)
            self._temporary = None

    def _make_store(self) -> Store:
        if isinstance(self._given_store, Store):
            return self._given_store
        if self._given_store is not None:
            return SqliteStore(self._given_store)
        self._temporary = Path(tempfile.mkdtemp(prefix="roundwatch-"))
        return SqliteStore(self._temporary / "rounds.sqlite3")

    def _supervise(self) -> None:
        if self._supervision is not None:
            self._supervising = Supervising(self._store, self._supervision, self._redaction)
            self._looking = asyncio.create_task(self._supervising.run(), name="supervision")

    async def _listen(self) -> Server:
        try:
            return await serve(
                self._serve,
                self._host,
                self._port,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,  # measured: 3 to 5 times the CPU at 10 to 100 watchers
                process_request=self._admit,
                server_header=None,
                open_timeout=OPEN_S,
                ping_interval=PING_S,
                ping_timeout=PING_S,
                close_timeout=CLOSE_S,
                max_size=MAX_FRAME_BYTES,
                max_queue=QUEUED_FRAMES,
                logger=WIRE_LOG,
                create_connection=tracked(self._open),
                ssl=self._tls,
            )
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise HubError(
                    f"port {self._port} is taken: maybe a hub runs already; port 0 takes a free one",
                    code="hub_port_taken",
                    port=str(self._port),
                ) from None
            raise HubError(f"cannot listen on {self._host} port {self._port}: {error.strerror}") from None

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        try:
            admission = self._gate.admit(request.method, request.path, request.headers)
        except Refusal as refusal:
            self._counters.refused += 1
            log.info("refused a request: %d %s", refusal.status, refusal.why)
            response = connection.respond(refusal.status, refusal.why + "\n")
            if refusal.status == 401:
                response.headers["WWW-Authenticate"] = 'Bearer realm="roundwatch"'
            return response
        if admission.path == HEALTH_PATH:
            return self._health(connection)
        if admission.path == METRICS_PATH:
            return connection.respond(200, exposition(self._counters, self._gauges()))
        self._admitted[connection] = admission
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        admission = self._admitted.pop(connection)
        if admission.path == WATCH_PATH:
            self._counters.watchers += 1
            try:
                watcher = Watcher(connection, admission, self._store, self._limits)
                slow = await watcher.run(self._watchers, server_name())
                self._counters.too_slow += slow
            finally:
                self._counters.watchers -= 1
        else:
            self._counters.publishers += 1
            try:
                owner = admission.identity.name
                await PublishConnection(
                    connection,
                    owner,
                    self._store,
                    self._producers,
                    self._counters,
                    self._redaction,
                    self._supervising,
                ).run()
            finally:
                self._counters.publishers -= 1

    def _committed(self, events: Sequence[StoredEvent]) -> None:
        self._counters.stored += len(events)
        if self._supervising is not None:
            self._supervising.committed(events)
        self._watchers.offer(events)

    def _health_changed(self, health: Health) -> None:
        self._watchers.tell(State.of(health))

    def _health(self, connection: ServerConnection) -> Response:
        store, health = self._store, self._store.health
        state: dict[str, str | int] = {
            "status": "ok" if health.is_well else "failing",
            "stream": store.stream,
            "first": store.first,
            "last": store.last,
            "writing": health.writing,
            "checking": health.checking,
            "promise": store.promise,
        }
        if health.why is not None:
            state["why"] = health.why
        response = connection.respond(200 if health.is_well else 503, json.dumps(state) + "\n")
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        return response

    def _gauges(self) -> Sequence[tuple[str, str, int]]:
        store = self._store
        return (
            ("store_first_seq", "oldest event kept", store.first),
            ("store_last_seq", "newest event", store.last),
            ("store_failing", "1 while the store cannot be written", int(store.health.writing is not Writing.OK)),
            ("store_damaged", "1 when the store was found damaged", int(store.health.checking is Checking.DAMAGED)),
        )


def server_name() -> str:
    """Return how the hub calls itself in ``feed.hello``."""
    return f"roundwatch/{VERSION}"
