"""Decompress a gzip file and convert the document in it. In: a Source of gzip data. Out: the Document inside.

Sitemaps are often served this way. Specification: RFC 1952.
Tests: tests/documents/test_feeds.py
"""

from __future__ import annotations

from webtool.documents import Document, Source, convert_source, kind_of, unsupported
from webtool.lean.optional import zlib
from webtool.running.budget import Spent

_SLICE = 4096  # bytes given to zlib at a time, as it copies those after a member's end
_MAX_MEMBERS = 100_000  # of a file; the rest is not read
_MAX_BYTES_SHARE = 2  # of the budget's characters, half may be inflated bytes: decoding takes up to four bytes for each


def convert(source: Source) -> Document:
    """Convert the document inside. Raises UnsupportedContent for other data, ExtractFailed if it is damaged."""
    limit = source.budget.limit // _MAX_BYTES_SHARE
    try:
        body, _ = inflated(source.body, limit + 1)
    except ValueError as exc:
        raise source.failed(f"is damaged: {exc}") from exc
    if len(body) > limit:
        raise Spent
    kind = kind_of(body, None, source.url.removesuffix(".gz"))
    if kind in ("html", "gzip", "binary"):
        raise unsupported(source.body, source.content_type, source.url)
    return convert_source(source._replace(body=body, kind=kind, content_type=None))


def inflated(data: bytes, limit: int) -> tuple[bytes, bool]:
    """Return at most `limit` bytes of a gzip file, and whether its last member was read to its end.

    A file may have many members: `cat a.gz b.gz`. Raises ValueError if it is damaged.
    """
    pieces: list[bytes] = []
    position = 0
    for _ in range(_MAX_MEMBERS):
        inflater = zlib.decompressobj(wbits=31)
        try:
            while limit and position < len(data) and not inflater.eof:
                piece = data[position : position + _SLICE]
                position += len(piece)
                pieces.append(inflater.decompress(piece, limit))
                limit -= len(pieces[-1])
        except zlib.error as exc:
            raise ValueError(str(exc)) from exc
        position -= len(inflater.unused_data)
        if not limit or not data.startswith(b"\x1f\x8b\x08", position):
            break
    return b"".join(pieces), inflater.eof
