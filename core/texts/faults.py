"""Errors in the viewer's language."""

from __future__ import annotations

import errno

from ..rounds.faults import CodedError
from .texts import Texts

_SYSTEM = {
    errno.EACCES: "os_denied",
    errno.EPERM: "os_denied",
    errno.ENOENT: "os_missing",
    errno.ENOTDIR: "os_missing",
    errno.EISDIR: "os_folder",
    errno.ELOOP: "os_loop",
    errno.EIO: "os_broken",
    errno.EMFILE: "os_many_files",
    errno.ENFILE: "os_many_files",
    errno.ENOSPC: "os_full",
    errno.EROFS: "os_read_only",
}
"""What the system says of a file, by its number: its own words come in the language of the process only."""


def fault_text(error: Exception, texts: Texts) -> str:
    """Return what an error says, in the viewer's language where it has a text, else its own English sentence."""
    if isinstance(error, CodedError) and error.code is not None and (key := f"fault.{error.code}") in texts:
        return texts(key, **error.facts)
    if isinstance(error, OSError) and error.strerror:
        known = _SYSTEM.get(error.errno) if error.errno is not None else None
        return error.strerror if known is None else texts(f"fault.{known}")
    return str(error)
