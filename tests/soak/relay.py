"""A TCP relay that breaks what goes through it: after so many bytes it cuts, resets, half-closes, stalls or lies."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
from enum import StrEnum
from types import TracebackType
from typing import Self

PIECE = 16 * 1024
STALL_S = 0.3
RESET = struct.pack("ii", 1, 0)  # SO_LINGER of no time: closing sends RST and drops what is unsent


class Fault(StrEnum):
    """How a connection ends."""

    CUT = "cut"
    """Both sides are closed in good order, in the middle of whatever it was."""
    RESET = "reset"
    """Both sides are reset."""
    HALF = "half"
    """One direction ends, the other stays open for a while."""
    STALL = "stall"
    """Nothing passes for a while, then it is cut."""
    GARBAGE = "garbage"
    """Bytes that nobody sent, then it is cut."""


class Relay:
    """Listens on a port of its own and passes on to ``target``, which may change: new connections go there."""

    def __init__(self, target: int, *, seed: int = 7, most_bytes: int = 60_000) -> None:
        """Break each connection after 0 to ``most_bytes`` bytes while ``is_faulty``."""
        self.target = target
        self.is_faulty = False
        self.faults: dict[Fault, int] = dict.fromkeys(Fault, 0)
        self._random = random.Random(seed)
        self._most_bytes = most_bytes
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        """Listen."""
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cut everything."""
        assert self._server is not None
        self._server.close()
        self.cut_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def cuts(self) -> int:
        """How many connections were broken."""
        return sum(self.faults.values())

    @property
    def url(self) -> str:
        """Where clients of a hub connect."""
        return f"ws://127.0.0.1:{self.port}"

    def cut_all(self) -> None:
        """End every connection now."""
        for task in self._tasks:
            task.cancel()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: writer.transport.abort())  # one that is cancelled before it begins never does

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        try:
            with contextlib.suppress(OSError):
                other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.target)
                writers.append(other_writer)
                await self._pass_both(reader, writer, other_reader, other_writer)
        finally:
            for each in writers:
                each.transport.abort()

    async def _pass_both(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        other_reader: asyncio.StreamReader,
        other_writer: asyncio.StreamWriter,
    ) -> None:
        budget = [self._random.randrange(self._most_bytes) if self.is_faulty else None]
        ways = [
            asyncio.create_task(self._pass(reader, other_writer, budget)),
            asyncio.create_task(self._pass(other_reader, writer, budget)),
        ]
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            if any(task.exception() is None and task.result() for task in done):
                await self._break(writer, other_writer)
        finally:
            for task in ways:
                task.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: list[int | None]) -> bool:
        """Pass bytes on; return True where the budget that both ways share is used up, False at the end."""
        while data := await reader.read(PIECE):
            left = budget[0]
            if left is not None and len(data) >= left:
                writer.write(data[:left])
                budget[0] = 0
                return True
            if left is not None:
                budget[0] = left - len(data)
            writer.write(data)
            await writer.drain()
        return False

    async def _break(self, *writers: asyncio.StreamWriter) -> None:
        fault = self._random.choice(list(Fault))
        self.faults[fault] += 1
        victim = self._random.choice(writers)
        match fault:
            case Fault.CUT:
                for writer in writers:
                    writer.close()
            case Fault.RESET:
                for writer in writers:
                    kernel: socket.socket = writer.get_extra_info("socket")
                    kernel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            case Fault.HALF:
                victim.write_eof()
                await asyncio.sleep(STALL_S)
            case Fault.STALL:
                await asyncio.sleep(STALL_S)
            case Fault.GARBAGE:
                victim.write(self._random.randbytes(self._random.randrange(1, 200)))
                with contextlib.suppress(OSError, TimeoutError):
                    async with asyncio.timeout(STALL_S):
                        await victim.drain()
                victim.close()
                await asyncio.sleep(0)
