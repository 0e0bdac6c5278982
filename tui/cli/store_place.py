"""Which store a command means: a file, or a Redis server whose password stands in no process list."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from ...core.hub import HubError, store_file
from ...core.hub.redis_address import is_redis, place_of
from ...core.hub.redis_secret import redis_in, redis_of_environment
from .context import Context
from .failure import CommandFailed

StorePlace = Path | str
"""A file, or a Redis address, which may hold a password."""


def store_argument(text: str) -> StorePlace:
    """Return what ``--store`` names.

    Raises:
        argparse.ArgumentTypeError: it is neither a file's name nor a Redis address; it is not quoted, as it may hold
            a password.
    """
    if is_redis(text):
        return text
    if not Path(text).name or "://" in text or "\0" in text:
        raise argparse.ArgumentTypeError("FILE | redis://HOST:PORT/N")
    return Path(text)


def store_place(args: argparse.Namespace, context: Context, environment: Mapping[str, str] = os.environ) -> StorePlace:
    """Return the store of command line, environment or settings, in this order; else the account's own file.

    Raises:
        CommandFailed: a Redis address cannot be read.
    """
    settings = context.settings.hub
    try:
        if args.redis_file is not None:
            return redis_in(args.redis_file)
        if args.store is not None:
            return args.store if isinstance(args.store, Path) else str(args.store)
        if (given := redis_of_environment(environment)) is not None:
            return given
        if settings.redis_file is not None:
            return redis_in(settings.redis_file)
    except HubError as error:
        raise CommandFailed("cli.hub.failed_token", why=error) from None
    return settings.store or store_file()


def shown(place: StorePlace) -> str:
    """Return how a store is named to people: a Redis address without its password.

    Raises:
        CommandFailed: it is no address.
    """
    if isinstance(place, Path):
        return str(place)
    try:
        return place_of(place)
    except HubError as error:
        raise CommandFailed("cli.hub.failed_token", why=error) from None


def file_of(place: StorePlace) -> Path:
    """Return the store's file.

    Raises:
        CommandFailed: it is none.
    """
    if isinstance(place, Path):
        return place
    raise CommandFailed("cli.hub.no_file", place=shown(place))
