"""Store pages, searches and robots.txt in one SQLite file. In: a Snapshot, or a key. Out: a Snapshot, or None.

store.py is the way in; files.py keeps the file usable, tables.py makes its tables and checks what is read, full_text.py
searches, purging.py deletes. freshness.py and headers.py decide by RFC 9111 what may be stored and reused; both are
pure. Fetching and conversion are left to webtool.pages.
"""
