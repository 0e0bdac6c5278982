"""Which hub a command means, with which token, and whether anybody is there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ...core.hub import DEFAULT_URL, HubError, read_token
from .context import Context
from .failure import CommandFailed

DEFAULT_NAME = "default"
"""The hub of the configuration that is meant when none is named."""
PROBE_S = 2.0
SCHEMES = ("ws://", "wss://")
PORTS = {"ws": 80, "wss": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """A hub to talk to."""

    url: str
    token: str | None = None
    """None: this account's own, for a hub on this machine."""
    is_named: bool = True
    """False: nobody said which hub, so it is the one of this machine."""
    name: str | None = None
    """Its name in the configuration."""

    @property
    def label(self) -> str:
        """What the operator calls it."""
        return self.name or self.url


def targets(names: Sequence[str], token_file: Path | None, context: Context) -> list[Target]:
    """Return the hubs of these addresses or names; without any those of ``watch`` in the configuration, or the default.

    A hub that is named twice counts once.

    Raises:
        CommandFailed: see ``target``; or one token file is to do for several hubs, which would show one hub's token
            to another.
    """
    wanted = list(names) or list(context.settings.watch)
    if not wanted:
        return [target(None, token_file, context)]
    if len(wanted) > 1 and token_file is not None:
        raise CommandFailed("cli.watch.token_for_several")
    found: dict[str, Target] = {}
    for name in wanted:
        one = target(name, token_file, context)
        found.setdefault(one.url.rstrip("/"), one)
    return list(found.values())


def target(name: str | None, token_file: Path | None, context: Context) -> Target:
    """Return the hub of that address or configured name.

    Raises:
        CommandFailed: there is no such hub, or its token cannot be read.
    """
    known = context.settings.hubs.get(name or DEFAULT_NAME)
    if known is not None:
        return Target(known.url, _token(token_file or known.token_file), name=name or DEFAULT_NAME)
    if name is None:
        return Target(DEFAULT_URL, _token(token_file), is_named=False)
    if "://" not in name:
        raise CommandFailed("cli.watch.unknown_hub", name=name)
    if not name.startswith(SCHEMES):  # the rest of it may hold a secret: it is not quoted
        raise CommandFailed("cli.watch.wrong_scheme")
    return Target(name, _token(token_file))


def _token(file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        token = read_token(file)
    except HubError as error:
        raise CommandFailed("cli.hub.failed_token", why=error) from None
    if token is None:
        raise CommandFailed("cli.hub.token_missing", file=str(file))
    return token


async def is_listening(url: str) -> bool:
    """Say whether anybody accepts connections at the hub's address."""
    try:
        parts = urlsplit(url)
        async with asyncio.timeout(PROBE_S):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port or PORTS.get(parts.scheme, 80))
    except (OSError, ValueError):  # TimeoutError is an OSError; ValueError: no address
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True
