from __future__ import annotations

import gzip
import sys
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.decoding import STEP, CannotDecode, Decoder

from tests.core.feeds.encoded import ENCODERS, brotli, zstd

TEXT = b'data: {"choices": []}\n\n' * 500
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
ENCODED = {
    None: TEXT,
    "identity": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
    "deflate": zlib.compress(TEXT),
    "Deflate ": RAW.compress(TEXT) + RAW.flush(),
    "br": brotli(TEXT),
    "zstd": zstd(TEXT),
    "br, gzip": gzip.compress(brotli(TEXT)),
}


@pytest.mark.parametrize("encoding", ENCODED)
@given(size=st.integers(1, 200))
def test_any_split_of_a_compressed_body_reads_the_same(encoding: str | None, size: int) -> None:
    decoder, body = Decoder(encoding), ENCODED[encoding]
    pieces = (body[at : at + size] for at in range(0, len(body), size))

    assert b"".join(piece for part in pieces for piece in decoder.feed(part)) == TEXT


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_damaged_body_is_told(encoding: str) -> None:
    with pytest.raises(CannotDecode, match="damaged"):
        list(Decoder(encoding).feed(b"\xffno such thing" * 100))


@pytest.mark.parametrize("encoding", ENCODERS)
def test_a_body_that_grows_beyond_measure_is_given_up(encoding: str) -> None:
    bomb = ENCODERS[encoding]
    with pytest.raises(CannotDecode, match="more than 1000 bytes"):
        list(Decoder(encoding, most=1000).feed(bomb(bytes(5_000_000))))


@pytest.mark.parametrize("encoding", ENCODERS)
def test_a_bomb_is_taken_in_small_pieces_and_never_held_as_a_whole(encoding: str) -> None:
    size = 40_000_000
    bomb = ENCODERS[encoding](bytes(size))
    decoder = Decoder(encoding)
    tracemalloc.start()
    try:
        pieces = [len(piece) for piece in decoder.feed(bomb)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert sum(pieces) == size
    assert max(pieces) <= STEP
    assert peak < size // 2


def test_a_brotli_that_cannot_bound_what_it_says_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        def process(self, data: bytes) -> bytes:
            return data

    class Module:
        Decompressor = Old

    monkeypatch.setitem(sys.modules, "brotli", Module)
    with pytest.raises(CannotDecode, match=r"brotli>=1\.2"):
        Decoder("br")


@pytest.mark.parametrize(("encoding", "library"), [("br", "brotli"), ("zstd", "zstandard")])
def test_a_missing_library_is_named(encoding: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("brotli", "brotlicffi", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(CannotDecode, match=f"pip install {library}"):
        Decoder(encoding)


def test_an_unknown_encoding_is_named() -> None:
    with pytest.raises(CannotDecode, match="'rot13'"):
        Decoder("rot13")
