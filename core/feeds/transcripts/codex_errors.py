"""How Codex writes down that a request failed."""

from __future__ import annotations

from pydantic_core import from_json

from ...rounds.base import CallError
from ...wire.errors import PROVIDER_ERROR, provider_error
from .fields import Object, count_of, object_of, word_of
from .told_text import ERROR_CHARS, bounded

TRANSPORT = "transport"
_BROKEN = frozenset(("response_stream_disconnected", "http_connection_failed", "response_stream_connection_failed"))


def error_of(value: object) -> CallError:
    """Return the error that an object with ``message`` and ``codex_error_info``, or a text, tells of."""
    fields = object_of(value)
    message = word_of(fields.get("message")) or word_of(value)
    info = fields.get("codex_error_info")
    code = word_of(info)
    status: int | None = None
    for name, detail in object_of(info).items():
        code = name
        status = count_of(object_of(detail).get("http_status_code"))
    if code is None and message is not None and (body := _body(message)):
        found = provider_error(body, count_of(body.get("status")) or 0)
        return found.model_copy(update={"message": bounded(found.message, ERROR_CHARS) if found.message else None})
    return CallError(
        kind=TRANSPORT if code in _BROKEN and status is None else PROVIDER_ERROR,
        http_status=status if status is not None and status >= 400 else None,
        code=bounded(code, ERROR_CHARS) if code else None,
        message=bounded(message, ERROR_CHARS) if message else None,
    )


def _body(message: str) -> Object:
    """Return the provider's error object, where the message is one."""
    if not message.startswith("{"):
        return {}
    try:
        return object_of(from_json(message))
    except ValueError:
        return {}
