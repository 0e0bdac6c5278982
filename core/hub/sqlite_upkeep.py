"""What a SQLite store does by itself beside the traffic: letting old events go, checking, trying to write again."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from typing import Protocol

from .errors import StoreError, StoreUnavailable
from .sqlite_check import QuickCheck
from .store_health import Checking, Writing

log = logging.getLogger(__name__)

UPKEEP_S = 1.0  # between two looks at whether something has to go, or writing works again
STEP_PAUSE_S = 0.02  # between two steps of trimming: most of the writing thread's time stays with the commits
PROBE_BYTES = 64 * 1024
"""Enough to need new pages: a write that fits into what is allocated proves nothing about a full disk."""


class Kept(Protocol):
    """What upkeep needs of the store."""

    @property
    def writing(self) -> Writing:
        """Whether it can be written."""
        ...

    async def trim(self) -> int:
        """See ``Store.trim``."""
        ...

    async def shrink(self) -> bool:
        """Give some space back to the disk; return whether there may be more."""
        ...

    async def try_again(self) -> None:
        """Find out whether writing works by now."""
        ...


async def keep_up(store: Kept) -> None:
    """Look after ``store`` until cancelled; what fails has told by the store's health."""
    while True:
        await asyncio.sleep(UPKEEP_S)
        try:
            while await store.trim() or await store.shrink():  # noqa: ASYNC110 - one step and a pause, no waiting
                await asyncio.sleep(STEP_PAUSE_S)
            if store.writing is not Writing.OK:
                await store.try_again()
        except StoreUnavailable as error:
            log.debug("upkeep has to wait: %s", error)


async def check_beside(check: QuickCheck, name: str) -> tuple[Checking, str | None]:
    """Return what the quick check says, and what is damaged where something is."""
    log.info("store %s: it was not closed in good order; checking it beside the traffic", name)
    try:
        what = await check.run()
    except (StoreError, sqlite3.Error) as error:
        log.warning("store %s: not checked: %s; 'roundwatch hub --check' does it", name, error)
        return Checking.UNKNOWN, None
    if check.was_stopped:
        return Checking.UNKNOWN, None
    log.info("store %s: %s", name, "sound" if what is None else "damaged")
    return (Checking.SOUND if what is None else Checking.DAMAGED), what


def probe(connection: sqlite3.Connection) -> None:
    """Write something for certain.

    Raises:
        sqlite3.Error: writing does not work.
    """
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('probe', ?)", ("." * PROBE_BYTES,))
    connection.execute("DELETE FROM meta WHERE key = 'probe'")
