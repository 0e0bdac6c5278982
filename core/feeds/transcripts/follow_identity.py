"""What a transcript is called wherever it lies: after its first records, not its path or its times."""

from __future__ import annotations

import hashlib
import re

HEAD_BYTES = 256 * 1024
LINES = 20
"""Some agents write a few lines before the first that names its session, and the same ones into several files."""
_NAMES = re.compile(rb'"(?:sessionId|session_id|sessionID|thread_id|id)"\s*:\s*"')
DIGITS = 32


def identity(head: bytes, *, is_whole: bool) -> str | None:
    """Return a name made from the first records; None while the file is too short to tell.

    Args:
        head: the first bytes of the file, up to ``HEAD_BYTES``.
        is_whole: nothing more will be added to these: a short file is named after what there is.
    """
    end = 0
    for _ in range(LINES):
        stop = head.find(b"\n", end)
        if stop < 0:
            break
        line, end = head[end:stop], stop + 1
        if _NAMES.search(line):
            return _digest(head[:end])
    else:
        return _digest(head[:end])
    if len(head) >= HEAD_BYTES or (is_whole and head.strip()):
        return _digest(head[:HEAD_BYTES])
    return None


def named_identity(name: str) -> str:
    """Return the name of what says itself how it is called: a session of a store."""
    return _digest(name.encode("utf-8", "surrogatepass"))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]
