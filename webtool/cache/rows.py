"""Rows of the cache file as values. In: a row. Out: what it holds, or None where it is damaged. Pure.

SQLite keeps any value in any column, whatever the table says, and a file lives for years among other programs and
failing disks. A row that is not what webtool writes is not a row: it is fetched anew and replaced.
"""

from __future__ import annotations

from webtool.cache.snapshot import Snapshot
from webtool.lean import dates, jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

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
    """A row of `snapshots`."""
    if not all(map(isinstance, row, _COLUMN_TYPES)):
        return None
    found = Snapshot(*row)
    if dates.from_iso(found.fetched_at) is None or not 0 <= (found.status_code or 200) <= 999:
        return None
    is_whole = _holds(found.headers_json, dict) and _holds(found.extract_cfg_json, dict) and _has_links(found)
    return found if is_whole else None


def is_listed(row: Sequence[Any]) -> bool:
    """Whether a listing's row has its texts: hash, URL, title, mode, media type, time; then a number."""
    *texts, size = row
    return all(isinstance(text, _TEXT) for text in texts) and None not in (texts[0], texts[1]) and type(size) is int


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
