"""Rows of the cache file as values. In: a row. Out: what it holds, or None where it is damaged. Pure.

SQLite keeps any value in any column, whatever the table says, and a file lives for years among other programs and
failing disks. A row that is not what webtool writes is not a row: it is fetched anew and replaced.

Bodies are deflated where that saves room. A body is nine tenths of a stored page, and a fifth is left of HTML: 100 real
pages took 371 KB each and take 109, for 1.1 ms of CPU time more to put and 0.7 ms to get. Text that people and other
programs read there stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool.cache.snapshot import Snapshot
from webtool.lean import dates, jsontext
from webtool.lean.optional import HAS_ZLIB, zlib
from webtool.lean.typing import Any

_MARK = b"\x00deflated\x00"  # in front of the length in eight bytes and a zlib stream (RFC 1950)
HEAD = len(_MARK) + 8
"""Bytes before the stream."""
_LEAST = 4096  # bytes; SQLite keeps a row by pages of this size
_MOST = 256 << 20  # bytes: more than any setting allows, so what says more is damaged


def packed(body: bytes | None) -> bytes | None:
    """The form for the file. A body that looks like one already is always packed, so that no body is mistaken."""
    if body is None or not HAS_ZLIB or not (len(body) >= _LEAST or body.startswith(_MARK)):
        return body
    stream = zlib.compress(body, 1)
    if HEAD + len(stream) > len(body) * 0.9 and not body.startswith(_MARK):
        return body
    return _MARK + len(body).to_bytes(8, "big") + stream


def unpacked(stored: bytes) -> bytes | None:
    """The body; None where it is damaged, or cannot be read by a Python without zlib."""
    if not stored.startswith(_MARK):
        return stored
    size = size_of(stored[:HEAD], len(stored))
    if size > _MOST or not HAS_ZLIB:
        return None
    reader = zlib.decompressobj()
    try:
        body = reader.decompress(stored[HEAD:], size + 1)
    except zlib.error:
        return None
    return body if reader.eof and len(body) == size else None


def size_of(head: bytes, length: int) -> int:
    """Bytes of the body whose stored form has this length and begins with `head` (HEAD bytes suffice)."""
    return int.from_bytes(head[len(_MARK) : HEAD], "big") if head.startswith(_MARK) else length


_TEXT = (str, type(None))
_NUMBER = (int, type(None))
# Columns that may hold something else than text, or must hold something.
_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("hash", "url", "final_url", "mode", "fetched_at"), (str,)),
    **dict.fromkeys(("status_code", "raw_truncated", "fetch_ms", "extract_ms"), _NUMBER),
    "raw_bytes": (bytes, type(None)),
}
_COLUMN_TYPES = tuple(_TYPES.get(name, _TEXT) for name in Snapshot._fields)


def snapshot(row: Sequence[Any]) -> Snapshot | None:
    """A row of `snapshots`. Without zlib it may lack its body."""
    if not all(map(isinstance, row, _COLUMN_TYPES)):
        return None
    found = Snapshot(*row)
    if found.raw_bytes is not None:
        body = unpacked(found.raw_bytes)
        if body is None and HAS_ZLIB:
            return None
        found = found._replace(raw_bytes=body)
    if dates.from_iso(found.fetched_at) is None or not 0 <= (found.status_code or 200) <= 999:
        return None
    objects = (jsontext.members(text) for text in (found.headers_json, found.extract_cfg_json))
    return found if None not in objects and _has_links(found.links_json) else None


def listed(row: Sequence[Any]) -> tuple[Any, ...] | None:
    """A listing's row: hash, URL, title, mode, media type, time, size; None where a text is not one.

    The row has, in place of the size, the length of the markdown, and length and first bytes of the stored body.
    """
    *texts, markdown, length, head = row
    if not all(isinstance(text, _TEXT) for text in texts) or None in (texts[0], texts[1]):
        return None
    size = markdown if markdown is not None or not isinstance(head, bytes) else size_of(head, length)
    return (*texts, size or 0)


def robots(row: Sequence[Any]) -> tuple[bytes, int, float] | None:
    """A row of `robots`: body, status, time."""
    body, status, fetched_at = row
    is_whole = isinstance(body, bytes) and isinstance(status, int) and isinstance(fetched_at, (int, float))
    return (body, status, float(fetched_at)) if is_whole else None


def _has_links(text: str | None) -> bool:
    try:
        links = [] if text is None else jsontext.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(links, list) and all(
        isinstance(link, dict) and all(isinstance(link.get(name, ""), str) for name in ("text", "href"))
        for link in links
    )
