"""Yield the pages of an archive for extract_many. In: a binary stream. Out: (url, body, content type) of each.

Tests: tests/bulk/test_files.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.bulk.warc import captures, reader
from webtool.bulk.warc.record import Record
from webtool.errors import FetchTooLarge, WebtoolError
from webtool.lean.typing import BinaryIO, Union

Page = Union[tuple[str, bytes, Union[str, None]], WebtoolError]

MAX_PAGE_BYTES = 64 << 20  # bytes of a record, and of a decoded page; a longer record is an error, a longer page is cut


def pages(
    stream: BinaryIO,
    *,
    statuses: Iterable[str] = ("2xx",),
    media_types: Iterable[str] = ("html",),
    urls: Iterable[str] = (),
) -> Iterator[Page]:
    """Yield the decoded pages of a WARC file and the texts of a WET file, for extract_many and to_markdown_many.

    captures.py describes the filters. A page that cannot be decoded is given as an error, which becomes its row.
    Raises UnsupportedContent if the stream is not a WARC file, InvalidArgument for a malformed filter.
    """
    page_filter = captures.make_filter(statuses, media_types, urls)
    records = reader.records(stream, max_bytes=MAX_PAGE_BYTES)
    return (page_of(record) for record in records if is_page(record, page_filter))


def is_page(record: Record, page_filter: captures.Filter) -> bool:
    """Return whether a record is a page that the filter accepts, or the text of a page (WET)."""
    kind = record.kind
    return kind == "text" or (kind == "page" and page_filter.accepts(record))


def page_of(record: Record) -> Page:
    """Return the page of a record to convert, or the error that its row will be."""
    if record.is_cut:
        return FetchTooLarge(f"the record has more than {MAX_PAGE_BYTES >> 20} MB", url=record.url)
    if record.kind == "text":
        return record.url, record.content, "text/plain; charset=utf-8"
    try:
        response = record.response(MAX_PAGE_BYTES)
    except WebtoolError as error:
        error.url = record.url
        return error
    return record.url, response.body, response.content_type or record.media_type or None
