"""The garbage collector kept off what stays: while a command loads, and in commands that serve for long."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

YOUNG = 20_000
"""Objects made before the youngest are looked at: a read's events are freed long before, without any looking."""


@contextmanager
def loading() -> Generator[None]:
    """Let the collector rest inside; from then on it looks only at what is made later.

    Its rounds over ever more modules and classes take a tenth of a small command's time. A collector that somebody
    has switched off stays off.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def settle_memory() -> None:
    """Keep the collector off everything that is there by now, and let it run less often: a pause holds up everybody.

    For a process that serves, once, when it has started.
    """
    gc.collect()
    gc.freeze()
    _, middle, old = gc.get_threshold()
    gc.set_threshold(YOUNG, middle, old)
