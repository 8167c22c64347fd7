"""The pages of an archive, as extract_many takes them. In: a binary stream. Out: (url, body, content type) of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.bulk.warc import captures, reader
from webtool.bulk.warc.record import Record
from webtool.errors import FetchTooLarge, WebtoolError
from webtool.lean.typing import BinaryIO, Union

Page = Union[tuple[str, bytes, Union[str, None]], WebtoolError]

MAX_PAGE_BYTES = 64 << 20
"""Bytes of a record, and of a page after decoding, that are read; longer ones are errors."""


def pages(
    stream: BinaryIO,
    *,
    statuses: Iterable[str] = ("2xx",),
    media_types: Iterable[str] = ("html",),
    urls: Iterable[str] = (),
) -> Iterator[Page]:
    """The pages of a WARC file, decoded, and the texts of a WET file, for extract_many and to_markdown_many.

    index.py defines the filters. A page that cannot be decoded is an error, which becomes its row.
    Raises UnsupportedContent for what is not a WARC file, and InvalidArgument for a filter that says nothing.
    """
    wanted = captures.make_filter(statuses, media_types, urls)
    found = reader.records(stream, max_bytes=MAX_PAGE_BYTES)
    return (page_of(record) for record in found if is_wanted(record, wanted))


def is_wanted(record: Record, wanted: captures.Filter) -> bool:
    """Whether a record is a page, or a page's text, that the filter lets through."""
    kind = record.kind
    return kind == "text" or (kind == "page" and wanted.accepts(record))


def page_of(record: Record) -> Page:
    """A page to convert, or the error that its row is."""
    if record.is_cut:
        return FetchTooLarge(f"the record has more than {MAX_PAGE_BYTES >> 20} MB", url=record.url)
    if record.kind == "text":
        return record.url, record.content, "text/plain; charset=utf-8"
    try:
        found = record.response(MAX_PAGE_BYTES)
    except WebtoolError as error:
        error.url = record.url
        return error
    return record.url, found.body, found.headers.get("content-type") or record.media_type or None
