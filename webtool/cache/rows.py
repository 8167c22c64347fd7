"""Rows of the cache file as values. In: a row. Out: what it holds, or None where it is damaged. Pure.

SQLite keeps any value in any column, whatever the table says, and a file lives for years among other programs and
failing disks. A row that is not what webtool writes is not a row: it is fetched anew and replaced.
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool.cache import bodies
from webtool.cache.snapshot import Snapshot
from webtool.lean import dates, jsontext
from webtool.lean.optional import HAS_ZLIB
from webtool.lean.typing import Any

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
        body = bodies.unpacked(found.raw_bytes)
        if body is None and HAS_ZLIB:
            return None
        found = found._replace(raw_bytes=body)
    if dates.from_iso(found.fetched_at) is None or not 0 <= (found.status_code or 200) <= 999:
        return None
    is_whole = _holds(found.headers_json, dict) and _holds(found.extract_cfg_json, dict) and _has_links(found)
    return found if is_whole else None


def listed(row: Sequence[Any]) -> tuple[Any, ...] | None:
    """A listing's row: hash, URL, title, mode, media type, time, size; None where a text is not one.

    The row has, in place of the size, the length of the markdown, and length and first bytes of the stored body.
    """
    *texts, markdown, length, head = row
    if not all(isinstance(text, _TEXT) for text in texts) or None in (texts[0], texts[1]):
        return None
    size = markdown if markdown is not None or not isinstance(head, bytes) else bodies.size_of(head, length)
    return (*texts, size or 0)


def robots(row: Sequence[Any]) -> tuple[bytes, int, float] | None:
    """A row of `robots`: body, status, time."""
    body, status, fetched_at = row
    is_whole = isinstance(body, bytes) and isinstance(status, int) and isinstance(fetched_at, (int, float))
    return (body, status, float(fetched_at)) if is_whole else None


def _has_links(found: Snapshot) -> bool:
    if found.links_json is None:
        return True
    links = _loaded(found.links_json)
    return isinstance(links, list) and all(
        isinstance(link, dict) and all(isinstance(link.get(name, ""), str) for name in ("text", "href"))
        for link in links
    )


def _holds(text: str | None, kind: type) -> bool:
    return text is None or isinstance(_loaded(text), kind)


def _loaded(text: str) -> object:
    try:
        return jsontext.loads(text)
    except (ValueError, RecursionError):
        return None
