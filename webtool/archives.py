"""The public name of webtool.bulk.warc: `webtool.archives.pages(stream)` and what belongs to it."""

from __future__ import annotations

from webtool.bulk.warc import Record, Records, pages, records

__all__ = ["Record", "Records", "pages", "records"]
