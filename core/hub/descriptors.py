"""Room for many sockets: the soft limit of open files is often 1024, the hard one far above."""

from __future__ import annotations

import contextlib
import logging
import sys

log = logging.getLogger(__name__)
BESIDES = 768
"""Of the store, the libraries, and connections that are being asked who they are, of which TLS needs two each."""


def make_room(connections: int) -> int | None:
    """Raise the process's own limit of open files for so many connections; return it, or None where there is none."""
    if sys.platform == "win32":
        return None
    import resource

    wanted = connections + BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
            soft = allowed
        if soft < wanted:
            log.warning("only %d files may be open: fewer than %d connections fit; raise the limit", soft, connections)
    return soft
