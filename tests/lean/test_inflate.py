"""Inflated bytes equal zlib's, for every way of compressing."""

import pathlib
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.lean.inflate import inflate


def deflated(data, level=9, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
    return packer.compress(data) + packer.flush()


RANDOM = random.Random(5).randbytes(70_000)
# Every length of a match, 3 to 258, at every magnitude of distance: the second half repeats pieces of the first.
PIECES = [RANDOM[at % 32_000 :][:size] + bytes([size % 251]) for at, size in zip(range(0, 10**9, 1297), range(3, 259))]
NEAR = b"".join(bytes([65 + n]) * (n + 4) + RANDOM[n * 7 : n * 7 + n] + RANDOM[n * 7 : n * 7 + n] for n in range(60))
MATCHES = RANDOM[:32_300] + b"".join(PIECES) + NEAR
DATA = [b"", b"a", b"abc" * 5000, RANDOM, bytes(range(256)) * 300, pathlib.Path(__file__).read_bytes() * 40, MATCHES]


@pytest.mark.parametrize("data", DATA, ids=["nothing", "one byte", "repeats", "noise", "all bytes", "text", "matches"])
@pytest.mark.parametrize("level", [0, 1, 9])
@pytest.mark.parametrize("strategy", [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY])
def test_what_was_compressed_comes_back(data, level, strategy):
    assert inflate(deflated(data, level, strategy)) == data


@given(st.binary(max_size=200))
def test_any_bytes_give_what_zlib_gives_or_an_error(data):
    try:
        expected = zlib.decompressobj(-15)
        whole = expected.decompress(data)
    except zlib.error:
        whole = None
    if whole is None or not expected.eof:
        return  # zlib says where a stream is broken, we only that it is
    assert inflate(data) == whole


@pytest.mark.parametrize("damage", ["size", "end"])
def test_a_damaged_stored_block_is_refused(damage):
    data = deflated(b"stored bytes", 0)
    damaged = data[:1] + b"\x05" + data[2:] if damage == "size" else data[:-3]
    with pytest.raises((IndexError, ValueError)):
        inflate(damaged)
