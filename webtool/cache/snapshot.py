"""One fetched document as it is kept: the columns of the table `snapshots`, in their order."""

from __future__ import annotations

from webtool.lean.records import NamedTuple


class Snapshot(NamedTuple):
    """A row of `snapshots`; times are ISO 8601 in UTC with a trailing Z."""

    hash: str
    url: str
    final_url: str
    mode: str
    """raw, readable or rendered; "full" for web_fetch's whole-document markdown."""
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
