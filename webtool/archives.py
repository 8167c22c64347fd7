"""Public name of webtool.bulk.warc: `webtool.archives.pages(stream)`, `records(stream)` and their classes.

Tests: tests/test_library.py
"""

from __future__ import annotations

from webtool.bulk.warc import Record, Records, pages, records

__all__ = ["Record", "Records", "pages", "records"]
