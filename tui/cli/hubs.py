"""Which hub a command means, with which token, and whether anybody is there."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ...core.hub import DEFAULT_URL, HubError, read_token
from .context import Context
from .failure import CommandFailed

DEFAULT_NAME = "default"
"""The hub of the configuration that is meant when none is named."""
TOKEN_VARIABLE = "ROUNDWATCH_TOKEN"
"""Holds a token, for the one hub that a command talks to."""
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
    ca_file: Path | None = None
    """Authorities to trust instead of the system's."""

    @property
    def label(self) -> str:
        """What the operator calls it."""
        return self.name or self.url


@dataclass(frozen=True, slots=True)
class Given:
    """What the command line says about the hub, whichever it is."""

    token_file: Path | None = None
    ca_file: Path | None = None

    @classmethod
    def of(cls, args: argparse.Namespace) -> Given:
        """Return what was parsed."""
        return cls(args.token_file, args.ca_file)


def targets(names: Sequence[str], given: Given, context: Context) -> list[Target]:
    """Return the hubs of these addresses or names; without any those of ``watch`` in the configuration, or the default.

    A hub that is named twice counts once.

    Raises:
        CommandFailed: see ``target``; or one token file is to do for several hubs, which would show one hub's token
            to another.
    """
    wanted = list(names) or list(context.settings.watch)
    if not wanted:
        return [target(None, given, context)]
    if len(wanted) > 1 and given.token_file is not None:
        raise CommandFailed("cli.watch.token_for_several")
    found: dict[str, Target] = {}
    for name in wanted:
        one = target(name, given, context, environment=os.environ if len(wanted) == 1 else {})
        found.setdefault(one.url.rstrip("/"), one)
    return list(found.values())


def target(name: str | None, given: Given, context: Context, environment: Mapping[str, str] = os.environ) -> Target:
    """Return the hub of that address or configured name.

    Its token is that of the command line, else of the configuration, else of the environment.

    Raises:
        CommandFailed: there is no such hub, or its token cannot be read.
    """
    known = context.settings.hubs.get(name or DEFAULT_NAME)
    if known is not None:
        token = _token(given.token_file or known.token_file, environment)
        return Target(known.url, token, name=name or DEFAULT_NAME, ca_file=given.ca_file or known.ca_file)
    token = _token(given.token_file, environment)
    if name is None:
        return Target(DEFAULT_URL, token, is_named=False, ca_file=given.ca_file)
    if "://" not in name:
        raise CommandFailed("cli.watch.unknown_hub", name=name)
    if not name.startswith(SCHEMES):  # the rest of it may hold a secret: it is not quoted
        raise CommandFailed("cli.watch.wrong_scheme")
    return Target(name, token, ca_file=given.ca_file)


def _token(file: Path | None, environment: Mapping[str, str]) -> str | None:
    if file is None:
        return environment.get(TOKEN_VARIABLE, "").strip() or None
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
