"""Read and write web archives (WARC files). In: a binary stream. Out: Records; or the bytes of records.

Reads WARC 0.17 to 1.1 (ISO 28500): plain, in gzip members as Common Crawl writes them, or in Zstandard frames if Python
has Zstandard (3.14). WET and WAT files are recognised by their records. ARC, the older format, is refused by name.
reader.py reads records, captures.py finds and chooses them. writer.py makes records, recorder.py writes them to a file
while pages are fetched. The content of pages is left to html, extraction and documents.

    for record in records(open("crawl.warc.gz", "rb")):
        if record.type == "response":
            print(record.url, record.response().status)
Tests: tests/bulk/warc/test_reader.py
"""

from __future__ import annotations

from webtool.bulk.warc.captures import pages
from webtool.bulk.warc.reader import Records, records
from webtool.bulk.warc.record import Record

__all__ = ["Record", "Records", "pages", "records"]
