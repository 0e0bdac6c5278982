"""Connections to Redis that notice a restart of the server before anything is written to another history."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.commands.core import AsyncScript
from redis.exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    BusyLoadingError,
    ConnectionError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from .backoff import plain
from .errors import StoreError
from .store_health import Writing

ANSWER_S = 10.0
"""A server that says nothing for this long is taken for gone; what was sent may have been kept."""
CONNECT_S = 5.0
SAID_CHARS = 200  # of what a server says
NEWS_WAIT_S = 5.0
"""The server answers the one that waits for news after this time even when there is none."""


class Commands(Protocol):
    """What is used of the library's client: it leaves most of its answers untyped."""

    async def execute_command(self, *words: str | bytes | int) -> Any:
        """Return the answer to one command."""
        ...

    def register_script(self, script: str) -> AsyncScript:
        """Return a script that can be called; it is sent once."""
        ...

    async def aclose(self) -> None:
        """End the connections."""
        ...


class Restarted(ConnectionError):
    """The server at the address is another run than the one that was met before, or tells another history."""


@dataclass(slots=True)
class Acquaintance:
    """Which run of the server is known; every new connection is held to it."""

    run: str | None = None
    """None: any will do, the next look decides."""


@dataclass(slots=True)
class RedisLink:
    """A client for commands, and one for the one that waits for news."""

    url: str
    known: Acquaintance = field(default_factory=Acquaintance)
    commands: Commands = field(init=False)
    news: Commands = field(init=False)

    def __post_init__(self) -> None:
        """Make the clients; nothing is connected yet."""
        self.commands = _client(self.url, self.known, ANSWER_S)
        self.news = _client(self.url, self.known, NEWS_WAIT_S + ANSWER_S)

    async def close(self) -> None:
        """End the connections."""
        await self.commands.aclose()
        await self.news.aclose()


def _client(url: str, known: Acquaintance, answer_s: float) -> Commands:
    async def on_connect(connection: AbstractConnection) -> None:
        await connection.on_connect()
        if known.run is None:
            return
        await connection.send_command("INFO", "server")
        said = cast("bytes | str", await connection.read_response())
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        if f"run_id:{known.run}" not in text:
            raise Restarted("the server was started anew")

    client = cast("Any", Redis).from_url(
        url,
        decode_responses=False,
        socket_connect_timeout=CONNECT_S,
        socket_timeout=answer_s,
        health_check_interval=0,
        retry=None,
        redis_connect_func=on_connect,
    )
    return cast(Commands, client)


def refusal(place: str, error: Exception) -> StoreError:
    """Return why a server is not used at all, with the code that says it in the reader's language."""
    why = fault_of(place, error)[1]
    match error:
        case AuthenticationError() | AuthenticationWrongNumberOfArgsError():
            return StoreError(why, code="redis_login", place=place)
        case ConnectionError() | TimeoutError() | OSError() if not isinstance(error, BusyLoadingError):
            return StoreError(why, code="redis_unreachable", place=place)
        case _:
            return StoreError(why, code="redis_fault", place=place, said=plain(str(error))[:SAID_CHARS])


def fault_of(place: str, error: Exception) -> tuple[Writing, str]:
    """Return the state that an error means, and the sentence for operators."""
    said = f"the store {place} cannot be used: {plain(str(error))[:SAID_CHARS]}"
    match error:
        case Restarted():
            return Writing.FAILING, f"the store {place} is read anew: {error}"
        case AuthenticationError() | AuthenticationWrongNumberOfArgsError():  # before ConnectionError: it is one
            return Writing.FAILING, (
                f"the store {place} refuses the login: wrong password or user name, or none given; "
                "put the right ones into the address (--redis-file or ROUNDWATCH_REDIS_URL)"
            )
        case NoPermissionError():
            return Writing.FAILING, f"{said}; allow this user the command and the keys"
        case OutOfMemoryError():
            return Writing.FULL, f"{said}; raise maxmemory or keep less, it then goes on by itself"
        case ReadOnlyError():
            return Writing.READ_ONLY, f"{said}; it is a replica: name the primary"
        case BusyLoadingError():
            return Writing.FAILING, f"{said}; it goes on by itself once it has loaded"
        case ResponseError() if "MISCONF" in str(error):
            return Writing.FULL, f"{said}; see what its disk says, it then goes on by itself"
        case ConnectionError() | TimeoutError():
            return Writing.FAILING, f"the store {place} does not answer; it goes on by itself once it does"
        case RedisError():
            return Writing.FAILING, said
        case _:
            return Writing.FAILING, said
