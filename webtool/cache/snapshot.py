"""One stored document: the columns of table `snapshots` in their order, and the hash that is its primary key.

The hash is sha256(normalized_url + "\\n" + vary_headers + "\\n" + mode) in hexadecimal. Equal values always give the
same row, so any program can compute the hash of a page.
Tests: tests/cache/test_rows.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.lean.records import NamedTuple

try:  # importing hashlib takes 3.5 ms, this 0.2 ms; the module's name depends on the Python version
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256 as _sha256


class Snapshot(NamedTuple):
    """A row of `snapshots`: each field is a column. Times are ISO 8601 in UTC with a trailing Z."""

    hash: str
    url: str
    final_url: str
    mode: str  # raw, readable or rendered; "full" for web_fetch's whole-document markdown
    content_type: str | None
    status_code: int | None
    fetched_at: str
    expires_at: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    raw_bytes: bytes | None = None
    raw_truncated: int = 0
    title: str | None = None
    markdown: str | None = None
    text: str | None = None
    links_json: str | None = None
    extractor_name: str | None = None
    extractor_version: str | None = None
    siteconfig_id: str | None = None
    extract_cfg_json: str | None = None
    headers_json: str | None = None
    fetch_ms: int | None = None
    extract_ms: int | None = None


def digest(text: str) -> str:
    """Return the SHA-256 of the text in UTF-8, in hexadecimal; lone surrogates are encoded too."""
    hexadecimal: str = _sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return hexadecimal


def vary_headers(chosen: Iterable[tuple[str, str]]) -> str:
    """Join the header fields that the caller chose over webtool's own, one line each, sorted; "" without one."""
    return "\n".join(sorted(f"{name.strip().lower()}: {value.strip()}" for name, value in chosen))


def snapshot_hash(normalized_url: str, vary_headers: str, mode: str) -> str:
    """Return the primary key of table `snapshots`."""
    return digest(f"{normalized_url}\n{vary_headers}\n{mode}")
