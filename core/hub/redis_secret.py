"""A Redis address with its password from a file or the environment: a command line is seen by everybody."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from .errors import StoreError
from .redis_address import is_redis

VARIABLE = "ROUNDWATCH_REDIS_URL"
MOST_CHARS = 4096


def redis_of_environment(environment: Mapping[str, str]) -> str | None:
    """Return the address in the variable, if it is set.

    Raises:
        StoreError: it is no Redis address; it is not quoted.
    """
    given = environment.get(VARIABLE, "").strip()
    if not given:
        return None
    if not is_redis(given):
        raise StoreError(f"{VARIABLE} is no Redis address: expected redis://host:port/number", code="redis_address")
    return given


def redis_in(path: Path) -> str:
    """Return the address that a file holds and nothing else.

    Raises:
        StoreError: it cannot be read, others can read it, or it holds no Redis address; it is not quoted.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            status = os.fstat(file.fileno())
            given = file.read(MOST_CHARS + 1).strip()
    except UnicodeDecodeError:
        raise StoreError(f"{path} is no text in UTF-8", code="file_no_text", path=str(path)) from None
    except OSError as error:
        said = f"cannot read the Redis address in {path}: {error.strerror}"
        raise StoreError(said, code="redis_file_unreadable", path=str(path), said=error.strerror) from None
    if os.name == "posix" and status.st_mode & 0o077:
        said = f"others can read the Redis address in {path}: chmod 600 it"
        raise StoreError(said, code="redis_file_others_read", path=str(path))
    if not is_redis(given) or len(given) > MOST_CHARS or len(given.split()) != 1:
        raise StoreError(f"{path} holds no Redis address: expected redis://host:port/number", code="redis_address")
    return given
