"""The websocket library's log, without what it says at debug level: there it prints headers, tokens included."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    _Adapter = logging.LoggerAdapter[logging.Logger]
else:
    _Adapter = logging.LoggerAdapter


class _NoDebug(_Adapter):
    """Passes everything from INFO on, whatever level somebody sets on the logger."""

    def isEnabledFor(self, level: int) -> bool:
        return level > logging.DEBUG and super().isEnabledFor(level)

    def log(self, level: int, msg: object, *args: Any, **kwargs: Any) -> None:
        if self.isEnabledFor(level):
            super().log(level, msg, *args, **kwargs)


WIRE_LOG = _NoDebug(logging.getLogger(__name__), {})
"""Given to every connection instead of the library's own logger."""
