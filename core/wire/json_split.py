"""Where one JSON object ends and the next begins: lines of objects, a running array of them, pretty-printed or not."""

from __future__ import annotations

import re
from typing import NamedTuple

from .faults import Fault, quoted

MAX_VALUE = 16 * 1024 * 1024
"""Bytes of one value that are kept; a longer one is counted, not read."""

_BETWEEN = re.compile(rb"[ \t\r\n,]+")
_NOISE = re.compile(rb"[^\n{]+")
_NOISE_KEPT = 80
_BRACKET = re.compile(rb'["{}\[\]]')
_STRING_END = re.compile(rb'["\\\n]')
_BEFORE_OBJECT = b"{[,:"
"""What may stand before an object inside a value; after anything else the value broke off and a new one begins."""
_LOOK_BACK = 64
"""Bytes before an object that are looked at for that."""


class Raw(NamedTuple):
    """The bytes of one value."""

    data: bytes
    offset: int


class JsonSplitter:
    """Cuts bytes into the objects they hold: the same bytes give the same cuts, however they are split."""

    def __init__(self, *, offset: int = 0, max_value: int = MAX_VALUE) -> None:
        """Start at byte ``offset`` of the body."""
        self._max = max_value
        self._seen = offset
        self._kept = bytearray()
        self._start: int | None = None
        """Where the open value begins; None between values."""
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._too_long = False
        self._in_array = False
        self._noise = bytearray()
        self._noise_at: int | None = None
        self._found: list[Raw | Fault] = []

    @property
    def is_open(self) -> bool:
        """A value or array has begun and not ended."""
        return self._start is not None or self._in_array

    @property
    def is_idle(self) -> bool:
        """Nothing has begun: what comes next begins a value of its own."""
        return self._start is None and not self._in_array and self._noise_at is None

    @property
    def seen(self) -> int:
        """Where the next byte stands in the body."""
        return self._seen

    def skip(self, size: int) -> None:
        """Take note of bytes that somebody else has read while nothing had begun."""
        self._seen += size

    def feed(self, data: bytes) -> list[Raw | Fault]:
        """Return the values that the bytes complete."""
        at = 0
        while at < len(data):
            if self._start is None:
                at = self._between(data, at)
            elif self._in_string:
                at = self._string(data, at)
            else:
                at = self._structure(data, at)
        self._seen += len(data)
        return self._drain()

    def close(self) -> list[Raw | Fault]:
        """Return what is left: of a value that stops in the middle, that it does."""
        self._end_noise()
        if self._start is not None:
            self._found.append(Fault(self._start, "a JSON value that stops in the middle"))
            self._start = None
        return self._drain()

    @property
    def rest(self) -> bytes:
        """What came of the open value."""
        return bytes(self._kept)

    def _drain(self) -> list[Raw | Fault]:
        found, self._found = self._found, []
        return found

    def _between(self, data: bytes, at: int) -> int:
        if self._noise_at is None and (blanks := _BETWEEN.match(data, at)):
            return blanks.end()
        here = data[at : at + 1]
        if here == b"{":
            self._end_noise()
            self._begin(self._seen + at)
            return at
        if self._noise_at is None and (here == b"[" or (here == b"]" and self._in_array)):
            self._in_array = here == b"["
            return at + 1
        if here == b"\n":
            self._end_noise()
            return at + 1
        return self._add_noise(data, at)

    def _add_noise(self, data: bytes, at: int) -> int:
        if self._noise_at is None:
            self._noise_at = self._seen + at
        found = _NOISE.match(data, at)
        end = found.end() if found else at + 1
        self._noise += data[at : min(end, at + _NOISE_KEPT)]
        return end

    def _end_noise(self) -> None:
        if self._noise_at is not None:
            text = bytes(self._noise[:_NOISE_KEPT]).decode("utf-8", "replace").strip()
            self._found.append(Fault(self._noise_at, f"not JSON: {quoted(text)}"))
            self._noise_at = None
            self._noise.clear()

    def _begin(self, offset: int) -> None:
        self._start = offset
        self._depth = 0
        self._in_string = self._escaped = self._too_long = False
        self._kept.clear()

    def _structure(self, data: bytes, at: int) -> int:
        found = _BRACKET.search(data, at)
        if found is None:
            self._keep(data[at:])
            return len(data)
        self._keep(data[at : found.start()])
        bracket = found[0]
        if bracket == b"{" and self._broke_off():
            self._break(self._seen + found.start())
            return found.start()
        self._keep(bracket)
        if bracket == b'"':
            self._in_string = True
        else:
            self._depth += 1 if bracket in b"{[" else -1
            if self._depth == 0:
                self._end()
        return found.end()

    def _string(self, data: bytes, at: int) -> int:
        if self._escaped:
            self._escaped = False
            self._keep(data[at : at + 1])
            return at + 1
        found = _STRING_END.search(data, at)
        if found is None:
            self._keep(data[at:])
            return len(data)
        if found[0] == b"\n":  # no string holds a line end: this line broke off
            self._break(self._seen + found.end())
            self._start = None
            return found.end()
        self._keep(data[at : found.end()])
        self._in_string = found[0] != b'"'
        self._escaped = found[0] == b"\\"
        return found.end()

    def _broke_off(self) -> bool:
        if self._too_long:
            return False
        tail = bytes(self._kept[-_LOOK_BACK:])
        before = tail.rstrip()
        return bool(before) and b"\n" in tail[len(before) :] and before[-1] not in _BEFORE_OBJECT

    def _break(self, next_at: int) -> None:
        if self._start is not None:
            self._found.append(Fault(self._start, "a JSON value that stops in the middle"))
        self._begin(next_at)

    def _keep(self, piece: bytes) -> None:
        if self._too_long:
            return
        if len(self._kept) + len(piece) > self._max:
            self._too_long = True
            return
        self._kept += piece

    def _end(self) -> None:
        start, self._start = self._start, None
        if start is None:
            return
        if self._too_long:
            self._found.append(Fault(start, f"a JSON value longer than {self._max} bytes"))
        else:
            self._found.append(Raw(bytes(self._kept), start))
        self._kept.clear()
