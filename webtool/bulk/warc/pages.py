"""Yield the pages of an archive for extract_many. In: a binary stream. Out: (url, body, content type) of each.

Tests: tests/bulk/test_files.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.bulk.warc import captures, reader
from webtool.bulk.warc.record import Record
from webtool.errors import FetchTooLarge, WebtoolError
from webtool.lean.typing import BinaryIO, Union


class ArchivedPage(tuple[str, bytes, Union[str, None]]):
    """(url, body, content type) of a page, with its provenance in `capture`: columns of the row that it becomes."""

    capture: dict[str, object]


Page = Union[ArchivedPage, WebtoolError]

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
    """Return the page of a record to convert, or the error that its row will be. Both have its capture."""
    page: Page
    try:
        page = _decoded(record)
    except WebtoolError as error:
        error.url = record.url
        page = error
    page.capture = _capture(record)  # type: ignore[union-attr]
    return page


def _decoded(record: Record) -> ArchivedPage:
    if record.is_cut:
        raise FetchTooLarge(f"the record has more than {MAX_PAGE_BYTES >> 20} MB")
    if record.kind == "text":
        return ArchivedPage((record.url, record.content, "text/plain; charset=utf-8"))
    response = record.response(MAX_PAGE_BYTES)
    return ArchivedPage((record.url, response.body, response.content_type or record.media_type or None))


def _capture(record: Record) -> dict[str, object]:
    """Return where a page comes from, as columns of its row (columns.py); those that the record states."""
    stated = {
        "warc_date": record.date,
        "record_id": record.id,
        "digest": record.headers.get("WARC-Payload-Digest") or record.headers.get("WARC-Block-Digest"),
        "status": record.status,
        "media_type": record.media_type,
    }
    return {name: value for name, value in stated.items() if value}
