"""Provider errors of any shape, in a failed response or inside a good one."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..rounds.base import CallError
from ..rounds.calls import CONTENT_FILTER_CODES
from .json_text import compact, well_formed
from .shapes import at_path, is_list, is_object, text_of

PROVIDER_ERROR = "provider_error"
MESSAGE_CHARS = 2000
"""What is kept of an error text that comes from outside."""
CODE_CHARS = 200

_CODES = (
    ("code",),
    ("innererror", "code"),
    ("inner_error", "code"),
    ("type",),
    ("error_type",),
    ("status",),
    ("__type",),
)
_MESSAGES = ("message", "Message", "detail", "error_description", "msg", "title", "error")
_NESTED = 4
"""Levels of ``error`` inside ``error`` that are followed."""
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_SECRET = re.compile(r"\b(?:(?:sk|pk|rk|gsk|xai|pplx)[-_]|Bearer |AIza)[A-Za-z0-9_*.\-]{12,}")
"""Providers quote the key they turned away."""


def provider_error(value: Any, http_status: int) -> CallError:
    """Return the error that ``value`` (an error object, a body around one, or a text) describes.

    Args:
        value: decoded JSON; ``error`` inside is followed.
        http_status: kept only where it says failure itself: an error inside an HTTP 200 has no status of its own.
    """
    fields = _innermost(value)
    if is_object(fields):
        code, message = _code(fields), _message(fields)
    else:
        code, message = None, fields if isinstance(fields, str) else compact(fields)
    return CallError(
        kind=PROVIDER_ERROR,
        http_status=http_status if http_status >= 400 else None,
        code=well_formed(code)[:CODE_CHARS] if code else None,
        message=_shown(message),
    )


def error_page(head: bytes, http_status: int) -> CallError:
    """Return the error of a failed response whose body is neither SSE nor JSON, from its first bytes."""
    text = head.decode("utf-8", "replace")
    title = _TITLE.search(text)
    return provider_error(" ".join(html.unescape(title[1] if title else text).split()), http_status)


def failed_by_word(word: str) -> CallError:
    """Return the error of a response that says it failed by its finish word alone."""
    return CallError(kind=PROVIDER_ERROR, code=well_formed(word)[:CODE_CHARS])


def _innermost(value: Any) -> Any:
    for _ in range(_NESTED):
        if is_list(value) and value:
            value = value[0]
        inner = _inside(value)
        if inner is None:
            return value
        value = inner
    return value


def _inside(value: Any) -> Any | None:
    """Return the error inside an object; gateways write several, or theirs under another name."""
    if not is_object(value):
        return None
    inner = value.get("error")
    if not inner and not value.get("message"):
        inner = value.get("errors") or (value["detail"] if is_object(value.get("detail")) else None)
    return inner if inner and (is_object(inner) or is_list(inner)) else None


def _code(fields: Mapping[str, Any]) -> str | None:
    found = list(_codes(fields))
    return next((code for code in found if code in CONTENT_FILTER_CODES), found[0] if found else None)


def _codes(fields: Mapping[str, Any]) -> Iterator[str]:
    for path in _CODES:
        value = at_path(fields, path)
        if isinstance(value, str) and value.strip():
            yield value
        elif isinstance(value, int) and not isinstance(value, bool):
            yield str(value)


def _message(fields: Mapping[str, Any]) -> str:
    for name in _MESSAGES:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
    details = fields.get("detail")
    if is_list(details):  # a validation report: one object per field
        texts = [text for part in details if (text := text_of(at_path(part, ("msg",))))]
        if texts:
            return "; ".join(texts)
    return compact(fields)


def _shown(message: str) -> str | None:
    text = _SECRET.sub("[…]", well_formed(message[: 2 * MESSAGE_CHARS].strip()))
    if len(text) > MESSAGE_CHARS:
        text = text[:MESSAGE_CHARS] + "…"
    return text or None
