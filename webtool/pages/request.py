"""Name what to open and how (PageRequest), what to convert (Source), the result (Page), and the cache key. Pure.

The cache key covers the URL, the mode, the caller's Accept field, and `select` and `drop`. It does not cover the other
choices (site rules, thresholds, groups): stored_copies.fits() compares those with what a stored copy was made for.
Tests: tests/pages/test_opening.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.cache import freshness
from webtool.cache.tables import Snapshot, snapshot_hash, vary_headers
from webtool.lean.records import NamedTuple

MODES = ("full", "readable", "raw", "rendered")


class PageRequest(NamedTuple):
    """A page to open: its URL, and the caller's choices."""

    url: str
    mode: str = "full"
    """full (whole document), readable (main content), raw (decoded body) or rendered (through a browser)."""
    max_bytes: int | None = None  # largest body to accept, in bytes after decoding; None is the setting max_bytes
    accept: str = ""  # the caller's Accept header field; "" sends webtool's own
    force: bool = False  # ask the server even if the stored copy is fresh
    accept_age: float = 0.0  # use a stored copy of at most this age in seconds, fresh or not
    ttl: float = freshness.TTL_OPEN
    """Seconds for which a page counts as fresh if its server says nothing about freshness."""
    thresholds: Mapping[str, object] = {}  # char_threshold and max_top_candidates of the rule-based extraction strategy
    with_groups: tuple[int, ...] = ()  # numbers of groups that readable mode leaves out and that are to be added back
    use_siteconfig: bool = True
    siteconfig_id: str = ""  # use the site rules of this id instead of those of the URL's host
    select: str = ""  # CSS selectors: keep only the elements that match
    drop: str = ""  # CSS selectors: remove the elements that match
    sends_headers: bool = True  # whether the caller's header fields (Context.headers) go to this URL


class Source(NamedTuple):
    """A body to convert, and where it comes from."""

    body: bytes | str  # text is HTML that is decoded already
    content_type: str | None  # the Content-Type header field, None without one
    url: str
    mark: str = ""  # the attribute that a browser set on hidden elements of this HTML; "" if no browser was used


class Page(NamedTuple):
    """A snapshot and how it came about. The snapshot's markdown has no header block."""

    snapshot: Snapshot
    cache_hit: bool = False
    stale: bool = False  # the copy is older than it should be, but the server could not be asked
    notes: tuple[str, ...] = ()  # sentences for the reader: what was left out, why a copy is old, what else to try
    source: Source | None = None
    """The page that was asked for, if the snapshot is the markdown that it named as its own."""


def chosen_headers(request: PageRequest) -> tuple[tuple[str, str], ...]:
    """Return the header fields that the caller chose; they are part of the cache key."""
    return (("Accept", request.accept),) if request.accept else ()


def key_of(request: PageRequest, opens_panels: bool = False) -> str:
    """Return the cache key of a request whose URL is normalised.

    `opens_panels` (the setting render_clicks) gives rendered pages a key of their own.
    """
    clicks = "1" if opens_panels and request.mode == "rendered" else ""
    # Choices count as header fields that begin with a colon: no real field name does.
    choices = ((":select", request.select), (":drop", request.drop), (":clicks", clicks))
    chosen = [(name, value) for name, value in choices if value]
    return snapshot_hash(request.url, vary_headers((*chosen_headers(request), *chosen)), request.mode)
