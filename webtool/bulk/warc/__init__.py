"""Web archives: WARC files read record by record, and written. In: a binary stream. Out: Records; or bytes of records.

Reads WARC 0.17 to 1.1 (ISO 28500), plain, in gzip members as Common Crawl writes them, or in Zstandard frames where
Python has Zstandard (3.14); WET and WAT files are known by their records. ARC, the format before it, is
refused by name. Finding records by an index: index; choosing among them: filters; writing them: writer. What the pages
say is left to html, extraction and documents.

    for record in records(open("crawl.warc.gz", "rb")):
        if record.type == "response":
            print(record.url, record.response().status)
"""

from __future__ import annotations

from webtool.bulk.warc.pages import pages
from webtool.bulk.warc.reader import Records, records
from webtool.bulk.warc.record import Record

__all__ = ["Record", "Records", "pages", "records"]
