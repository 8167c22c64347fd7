"""Check rows of the cache file and turn them into values. In: a row. Out: its value, or None if it is damaged. Pure.

SQLite accepts any value in any column, and the file lives for years among other programs and failing disks. So a row
that webtool would not write counts as damaged: its page is fetched again and the row replaced.

A body of 4 KB or more is compressed if that saves a tenth: a mark, its length in eight bytes, and a zlib stream. A
body is nine tenths of a stored page, and HTML shrinks to a fifth: 100 real pages shrank from 371 KB to 109 KB each, for
1.1 ms of CPU time to store and 0.7 ms to read. Text columns are not compressed, so that people can read them.
Tests: tests/cache/test_rows.py
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool.cache.snapshot import Snapshot
from webtool.lean import dates, jsontext
from webtool.lean.optional import HAS_ZLIB, zlib
from webtool.lean.typing import Any

_MARK = b"\x00deflated\x00"  # begins a compressed body
HEAD = len(_MARK) + 8  # bytes before the zlib stream (RFC 1950): mark and length
_MIN_PACKED = 4096  # bytes; a smaller body fits into one page of SQLite anyway
_MAX_BODY = 256 << 20  # bytes; a row that states a longer body is damaged, since settings allow at most this


def packed(body: bytes | None) -> bytes | None:
    """Return the body as stored. A body that begins with the mark by itself is always compressed, to be unambiguous."""
    if body is None or not HAS_ZLIB or not (len(body) >= _MIN_PACKED or body.startswith(_MARK)):
        return body
    stream = zlib.compress(body, 1)
    if HEAD + len(stream) > len(body) * 0.9 and not body.startswith(_MARK):
        return body
    return _MARK + len(body).to_bytes(8, "big") + stream


def unpacked(stored: bytes) -> bytes | None:
    """Return the body; None if it is damaged, or compressed and this Python has no zlib."""
    if not stored.startswith(_MARK):
        return stored
    size = size_of(stored[:HEAD], len(stored))
    if size > _MAX_BODY or not HAS_ZLIB:
        return None
    reader = zlib.decompressobj()
    try:
        body = reader.decompress(stored[HEAD:], size + 1)
    except zlib.error:
        return None
    return body if reader.eof and len(body) == size else None


def size_of(head: bytes, length: int) -> int:
    """Return the size of a body in bytes. `head` are the first HEAD bytes of its stored form, `length` its length."""
    return int.from_bytes(head[len(_MARK) : HEAD], "big") if head.startswith(_MARK) else length


_TEXT = (str, type(None))
_NUMBER = (int, type(None))
# Types of the columns of Snapshot that are not optional text.
_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("hash", "url", "final_url", "mode", "fetched_at"), (str,)),
    **dict.fromkeys(("status_code", "raw_truncated", "fetch_ms", "extract_ms"), _NUMBER),
    "raw_bytes": (bytes, type(None)),
}
_COLUMN_TYPES = tuple(_TYPES.get(name, _TEXT) for name in Snapshot._fields)


def snapshot(row: Sequence[Any]) -> Snapshot | None:
    """Return a row of table `snapshots`, or None if damaged. Without zlib, a compressed body is None."""
    if not all(map(isinstance, row, _COLUMN_TYPES)):
        return None
    stored = Snapshot(*row)
    if stored.raw_bytes is not None:
        body = unpacked(stored.raw_bytes)
        if body is None and HAS_ZLIB:
            return None
        stored = stored._replace(raw_bytes=body)
    if dates.from_iso(stored.fetched_at) is None or not 0 <= (stored.status_code or 200) <= 999:
        return None
    objects = (jsontext.members(text) for text in (stored.headers_json, stored.extract_cfg_json))
    return stored if None not in objects and _has_links(stored.links_json) else None


def listed(row: Sequence[Any]) -> tuple[Any, ...] | None:
    """Return a row of a listing: hash, URL, title, mode, media type, time, size; None if it is damaged.

    Instead of the size, `row` ends with three values: length of the markdown, length and first bytes of the body.
    """
    *texts, markdown, length, head = row
    if not all(isinstance(text, _TEXT) for text in texts) or None in (texts[0], texts[1]):
        return None
    size = markdown if markdown is not None or not isinstance(head, bytes) else size_of(head, length)
    return (*texts, size or 0)


def robots(row: Sequence[Any]) -> tuple[bytes, int, float] | None:
    """Return a row of table `robots`: body, status, time; None if it is damaged."""
    body, status, fetched_at = row
    is_whole = isinstance(body, bytes) and isinstance(status, int) and isinstance(fetched_at, (int, float))
    return (body, status, float(fetched_at)) if is_whole else None


def _has_links(text: str | None) -> bool:
    """Return whether links_json is NULL or a list of objects whose text and href are strings."""
    try:
        links = [] if text is None else jsontext.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(links, list) and all(
        isinstance(link, dict) and all(isinstance(link.get(name, ""), str) for name in ("text", "href"))
        for link in links
    )
