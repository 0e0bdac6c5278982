"""Content encodings, undone on a copy: what a compressed body says, in pieces of bounded size."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

STEP = 16 * 1024
"""Decoded bytes at a time: what reads them is not interrupted meanwhile."""
FED = 256  # compressed bytes given at a time to zstd, whose output cannot be limited: a block of 4 may say 128 KiB
HEADER = 2  # bytes of zlib's wrapper; a body without it fails there
MAX_DECODED = 64 * 1024 * 1024
"""A body that decompresses to more is no answer of a model."""

Decode = Callable[[bytes], Iterable[bytes]]


class CannotDecode(ValueError):
    """A body cannot be read; ``str()`` says why and what would help."""


class Decoder:
    """Undoes the encodings of one body."""

    def __init__(self, content_encoding: str | None, *, most: int = MAX_DECODED) -> None:
        """Undo what a ``Content-Encoding`` header names, the last one first; at most ``most`` bytes.

        Raises:
            CannotDecode: there is no library for one of them.
        """
        names = [name.strip().lower() for name in (content_encoding or "").split(",")]
        self._steps = [_step(name) for name in reversed(names) if name not in ("", "identity")]
        self._total, self._most = 0, most

    @property
    def is_whole(self) -> bool:
        """Return whether a body that ends here is whole, as far as its encodings tell: gzip and deflate do."""
        return all(step.is_whole for step in self._steps if isinstance(step, _Zlib))

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what ``data`` decodes to, at most ``STEP`` bytes at a time.

        Raises:
            CannotDecode: it is not what its header says, or too much.
        """
        pieces = self._through(data, 0) if self._steps else (data,)
        for piece in pieces:
            if len(piece) <= STEP:
                yield piece
            else:
                yield from (piece[start : start + STEP] for start in range(0, len(piece), STEP))

    def _through(self, data: bytes, at: int) -> Iterator[bytes]:
        if at == len(self._steps):
            self._total += len(data)
            if self._total > self._most:
                raise CannotDecode(f"the body decompresses to more than {self._most} bytes")
            yield data
            return
        try:
            for piece in self._steps[at](data):
                if piece:
                    yield from self._through(piece, at + 1)
        except CannotDecode:
            raise
        except Exception as error:  # each library has errors of its own
            raise CannotDecode(f"the compressed body is damaged: {type(error).__name__}") from error


def _step(name: str) -> Decode:
    match name:
        case "gzip" | "x-gzip":
            return _Zlib(16 + zlib.MAX_WBITS)
        case "deflate":
            return _Zlib(zlib.MAX_WBITS, fallback=-zlib.MAX_WBITS)
        case "br":
            return _brotli(_library(("brotli", "brotlicffi"), "br").Decompressor())
        case "zstd":
            return _zstd(_library(("zstandard",), "zstd").ZstdDecompressor().decompressobj().decompress)
        case _:
            raise CannotDecode(f"the body has the unknown encoding {name[:40]!r}")


def _library(names: tuple[str, ...], encoding: str) -> Any:
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise CannotDecode(f"the body is compressed with {encoding}; to read it: pip install {names[0]}")


def _zstd(decompress: Callable[[bytes], bytes]) -> Decode:
    def decode(data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), FED):
            yield decompress(data[start : start + FED])

    return decode


def _brotli(decompressor: Any) -> Decode:
    """Take what brotli says in parts: a few bytes may say a gigabyte."""
    try:
        decompressor.process(b"", output_buffer_limit=STEP)
    except TypeError:
        raise CannotDecode(
            "this brotli cannot bound what it says; to read the body: pip install 'brotli>=1.2'"
        ) from None

    def decode(data: bytes) -> Iterator[bytes]:
        said = decompressor.process(data, output_buffer_limit=STEP)
        while said or not decompressor.can_accept_more_data():  # it has taken all in before it has said all
            yield said
            if decompressor.is_finished():
                return
            said = decompressor.process(b"", output_buffer_limit=STEP)

    return decode


class _Zlib:
    """gzip, of one member or several, and deflate, with its wrapper or without."""

    def __init__(self, window: int, *, fallback: int | None = None) -> None:
        self._window, self._fallback = window, fallback
        self._stream = zlib.decompressobj(window)
        self._begun = b""
        """The first bytes, until the wrapper's header is known to be there or not."""
        self.is_whole = True
        """No member is half read."""

    def __call__(self, data: bytes) -> Iterator[bytes]:
        while data:
            self.is_whole = False
            try:
                piece = self._stream.decompress(data, STEP)
            except zlib.error:
                if self._fallback is None:
                    raise
                self._window, self._fallback = self._fallback, None
                self._stream = zlib.decompressobj(self._window)
                data = self._begun + data
                continue
            if self._fallback is not None:
                self._begun += data[:HEADER]
                if len(self._begun) >= HEADER:
                    self._fallback = None
            yield piece
            data = self._stream.unconsumed_tail
            if self._stream.eof:
                data, self.is_whole = self._stream.unused_data, True
                self._stream = zlib.decompressobj(self._window)
