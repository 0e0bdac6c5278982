"""The event loop that the proxy's command runs in: uvloop where it is installed, else asyncio's own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from importlib import import_module
from typing import cast

log = logging.getLogger(__name__)

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


def loop_factory() -> LoopFactory | None:
    """Return what makes uvloop's event loop; None, with a line in the log, where it cannot be used."""
    try:
        uvloop = import_module("uvloop")
    except ImportError:  # there is none for this system, or it was left out
        log.info("uvloop is not installed: the proxy runs in asyncio's own loop and takes more processor time")
        return None
    return cast("LoopFactory", uvloop.new_event_loop)
