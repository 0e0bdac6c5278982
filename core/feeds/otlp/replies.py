"""Answers as OTLP wants them: in the encoding of the request, errors as a status message."""

from __future__ import annotations

import json

from ...hub.uploads import Answer

JSON, PROTOBUF = "application/json", "application/x-protobuf"
RETRY_S = 1
_CODES = {400: 3, 401: 16, 403: 7, 404: 5, 413: 8, 415: 3, 429: 8, 503: 14}
"""HTTP status -> gRPC's code of the same meaning, which the body carries."""
_REJECTED = {"/v1/traces": "rejectedSpans", "/v1/logs": "rejectedLogRecords"}
UNKNOWN = 2


def accepted(content_type: str, path: str, refused: int, why: str) -> Answer:
    """Return that an export is stored, and how many of its records were no records."""
    if content_type == JSON:
        partial = {"partialSuccess": {_REJECTED[path]: str(refused), "errorMessage": why}} if refused else {}
        return Answer(200, JSON, json.dumps(partial).encode())
    if not refused:
        return Answer(200, PROTOBUF)
    # field 1 of both responses: a message with the number as field 1 and the reason as field 2
    return Answer(200, PROTOBUF, _field(1, _number(1, refused) + _field(2, why.encode())))


def refused(content_type: str, status: int, why: str) -> Answer:
    """Return why a whole export was not taken."""
    code = _CODES.get(status, UNKNOWN)
    retry = RETRY_S if status in (429, 503) else None
    if content_type == PROTOBUF:
        return Answer(status, PROTOBUF, _number(1, code) + _field(2, why.encode()), retry)
    return Answer(status, JSON, json.dumps({"code": code, "message": why}).encode(), retry)


def _number(field: int, value: int) -> bytes:
    return bytes([field << 3]) + _varint(value)


def _field(field: int, value: bytes) -> bytes:
    return bytes([field << 3 | 2]) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
