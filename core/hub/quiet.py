"""The websocket library's log, from warnings on: at debug level it prints headers, tokens included, and at info level
a line for everybody who connects, so that strangers would decide how large our log becomes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    _Adapter = logging.LoggerAdapter[logging.Logger]
else:
    _Adapter = logging.LoggerAdapter


class _Warnings(_Adapter):
    """Passes warnings and errors, whatever level somebody sets on the logger."""

    def isEnabledFor(self, level: int) -> bool:
        return level >= logging.WARNING and super().isEnabledFor(level)

    def log(self, level: int, msg: object, *args: Any, **kwargs: Any) -> None:
        if self.isEnabledFor(level):
            super().log(level, msg, *args, **kwargs)


WIRE_LOG = _Warnings(logging.getLogger(__name__), {})
"""Given to every connection instead of the library's own logger."""
