"""Content codings: every form that servers send, limited pieces, and webtool's own errors only."""

import contextlib
import gzip
import sys
import types
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import NetworkError
from webtool.net import decode

TEXT = b"".join(b"line %d of a text that compresses\n" % number for number in range(500))
RAW = zlib.compress(TEXT)[2:-4]


def decoded(codings, data, step=1000):
    decoder = decode.BodyDecoder(codings)
    pieces = [piece for at in range(0, len(data), step) for piece in decoder.push(data[at : at + step])]
    decoder.finish()
    if decoder.names:
        assert all(len(piece) <= decode.PIECE for piece in pieces)
    return b"".join(pieces)


FORMS = [
    ([], TEXT),
    (["identity"], TEXT),
    (["UTF-8"], TEXT),
    (["gzip"], gzip.compress(TEXT)),
    (["X-GZIP"], gzip.compress(TEXT)),
    (["gzip"], gzip.compress(TEXT[:900]) + gzip.compress(TEXT[900:])),
    (["gzip"], b"".join(gzip.compress(TEXT[at : at + 40]) for at in range(0, len(TEXT), 40))),
    (["gzip"], gzip.compress(TEXT) + b"trailing"),
    (["gzip"], gzip.compress(TEXT) + b"\x1f"),
    (["gzip"], TEXT),
    (["deflate"], zlib.compress(TEXT)),
    (["deflate"], RAW),
    (["deflate"], zlib.compress(TEXT) + b"trailing"),
    (["gzip", "gzip"], gzip.compress(gzip.compress(TEXT))),
    (["deflate", " gzip "], gzip.compress(RAW)),
]


@pytest.mark.parametrize(("codings", "data"), FORMS, ids=range(len(FORMS)))
@pytest.mark.parametrize("step", [1, 7, 100000])
def test_each_coding_is_decoded_however_the_body_is_split(codings, data, step):
    assert decoded(codings, data, step) == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate", "identity"])
def test_an_empty_input_is_an_empty_body(coding):
    assert decoded([coding], b"") == b""


def test_a_body_that_ends_near_a_full_piece_is_whole():
    """The last output may wait inside zlib, after all of a raw body was read."""
    for size in range(decode.PIECE - 10, decode.PIECE + 10):
        deflate = zlib.compressobj(9, wbits=-15)
        body = b"a" * size
        assert decoded(["deflate"], deflate.compress(body) + deflate.flush()) == body


BROKEN = [
    (["gzip"], gzip.compress(TEXT)[:-9]),
    (["gzip"], gzip.compress(TEXT)[:5]),
    (["gzip"], b"\x1f"),
    (["gzip"], b"\0\1\2\3"),
    (["gzip"], gzip.compress(TEXT)[:-8] + b"\0" * 8),
    (["deflate"], RAW[:-9]),
    (["deflate"], b"\xff" * 20),
    (["deflate"], b"x"),
    (["gzip", "gzip"], gzip.compress(gzip.compress(TEXT)[:-5])),
]


@pytest.mark.parametrize(("codings", "data"), BROKEN, ids=range(len(BROKEN)))
def test_broken_streams_are_errors_not_short_pages(codings, data):
    with pytest.raises(NetworkError):
        decoded(codings, data)


# Amazon S3 serves what was uploaded in signed chunks with the label aws-chunked.
@pytest.mark.parametrize(
    "label", ["aws-chunked", "utf-8", "UTF8", "none", "text/html", "windows-1251", "en", "\u00e9", "x-"]
)
def test_a_label_that_is_no_coding_changes_nothing(label):
    assert decoded([label], TEXT) == TEXT
    assert decoded(["gzip", label], gzip.compress(TEXT)) == TEXT
    assert decode.BodyDecoder([label]).names == []


@pytest.mark.parametrize("codings", [["br"], ["compress"], ["x-compress"], ["gzip", "br"], ["gzip"] * 4, ["X-BZIP2"]])
def test_unsupported_and_too_many_codings_are_refused(codings):
    with pytest.raises(NetworkError):
        decode.BodyDecoder(codings)


def test_a_decompression_bomb_gives_small_pieces():
    bomb = zlib.compressobj(9, wbits=31)
    data = b"".join(bomb.compress(b"\0" * 1000000) for _ in range(60)) + bomb.flush()
    pieces = decode.BodyDecoder(["gzip"]).push(data)
    assert sum(len(next(pieces)) for _ in range(50)) <= 50 * decode.PIECE


def test_many_tiny_members_are_quick():
    data = gzip.compress(b"") * 20000
    assert decoded(["gzip"], data, len(data)) == b""


@given(st.sampled_from(["gzip", "deflate"]), st.binary(max_size=200), st.integers(0, 100), st.integers(1, 9))
def test_mutated_streams_decode_or_raise_a_webtool_error(coding, noise, place, step):
    data = gzip.compress(TEXT[:500]) if coding == "gzip" else RAW
    for mutated in (noise, data[:place] + noise + data[place + 3 :]):
        with contextlib.suppress(NetworkError):
            decoded([coding], mutated, step)


def zstd_module():
    try:
        from compression import zstd
    except ImportError:
        zstd = pytest.importorskip("backports.zstd", reason="zstd is part of Python from 3.14 on")
    return zstd


@pytest.mark.peers
def test_zstd_is_decoded_if_python_supports_it(monkeypatch):
    zstd = zstd_module()
    package = types.ModuleType("compression")
    package.zstd = zstd
    monkeypatch.setitem(sys.modules, "compression", package)
    monkeypatch.setitem(sys.modules, "compression.zstd", zstd)
    frames = zstd.compress(TEXT[:5000]) + zstd.compress(TEXT[5000:])
    assert decoded(["zstd"], frames, 100) == TEXT
    with pytest.raises(NetworkError, match="cut short"):
        decoded(["zstd"], frames[:-3])
    with pytest.raises(NetworkError, match="corrupt"):
        decoded(["zstd"], b"\x28\xb5\x2f\xfd" + b"\xff" * 50)
    big = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.enable_long_distance_matching: 1}
    compressor = zstd.ZstdCompressor(options=big)
    with pytest.raises(NetworkError):
        decoded(["zstd"], compressor.compress(TEXT * 100) + compressor.flush())


@pytest.mark.peers
def test_zstd_is_refused_with_a_hint_if_python_lacks_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(NetworkError, match="zstd") as caught:
        decode.BodyDecoder(["zstd"])
    assert caught.value.hint
