"""The hub: one websocket server that stores round events and feeds them to watchers."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import shutil
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from ssl import SSLContext
from types import TracebackType
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from . import answers
from .auth import Access
from .binding import cannot_listen, check_binding, check_names
from .connections import connection_options
from .door import Door
from .errors import HubError
from .foreign import ForeignConnection, ForeignStream, Runs
from .frames import State
from .gate import HEALTH_PATH, METRICS_PATH, Admission, Gate, Refusal, is_loopback
from .hub_figures import HubFigures, server_name
from .inlet import Inlet
from .json_log import fields
from .limits import CLOSE_S, DEFAULT_PORT, MAX_FRAME_BYTES, PING_S, SUBPROTOCOL, WATCH_PATH, Limits
from .metrics import Counters, HubMetrics
from .pace import Pace
from .paths import state_folder
from .publishing import Desk, Producers, PublishConnection
from .quiet import WIRE_LOG
from .redaction import Redaction
from .sparse_log import Sparse
from .sqlite_store import SqliteStore
from .store import Store, StoredEvent, StoreListener
from .store_health import Health
from .supervising import Supervising
from .supervision import WATCHFUL, SupervisionLimits
from .upload_desk import UploadDesk
from .uploads import UploadHandler
from .watcher import Watcher
from .watchers import Watchers

log = logging.getLogger(__name__)

DRAIN_LOOK_S = 0.005
UNSPECIFIED = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Listening everywhere is no address to connect to."""
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
        limits: Limits | None = None,
        redaction: Redaction | None = None,
        tls: SSLContext | None = None,
        insecure: bool = False,
        supervision: SupervisionLimits | None = WATCHFUL,
        uploads: Mapping[str, UploadHandler] | None = None,
        streams: Mapping[str, ForeignStream] | None = None,
    ) -> None:
        """Describe a hub; nothing is opened yet.

        Args:
            store: a store, the path of a SQLite store, or None to keep events in a temporary folder only.
            host: where to listen; beyond this machine only with a token and ``tls``. ``localhost`` is 127.0.0.1.
            port: 0 takes a free one; ``url`` tells which.
            access: who may come in; the account's token file by default, ``Access.anyone()`` for no token.
            hosts: further names that clients may connect by.
            origins: web origins that may connect.
            limits: what clients may cost.
            redaction: what is blotted out of events before they are stored.
            tls: the certificate, see ``tls.server_context``; None: plain websockets.
            insecure: listen beyond this machine without it: something in front encrypts.
            supervision: when the hub speaks about rounds that have fallen silent; None: never.
            uploads: who serves bodies that are posted, by path.
            streams: who translates foreign event streams, by the subprotocol of those who publish in it.
        """
        self._given_store = store
        self._host = "127.0.0.1" if host == "localhost" else host
        self._port = port
        self._access = access
        self._hosts = tuple(name.lower() for name in hosts)
        self._origins = frozenset(origins)
        self._limits = limits or Limits()
        self._redaction = redaction
        self._tls = tls
        self._insecure = insecure
        self._supervision = supervision
        self._uploads = dict(uploads or {})
        self._streams = dict(streams or {})
        self._runs = Runs()
        self._posting: UploadDesk | None = None
        self._supervising: Supervising | None = None
        self._looking: asyncio.Task[None] | None = None
        self._counters = Counters()
        self._metrics = HubMetrics(self._counters, lambda: self._figures.gauges())
        self._door = Door(self._limits, self._counters)
        self._watchers = Watchers(self._limits.watcher.heartbeat_s, self._counters)
        self._publishers: set[PublishConnection | ForeignConnection] = set()
        self._refusals = Sparse()
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
        """Where clients connect, by the first of the names if there is one; never with a token: ``ws://127.0.0.1:7433``."""
        host = UNSPECIFIED.get(self._host, self._host)
        if self._hosts and (self._tls is not None or not is_loopback(self._host)):
            host = self._hosts[0]  # the name on the certificate
        scheme = "ws" if self._tls is None else "wss"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self._port}"

    @property
    def asks_for_token(self) -> bool:
        """Whether clients need a token; known once the hub runs."""
        return self._access is None or self._access.asks

    @property
    def limits(self) -> Limits:
        """What clients may cost."""
        return self._limits

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
        check_names(self._hosts, self._origins)
        self._gate = Gate(
            self._access, frozenset((*self._hosts, self._host)) - UNSPECIFIED.keys(), self._origins,
            frozenset(self._streams), frozenset(self._uploads),
        )  # fmt: skip
        self._store = self._make_store()
        self._figures = HubFigures(
            self._store, self._limits, self._counters, self._door, self._watchers, time.monotonic()
        )
        try:
            await self._store.open(StoreListener(self._committed, self._health_changed, self._watchers.restart))
            self._supervise()
            self._desk = Desk(
                self._store, Producers(), self._counters, self._limits, Pace(self._limits),
                self._metrics.ack_s.observe, self._redaction, self._supervising,
            )  # fmt: skip
            self._inlet = Inlet(self._store, self._counters, self._redaction, self._beside())
            await self._take_uploads()
            self._watchers.start()
            self._server = await self._listen()
        except BaseException:
            await self.stop()
            raise
        self._port = self._server.sockets[0].getsockname()[1]
        log.info(
            "hub listens on %s%s", self.url, "" if self._access.asks else ", without asking for a token",
            extra=fields("hub_listens", url=self.url, asks_for_token=self._access.asks, store=self._store.place),
        )  # fmt: skip

    async def stop(self) -> None:
        """Let no one in, acknowledge what was committed, send it to the watchers, say good-bye (1001), close the store.

        What does not answer within the limit's ``drain_s`` is cut off.
        """
        if self._server is not None:
            server, self._server = self._server, None
            log.info("hub stops", extra=fields("hub_stops", connections=len(self._door.seats)))
            await _accept_no_more(server)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._limits.drain_s):
                    await self._drain()
            await self._door.close()
            await server.wait_closed()
        if self._posting is not None:
            await self._posting.stop()
            for handler in set(self._uploads.values()):
                await handler.close()
            self._posting = None
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._watchers.stop()
        await self._store.close()
        if self._temporary is not None:
            await asyncio.to_thread(shutil.rmtree, self._temporary, ignore_errors=True)
            self._temporary = None

    async def _drain(self) -> None:
        """Let publishers go first: what they had committed is for the watchers too."""
        for publisher in self._publishers:
            publisher.leave()
        if self._posting is not None:
            await self._posting.stop()
        while self._publishers:  # noqa: ASYNC110 - each tells by being gone
            await asyncio.sleep(DRAIN_LOOK_S)
        await self._watchers.finish()

    def change_access(self, access: Access) -> int:
        """Ask for these tokens from now on; end who came in by one that is no longer good, and return how many."""
        self._access = access
        self._gate = replace(self._gate, access=access)
        ended = self._door.revoke(self._gate)
        log.info(
            "the tokens were read again: %d connections end", ended,
            extra=fields("tokens_changed", connections_ended=ended),
        )  # fmt: skip
        return ended

    def _make_store(self) -> Store:
        if isinstance(self._given_store, Store):
            return self._given_store
        if self._given_store is not None:
            return SqliteStore(self._given_store)
        self._temporary = Path(tempfile.mkdtemp(prefix="roundwatch-"))
        return SqliteStore(self._temporary / "rounds.sqlite3")

    def _beside(self) -> Path | None:
        """Return what files of the hub are named after: its store's, else its port of this account."""
        if self._temporary is not None:
            return None
        if isinstance(self._store, SqliteStore):
            return self._store.path
        return state_folder() / f"hub-{self._port}" if self._port else None

    def _supervise(self) -> None:
        if self._supervision is not None:
            self._supervising = Supervising(self._store, self._supervision, self._redaction)
            self._looking = asyncio.create_task(self._supervising.run(), name="supervision")

    async def _take_uploads(self) -> None:
        if not self._uploads:
            return
        self._posting = UploadDesk(self._uploads, lambda: self._gate, self._counters, self._desk.pace)
        self._door.uploads = self._posting
        for handler in set(self._uploads.values()):
            await handler.open(self._inlet)

    async def _listen(self) -> Server:
        try:
            return await serve(
                self._serve,
                self._host,
                self._port,
                subprotocols=[Subprotocol(name) for name in (SUBPROTOCOL, *self._streams)],
                compression=None,  # measured: 3 to 5 times the CPU at 10 to 100 watchers
                process_request=self._admit,
                server_header=None,
                open_timeout=self._limits.handshake_s,
                ping_interval=PING_S,
                ping_timeout=PING_S,
                close_timeout=CLOSE_S,
                max_size=MAX_FRAME_BYTES,
                max_queue=QUEUED_FRAMES,
                logger=WIRE_LOG,
                **connection_options(self._door, self._tls),
            )
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise HubError(
                    f"port {self._port} is taken: maybe a hub runs already; port 0 takes a free one",
                    code="hub_port_taken",
                    port=str(self._port),
                ) from None
            raise cannot_listen(self._host, self._port, error) from None

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        try:
            admission = self._gate.admit(request.method, request.path, request.headers)
            if admission.path == HEALTH_PATH:
                return answers.health(connection, self._store, self._figures.about())
            if admission.path == METRICS_PATH:
                return answers.metrics(connection, self._metrics, ", ".join(request.headers.get_all("Accept")))
            self._door.take_seat(connection, admission)
        except Refusal as refusal:
            self._counters.refused += 1
            self._counters.refused_full += refusal.status in (429, 503)
            if (more := self._refusals.due(refusal.status)) is not None:
                log.info(
                    "refused a request: %d %s", refusal.status, refusal.why,
                    extra=fields("request_refused", status=refusal.status, not_logged_before=more),
                )  # fmt: skip
            return answers.refused(connection, refusal)
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        admission = self._door.seats.admission(connection)
        if admission.path == WATCH_PATH:
            await self._watch(connection, admission)
        else:
            await self._publish(connection, admission)

    async def _watch(self, connection: ServerConnection, admission: Admission) -> None:
        watcher = Watcher(connection, admission, self._store, self._limits.watcher)
        self._counters.watchers += 1
        self._watchers.enter(watcher)
        try:
            slow = await watcher.run(server_name(), live=partial(self._watchers.join, watcher))
            self._counters.too_slow += slow
        finally:
            self._watchers.leave(watcher)
            self._counters.watchers -= 1

    async def _publish(self, connection: ServerConnection, admission: Admission) -> None:
        owner, stream = admission.identity.name, self._streams.get(connection.subprotocol or "")
        publisher: PublishConnection | ForeignConnection = (
            PublishConnection(connection, owner, self._desk)
            if stream is None
            else ForeignConnection(connection, owner, stream, self._inlet, self._desk, self._runs)
        )
        self._counters.publishers += 1
        self._publishers.add(publisher)
        try:
            await publisher.run()
        finally:
            self._publishers.discard(publisher)
            self._counters.publishers -= 1

    def _committed(self, events: Sequence[StoredEvent]) -> None:
        self._counters.stored += len(events)
        if self._supervising is not None:
            self._supervising.committed(events)
        self._watchers.offer(events)

    def _health_changed(self, health: Health) -> None:
        self._watchers.tell(State.of(health))


async def _accept_no_more(server: Server) -> None:
    """Close what listens, once the sockets that the system has already handed over have become connections.

    asyncio fails over a socket whose server closes in between, and leaves it to the garbage collector.
    """
    loop = server.get_loop()
    with contextlib.suppress(NotImplementedError):  # a loop that has no readers has no such gap either
        for listening in server.sockets:
            loop.remove_reader(listening.fileno())
    for _ in range(2):  # a task for each accepted socket, then its connection_made
        await asyncio.sleep(0)
    server.close(close_connections=False)
