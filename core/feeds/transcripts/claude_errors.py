"""How Claude Code writes down that a request failed or was turned away."""

from __future__ import annotations

import re

from ...rounds.base import CallError
from ...wire.errors import PROVIDER_ERROR, provider_error
from .fields import Object, count_of, object_of, word_of
from .told_text import ERROR_CHARS, bounded

OUTPUT_CAP = "max_output_tokens"
"""The error that says no request failed: the answer reached its cap."""
CONNECTION = "transport"
_STATUS = re.compile(r"API Error:? ?\(?(\d{3})\b")


def request_error(record: Object) -> CallError:
    """Return the error of a ``system`` record that tells of a failed request."""
    error = record.get("error")
    fields = object_of(error)
    status = count_of(fields.get("status")) or 0
    body = fields.get("error")
    connection = object_of(fields.get("connection"))
    if body is not None or not fields:
        found = provider_error(body if body is not None else error or "", status)
        return found.model_copy(update={"message": _kept(found.message)})
    message = word_of(fields.get("message")) or word_of(fields.get("formatted")) or word_of(connection.get("message"))
    code = word_of(connection.get("code")) or word_of(fields.get("code")) or word_of(fields.get("type"))
    no_answer = not status and (connection or fields.get("isNetworkDown") is True or "cause" in fields)
    return CallError(
        kind=CONNECTION if no_answer else PROVIDER_ERROR,
        http_status=status if status >= 400 else None,
        code=_kept(code),
        message=_kept(message),
    )


def final_error(record: Object, text: str) -> CallError:
    """Return the error of the message that Claude Code shows in place of an answer."""
    status = _STATUS.match(text)
    code = word_of(record.get("error"))
    number = count_of(record.get("apiErrorStatus")) or (int(status[1]) if status else None)
    return CallError(
        kind=PROVIDER_ERROR,
        http_status=number if number is not None and number >= 400 else None,
        code=_kept(code),
        message=_kept(text),
    )


def _kept(text: str | None) -> str | None:
    return bounded(text, ERROR_CHARS) if text else None
