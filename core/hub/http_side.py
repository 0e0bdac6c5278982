"""HTTP/1.1 for bodies that are posted: one connection, its requests one after another, each within bounds."""

from __future__ import annotations

import asyncio
import contextlib
import http
import logging
from collections.abc import Callable

import h11

from .auth import Identity
from .gate import Refusal
from .upload_desk import UploadDesk
from .uploads import Answer, Upload, UploadHandler, UploadHeaders

log = logging.getLogger(__name__)

HEAD_BYTES = 32 * 1024
HELD_BYTES = 64 * 1024 * 1024
"""Bodies of all connections together; what comes on top is answered 503."""
CONTINUE = "100-continue"


class HttpSide(asyncio.Protocol):
    """One connection that did not begin with GET."""

    transport: asyncio.Transport

    def __init__(self, desk: UploadDesk, left: Callable[[HttpSide], None]) -> None:
        """Serve it; ``left`` is called once it is gone."""
        self._desk, self._left = desk, left
        self._h11 = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._loop = asyncio.get_running_loop()
        self._began_s = self._heard_s = self._loop.time()
        self._look: asyncio.TimerHandle | None = None
        self._headers = UploadHeaders(())
        self._for: tuple[str, Identity] | None = None
        self._body = bytearray()
        self._is_idle = True
        self._is_turned_away = False
        self._is_stopping = False
        self.task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a head."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._desk.sides.add(self)
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection; a body that was whole is still stored."""
        if self._look is not None:
            self._look.cancel()
        self._forget_body()
        self._desk.sides.discard(self)
        self._left(self)

    def data_received(self, data: bytes) -> None:
        """Take bytes; after a refusal they only have to go somewhere."""
        self._heard_s = self._loop.time()
        if self._is_turned_away:
            return
        if self._is_idle:
            self._is_idle, self._began_s = False, self._heard_s
        self._h11.receive_data(data)
        self._read_on()

    def eof_received(self) -> bool:
        """Keep the connection for an answer that is being made."""
        return self.task is not None

    def stop(self) -> None:
        """End as soon as no request is being answered."""
        self._is_stopping = True
        if self.task is None and not self._is_turned_away:
            self.transport.close()

    def _read_on(self) -> None:
        while self.task is None and not self._is_turned_away:
            try:
                event = self._h11.next_event()
            except h11.RemoteProtocolError as error:
                self._turn_away(error.error_status_hint, "the request is no valid HTTP/1.1")
                return
            if event is h11.NEED_DATA or event is h11.PAUSED or isinstance(event, h11.ConnectionClosed):
                return
            if isinstance(event, h11.Request):
                self._head(event)
            elif isinstance(event, h11.Data):
                self._piece(event.data)
            elif isinstance(event, h11.EndOfMessage):
                self._whole()

    def _head(self, request: h11.Request) -> None:
        self._headers = UploadHeaders(request.headers.raw_items())
        self._began_s = self._loop.time()
        try:
            self._for = self._desk.gate().admit_upload(
                request.method.decode("ascii"), request.target.decode("latin-1"), self._headers
            )
        except Refusal as refusal:
            self._desk.counters.refused += 1
            log.info("refused a request: %d %s", refusal.status, refusal.why)
            self._turn_away(refusal.status, refusal.why, request.target)
            return
        declared = self._headers.get("content-length")
        if declared.isdecimal() and int(declared) > self._handler.most_bytes:
            self._too_large()
        elif self._headers.get("expect").lower() == CONTINUE:
            self._send(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue"))

    def _piece(self, data: bytes) -> None:
        self._body += data
        self._desk.held_bytes += len(data)
        if len(self._body) > self._handler.most_bytes:
            self._too_large()
        elif self._desk.held_bytes > HELD_BYTES:
            self._turn_away(503, "the hub holds as much as it may: send again later")

    def _too_large(self) -> None:
        self._turn_away(413, f"the body has more than {self._handler.most_bytes} bytes")

    @property
    def _handler(self) -> UploadHandler:
        assert self._for is not None
        return self._desk.handlers[self._for[0]]

    def _whole(self) -> None:
        assert self._for is not None
        path, identity = self._for
        upload = Upload(path, identity.name, self._headers, bytes(self._body))
        self._desk.counters.received_bytes += len(upload.body)
        self.transport.pause_reading()
        self.task = self._loop.create_task(self._answer(upload), name="upload")
        self._desk.tasks.add(self.task)
        self.task.add_done_callback(self._desk.tasks.discard)

    async def _answer(self, upload: Upload) -> None:
        try:
            await self._desk.wait_turn(upload)
            answer = await self._handler.take(upload)
        except Exception:  # the task's rim: whoever waits has to hear something
            log.exception("an upload could not be handled")
            answer = self._handler.refuse(500, "the hub failed at it; its log says how", upload.headers)
        finally:
            self.task = None
            self._forget_body()
        if self.transport.is_closing():
            return
        self._write(answer, close=self._is_stopping)
        self._next()

    def _next(self) -> None:
        if self._h11.our_state is h11.DONE and self._h11.their_state is h11.DONE:
            self._h11.start_next_cycle()
            self._for = None
            self._began_s = self._heard_s = self._loop.time()
            self._is_idle = not self._h11.trailing_data[0]
            self.transport.resume_reading()
            self._read_on()
        else:
            self.transport.close()

    def _turn_away(self, status: int, why: str, target: bytes = b"") -> None:
        """Answer, and end: the rest of the body is not waited for, only given time to arrive."""
        path = self._for[0] if self._for is not None else target.partition(b"?")[0].decode("latin-1")
        handler = self._desk.handlers.get(path)
        answer = (
            Answer(status, body=f"{why}\n".encode()) if handler is None else handler.refuse(status, why, self._headers)
        )
        self._is_turned_away = True
        self._forget_body()
        with contextlib.suppress(h11.LocalProtocolError):  # the client's fault came too early for an answer
            self._write(answer, close=True)
        self._loop.call_later(self._desk.patience.goodbye, self.transport.close)

    def _write(self, answer: Answer, *, close: bool) -> None:
        headers = [("content-type", answer.content_type), ("content-length", str(len(answer.body)))]
        if close:
            headers.append(("connection", "close"))
        if answer.status == 401:
            headers.append(("www-authenticate", 'Bearer realm="roundwatch"'))
        if answer.status == 405:
            headers.append(("allow", "POST"))
        if answer.retry_after_s is not None:
            headers.append(("retry-after", str(answer.retry_after_s)))
        reason = http.HTTPStatus(answer.status).phrase.encode()
        self._send(h11.Response(status_code=answer.status, headers=headers, reason=reason))
        self._send(h11.Data(data=answer.body))
        self._send(h11.EndOfMessage())

    def _send(self, event: h11.Event) -> None:
        data = self._h11.send(event)
        if data:
            self.transport.write(data)

    def _forget_body(self) -> None:
        self._desk.held_bytes -= len(self._body)
        self._body = bytearray()

    def _look_later(self) -> None:
        self._look = self._loop.call_later(self._desk.patience.look, self._look_at_time)

    def _look_at_time(self) -> None:
        self._look_later()
        if self.task is not None or self._is_turned_away:
            return
        now, patience = self._loop.time(), self._desk.patience
        began, heard = now - self._began_s, now - self._heard_s
        if self._for is not None:
            if heard > patience.pause or began > patience.body:
                self._turn_away(408, "the body did not come")
        elif not self._is_idle:
            if began > patience.head:
                self._turn_away(408, "the head of the request did not come")
        elif began > patience.idle:
            self.transport.close()
