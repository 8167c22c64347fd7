"""Snapshots of pages in one SQLite file. In: a Snapshot, keys. Out: a Snapshot, or None where there is none.

freshness.py and keys.py are pure (RFC 9111), store.py and files.py touch the file, purging.py deletes. Fetching and
conversion are left to webtool.pages.
"""
