"""Loading what a command needs with the garbage collector at rest: what is loaded stays, there is nothing to find."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


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
