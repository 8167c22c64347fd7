"""Decompress a gzip file and convert the document in it. In: a Source of gzip data. Out: the Document inside.

Sitemaps are often served this way. Specification: RFC 1952.
Tests: tests/documents/test_feeds.py
"""

from __future__ import annotations

from webtool.documents import Document, Source, convert_source, kind_of, unsupported
from webtool.lean.optional import zlib
from webtool.running.budget import Spent

_MAX_BYTES_SHARE = 2  # of the budget's characters, half may be inflated bytes: decoding takes up to four bytes for each


def convert(source: Source) -> Document:
    """Convert the document inside. Raises UnsupportedContent for other data, ExtractFailed if it is damaged."""
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflater.decompress(source.body, source.budget.limit // _MAX_BYTES_SHARE)
    except zlib.error as exc:
        raise source.failed(f"is damaged: {exc}") from exc
    if inflater.unconsumed_tail:
        raise Spent
    kind = kind_of(body, None, source.url.removesuffix(".gz"))
    if kind in ("html", "gzip", "binary"):
        raise unsupported(source.body, source.content_type, source.url)
    return convert_source(source._replace(body=body, kind=kind, content_type=None))
