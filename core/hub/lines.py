"""Cutting frames into the producers' own texts, and adding or removing one member without re-serialising."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from .errors import FrameError

SPACES = frozenset(" \t\n\r")
SPACE = re.compile(r"[ \t\n\r]*")
BETWEEN = re.compile(r"\}[ \t\n\r]*,[ \t\n\r]*\{")
TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},]', re.DOTALL)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


@dataclass(frozen=True, slots=True)
class Piece:
    """One element of a frame: its own text, and what it decodes to or why it does not."""

    text: str
    value: Any = None
    fault: str | None = None

    @property
    def fields(self) -> dict[str, Any] | None:
        """The element's members, or None when it is no object (or could not be decoded)."""
        value: object = self.value
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def split_frame(text: str) -> list[Piece]:
    """Return the events of a frame (one object, or an array), each with the text its producer wrote.

    An element that is JSON but cannot be decoded here (nested too deeply, a number too long, NaN) carries a fault;
    the others are untouched by it.

    Raises:
        FrameError: the frame is not JSON.
    """
    try:
        return list(_pieces(text))
    except json.JSONDecodeError as error:
        raise FrameError(f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}") from None
    except (RecursionError, ValueError):
        return [_decoded(part) for part in _coarse(text)]


def _pieces(text: str) -> Iterator[Piece]:
    position = _skip(text, 0)
    if not text.startswith("[", position):
        value, end = DECODER.raw_decode(text, position)
        yield Piece(text[position:end], value)
    elif text.startswith("]", end := _skip(text, position + 1)):
        end += 1
    else:
        while True:
            value, stop = DECODER.raw_decode(text, end)
            yield Piece(text[end:stop], value)
            end = _skip(text, stop)
            if text.startswith("]", end):
                break
            if not text.startswith(",", end):
                raise json.JSONDecodeError("Expecting ',' delimiter", text, end)
            end = _skip(text, end + 1)
        end += 1
    if (rest := _skip(text, end)) != len(text):
        raise json.JSONDecodeError("Extra data", text, rest)


def cut_array(text: str, count: int) -> list[str] | None:
    """Return the texts of the ``count`` objects that the array holds, without decoding them a second time.

    ``text`` is JSON, an array of that many objects and of nothing else. Each of its own commas stands between two
    objects, so where no more of these places are found than the array has commas, they are its own; None where a
    string or an object inside holds the same characters.
    """
    inner = text.strip()[1:-1].strip()
    parts = BETWEEN.split(inner[1:-1])
    return ["{" + part + "}" for part in parts] if len(parts) == count else None


def _skip(text: str, position: int) -> int:
    if text[position : position + 1] not in SPACES:  # nearly always
        return position
    match = SPACE.match(text, position)
    return match.end() if match else position


def _coarse(text: str) -> list[str]:
    """Return the texts of the elements, found by their brackets alone: no depth is too deep for that."""
    text = text.strip()
    if not text.startswith("["):
        return [text]
    parts: list[str] = []
    depth, start = 0, 1
    for token in TOKEN.finditer(text):
        mark = token.group()
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if (mark == "," and depth == 1) or (mark in "]}" and depth == 0):
            parts.append(text[start : token.start()].strip())
            start = token.end()
    if depth or text[start:].strip():
        raise FrameError("not readable: its brackets do not match")
    return parts


def _decoded(text: str) -> Piece:
    try:
        return Piece(text, DECODER.decode(text))
    except json.JSONDecodeError as error:
        return Piece(text, fault=f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}")
    except RecursionError:
        return Piece(text, fault="not readable: nested too deeply")
    except ValueError:
        return Piece(text, fault="not readable: a number that is too long or no JSON number")


def string_member(text: str, name: str) -> str | None:
    """Return the object's own member ``name`` where it is a string, without decoding the others; None otherwise."""
    found: str | None = None
    key: str | None = None
    depth, at_key = 0, False
    for token in TOKEN.finditer(text):
        mark = token.group()
        if mark.startswith('"') and depth == 1:
            if at_key:
                key, at_key = mark[1:-1], False
            elif key == name:
                found, key = _decoded(mark).value, None
            continue
        depth += (mark in "[{") - (mark in "]}")
        at_key, key = depth == 1 and mark in "{,", None
    return found


def one_line(text: str) -> str:
    """Return the JSON text without line ends; inside strings JSON has none, so only white space changes."""
    return text.replace("\r", " ").replace("\n", " ") if "\n" in text or "\r" in text else text


def without_member(text: str, name: str) -> str:
    """Return the object's text without its own members called ``name``; all others keep their exact text."""
    kept: list[str] = []
    position = _skip(text, _skip(text, 0) + 1)
    while not text.startswith("}", position):
        key, end = DECODER.raw_decode(text, position)
        _, stop = DECODER.raw_decode(text, _skip(text, _skip(text, end) + 1))
        if key != name:
            kept.append(text[position:stop])
        position = _skip(text, stop)
        if text.startswith(",", position):
            position = _skip(text, position + 1)
    return "{" + ",".join(kept) + "}"


def with_member(text: str, name: str, value: str | int) -> str:
    """Return the object's text with one member put first. The object has other members and none of this name."""
    return f'{{"{name}":{json.dumps(value)},{text[1:]}'


def with_seq(line: bytes, seq: int) -> bytes:
    """Return a stored line as it goes out: the producer's own text, plus the hub's ``seq`` put first."""
    return b'{"seq":%d,%b' % (seq, line[1:])
