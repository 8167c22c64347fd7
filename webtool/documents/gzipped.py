"""A compressed document, as sitemaps are often served. In: a Source of gzip data. Out: the Document inside.

Specification: RFC 1952.
"""

from __future__ import annotations

from webtool.documents import CONVERTERS, Document, Source, convert_source, kind_of, unsupported
from webtool.lean.optional import zlib
from webtool.running.budget import Spent

_SHARE = 2  # inflated bytes are decoded, into up to four bytes for each


def convert(source: Source) -> Document:
    """The document inside. Raises UnsupportedContent for what is not a document, ExtractFailed for damaged data."""
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflater.decompress(source.body, source.budget.limit // _SHARE)
    except zlib.error as exc:
        raise source.failed(f"is damaged: {exc}") from exc
    if inflater.unconsumed_tail:
        raise Spent
    kind = kind_of(body, None, source.url.removesuffix(".gz"))
    if kind not in CONVERTERS or kind == "gzip":
        raise unsupported(source.body, source.content_type, source.url)
    return convert_source(source._replace(body=body, kind=kind, content_type=None))
