"""Open a file on this machine instead of a page. In: its name and bytes. Out: a Page, a Document, or HTML as text.

Nothing is fetched and nothing is cached. The name's ending replaces a Content-Type header field: it is believed if the
bytes allow it.
Tests: tests/tools/test_reading.py
"""

from __future__ import annotations

from webtool import documents, html
from webtool.cache.tables import Snapshot
from webtool.context import Context, LocalFile
from webtool.documents import Document, formats
from webtool.errors import InvalidArgument
from webtool.lean import dates
from webtool.pages.in_worker import convert
from webtool.pages.request import Page, PageRequest, Source


def open_local(ctx: Context, local: LocalFile, request: PageRequest) -> Page:
    """Return the file as a page in the mode of the request. Raises InvalidArgument for mode rendered."""
    if request.mode == "rendered":
        raise InvalidArgument("rendered mode opens URLs, not files", hint="Use mode full or readable for a file.")
    content_type = _content_type(local.name)
    converted = convert(ctx, request._replace(use_siteconfig=False), Source(local.body, content_type, ""))
    snapshot = Snapshot(
        hash="",
        url=local.name,
        final_url=local.name,
        mode=request.mode,
        content_type=content_type,
        status_code=None,
        fetched_at=dates.iso(ctx.now()),
        **converted.columns,  # type: ignore[arg-type]
    )
    return Page(snapshot, notes=converted.notes)


def html_or_document(ctx: Context, local: LocalFile) -> str | Document:
    """Return the text of an HTML file, or another file converted. A nameless file counts as HTML if it has a tag."""
    content_type = _content_type(local.name)
    kind = documents.kind_of(local.body, content_type)
    if kind == "html" or (kind in ("text", "xml") and content_type is None and b"</" in local.body):
        return html.decode(local.body, content_type)[0]
    return documents.convert(local.body, kind, content_type, deadline=ctx.deadline)


def _content_type(name: str) -> str | None:
    """Return the media type of a file name's suffix, or None if it is unknown: "a.md" -> text/markdown."""
    row = formats.find("suffixes", name.lower().removesuffix(".gz").rpartition(".")[2])
    return row.media_types[0] if row and row.media_types else None
