"""Binary event-stream frames for the tests, as Amazon sends them."""

from __future__ import annotations

import base64
import json
import struct
import zlib

from tests.core.wire.bodies import Json


def frame(headers: dict[str, str], payload: bytes) -> bytes:
    """Return one frame with text headers and right checksums."""
    return raw_frame(b"".join(_header(name, value) for name, value in headers.items()), payload)


def raw_frame(headers: bytes, payload: bytes) -> bytes:
    """Return one frame with headers as they stand and right checksums."""
    head = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    body = head + struct.pack(">I", zlib.crc32(head)) + headers + payload
    return body + struct.pack(">I", zlib.crc32(body))


def event(kind: str, payload: Json | bytes) -> bytes:
    """Return an event frame."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return frame({":event-type": kind, ":content-type": "application/json", ":message-type": "event"}, data)


def exception(kind: str, payload: bytes) -> bytes:
    """Return an exception frame."""
    return frame({":exception-type": kind, ":message-type": "exception"}, payload)


def chunk(payload: Json | bytes) -> bytes:
    """Return an invoke frame around one event of the model."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return event("chunk", {"bytes": base64.b64encode(data).decode(), "p": "abc"})


def _header(name: str, value: str) -> bytes:
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
