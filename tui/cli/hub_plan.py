"""The hub that command line, environment and settings ask for together."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from ...core.feeds.hub_doors import doors
from ...core.hub import (
    DEFAULT_PORT,
    WATCHFUL,
    Access,
    Hub,
    Limits,
    Redaction,
    SqliteStore,
    Store,
    WatcherLimits,
    tokens_in,
    tokens_of_environment,
)
from ...core.hub.extra import missing_redis
from ...core.hub.tls import ServerCertificate
from .context import Context
from .failure import CommandFailed
from .hub_settings import LIMITS_WATCHER, HubSettings
from .store_options import retention, synchronous
from .store_place import StorePlace

LOCAL = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Where the hub's tokens stand."""

    file: Path | None
    anyone: bool

    def read(self) -> Access:
        """Return who may come in, as it is written now.

        Raises:
            TokenError: a file cannot be read or trusted, or a line is wrong.
        """
        if self.anyone:
            return Access.anyone()
        listed = tokens_of_environment(os.environ) | (tokens_in(self.file) if self.file is not None else {})
        return Access.of_account(others=listed)


def tokens(args: argparse.Namespace, settings: HubSettings) -> Tokens:
    """Return where the tokens stand."""
    return Tokens(args.tokens or settings.tokens, args.no_auth)


def limits(settings: HubSettings) -> Limits:
    """Return what clients may cost."""
    given = dict(settings.limits)
    watcher = {name: given.pop(name) for name in LIMITS_WATCHER if name in given}
    return Limits(watcher=WatcherLimits(**watcher), **given)  # type: ignore[arg-type] # whole numbers were made whole


def hub(
    place: StorePlace,
    access: Access,
    certificate: ServerCertificate | None,
    args: argparse.Namespace,
    context: Context,
) -> Hub:
    """Return the hub; nothing is opened yet.

    Raises:
        CommandFailed: a library is missing, or two options do not fit together.
        HubError: a file cannot be used.
    """
    settings = context.settings.hub
    port: int | None = args.port if args.port is not None else settings.port
    redact: Path | None = args.redact or settings.redact
    return Hub(
        _store(place, args, context),
        host=args.host or settings.host or LOCAL,
        port=DEFAULT_PORT if port is None else port,
        access=access,
        hosts=args.host_name or settings.host_names,
        origins=args.origin or settings.origins,
        limits=limits(settings),
        redaction=None if redact is None else Redaction.from_file(redact),
        tls=None if certificate is None else certificate.context,
        insecure=args.insecure or settings.insecure,
        supervision=None if args.no_supervision else WATCHFUL,
        **doors(),
    )


def _store(place: StorePlace, args: argparse.Namespace, context: Context) -> Store:
    kept = context.settings.store
    if isinstance(place, Path):
        return SqliteStore(place, retention=retention(args, kept), synchronous=synchronous(args, kept))
    if (why := missing_redis()) is not None:
        raise CommandFailed("cli.hub.missing", why=why)
    from ...core.hub import RedisStore

    volatile = args.allow_volatile or context.settings.hub.allow_volatile
    return RedisStore(place, retention=retention(args, kept), allow_volatile=volatile)


def certificate(args: argparse.Namespace, settings: HubSettings) -> ServerCertificate | None:
    """Return what the hub shows who speaks TLS with it; None: it speaks none.

    Raises:
        CommandFailed: there is a key and no certificate.
        CertificateError: a file cannot be used.
    """
    file: Path | None = args.tls_cert or settings.tls_cert
    key: Path | None = args.tls_key or settings.tls_key
    if file is None:
        if key is not None:
            raise CommandFailed("cli.proxy.key_alone")
        return None
    return ServerCertificate(file, key)
