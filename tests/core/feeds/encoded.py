"""Bodies as servers compress them."""

from __future__ import annotations

import gzip
from importlib import import_module
from typing import Any

import zstandard

_BROTLI: Any = import_module("brotli")  # it has no types


def brotli(data: bytes) -> bytes:
    """Return ``data`` under ``Content-Encoding: br``."""
    return bytes(_BROTLI.compress(data))


def zstd(data: bytes) -> bytes:
    """Return ``data`` under ``Content-Encoding: zstd``."""
    return zstandard.ZstdCompressor().compress(data)


ENCODERS = {"gzip": gzip.compress, "br": brotli, "zstd": zstd}
"""By the name in the header."""
