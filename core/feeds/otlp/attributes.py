"""Attribute values of both encodings as Python values, bounded."""

from __future__ import annotations

from typing import Any

from ...wire.shapes import is_list, is_object

VALUE_CHARS = 1024 * 1024
MOST_ATTRIBUTES = 2000
DEPTH = 32
TOO_DEEP = None
"""What is nested deeper is left out."""


def of_json(given: object, depth: int = 0) -> Any:
    """Return an ``AnyValue`` of OTLP's JSON; None for bytes and whatever is none."""
    if not is_object(given) or depth > DEPTH:
        return TOO_DEEP
    for kind, held in given.items():
        match kind:
            case "stringValue":
                return _kept(whole_text(held)) if isinstance(held, str) else None
            case "boolValue":
                return held if isinstance(held, bool) else None
            case "intValue":  # 64-bit numbers are text in JSON
                return whole(held)
            case "doubleValue":
                return held if isinstance(held, int | float) and not isinstance(held, bool) else None
            case "arrayValue":
                values = held.get("values") if is_object(held) else None
                return [of_json(each, depth + 1) for each in values] if is_list(values) else []
            case "kvlistValue":
                return pairs_of_json(held.get("values") if is_object(held) else None, depth + 1)
            case _:
                continue
    return None


def pairs_of_json(given: object, depth: int = 0) -> dict[str, Any]:
    """Return a list of ``KeyValue`` of OTLP's JSON; what is none is left out."""
    found: dict[str, Any] = {}
    for pair in given[:MOST_ATTRIBUTES] if is_list(given) else []:
        key = pair.get("key") if is_object(pair) else None
        if isinstance(key, str):
            found[whole_text(key)] = of_json(pair.get("value"), depth)
    return found


def whole_text(given: str) -> str:
    """Return a text without halves of characters, which JSON can hold and nothing else can."""
    return given if given.isascii() else given.encode("utf-8", "replace").decode()


def _kept(given: str) -> str:
    """Return a text as far as it is kept; one that is JSON is of use as a whole only, and the body bounds it."""
    return given if len(given) <= VALUE_CHARS or given.startswith(("[", "{")) else given[:VALUE_CHARS]


def whole(given: object) -> int | None:
    """Return a whole number, also one written as text, in 64 bits; None for anything else."""
    if isinstance(given, str) and len(given) <= 20:
        try:
            given = int(given)
        except ValueError:
            return None
    return given if isinstance(given, int) and not isinstance(given, bool) and -(2**63) <= given < 2**64 else None


def of_protobuf(given: Any, depth: int = 0) -> Any:
    """Return a protobuf ``AnyValue``; None for bytes and an empty one."""
    match given.WhichOneof("value") if depth <= DEPTH else None:
        case "string_value":
            return _kept(given.string_value)
        case "bool_value":
            return given.bool_value
        case "int_value":
            return given.int_value
        case "double_value":
            return given.double_value
        case "array_value":
            return [of_protobuf(each, depth + 1) for each in given.array_value.values]
        case "kvlist_value":
            return pairs_of_protobuf(given.kvlist_value.values, depth + 1)
        case _:
            return None


def pairs_of_protobuf(given: Any, depth: int = 0) -> dict[str, Any]:
    """Return protobuf ``KeyValue`` messages as a dictionary."""
    return {pair.key: of_protobuf(pair.value, depth) for pair in given[:MOST_ATTRIBUTES]}
