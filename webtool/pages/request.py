"""What to open, how, and what comes of it: Wanted, Page, and the key of a page in the cache. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from webtool.cache import freshness, snapshot
from webtool.cache.snapshot import Snapshot
from webtool.lean import jsontext
from webtool.lean.records import NamedTuple

MODES = ("full", "readable", "raw", "rendered")


class Wanted(NamedTuple):
    """What to open, and how."""

    url: str
    mode: str = "full"
    """full (whole document), readable (main content), raw (decoded body) or rendered (through a browser)."""
    max_bytes: int | None = None
    accept: str = ""
    """An Accept header field of the caller's; "" is webtool's own."""
    force: bool = False
    """Ask the server even where the kept copy is fresh."""
    accept_age: float = 0.0
    """Seconds of age up to which the kept copy is used as it is."""
    ttl: float = freshness.TTL_OPEN
    """Seconds that a page without any word about freshness counts as fresh."""
    thresholds: Mapping[str, object] = {}
    """char_threshold and max_top_candidates of the classical strategy."""
    with_groups: tuple[int, ...] = ()
    """Groups of what readable mode leaves out that are kept as well."""
    use_siteconfig: bool = True
    siteconfig_id: str = ""
    mark: str = ""
    """The attribute by which a browser says what of the page cannot be seen; "" where none was asked."""
    select: str = ""
    """CSS selectors: only the elements they find."""
    drop: str = ""
    """CSS selectors: without the elements they find."""
    clicks: bool = False
    """The setting render_clicks: a page whose panels a browser opened is another one than the page as it came."""
    follow: bool = True
    """Go where the page's head says its text is: its markdown alternate (if `accept` asks for markdown), a refresh."""


class Page(NamedTuple):
    """A snapshot and how it came about. The snapshot's markdown has no header block."""

    snapshot: Snapshot
    cache_hit: bool = False
    stale: bool = False
    notes: tuple[str, ...] = ()
    """Sentences for the reader: what was left out, why a copy is old, what else could be tried."""


def chosen_headers(wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """Request fields of the caller's choice; they are part of the cache key."""
    return (("Accept", wanted.accept),) if wanted.accept else ()


def key_of(url: str, wanted: Wanted) -> str:
    """The cache key of a normalised URL opened this way."""
    # What was chosen of a page is a page of its own; no field name begins with a colon.
    clicks = "1" if wanted.clicks and wanted.mode == "rendered" else ""
    what = ((":select", wanted.select), (":drop", wanted.drop), (":clicks", clicks))
    chosen = [(name, value) for name, value in what if value]
    return snapshot.snapshot_hash(url, snapshot.vary_headers((*chosen_headers(wanted), *chosen)), wanted.mode)


def fits(kept: Snapshot, wanted: Wanted, *, any_groups: bool = False) -> bool:
    """Whether a kept copy was made as it is wanted now; the key does not tell site rules, thresholds and groups apart.
    `any_groups` leaves the last ones out."""
    if wanted.mode in ("full", "raw"):
        return True
    if kept.siteconfig_id and not wanted.use_siteconfig:
        return False
    made = choices_of(kept)
    if groups_of(kept) != list(wanted.with_groups) and not any_groups:
        return False
    if not kept.siteconfig_id and not wanted.use_siteconfig:
        made.pop("use_siteconfig", None)  # rules found nothing to do here: no difference
        return made == dict(wanted.thresholds)
    return made == {**wanted.thresholds, **chosen_rules(wanted)}


def choices_of(kept: Snapshot) -> dict[str, object]:
    """What the caller chose when this copy was made, but for groups: thresholds, use_siteconfig, siteconfig_id."""
    return {name: value for name, value in _made(kept).items() if name not in _NO_CHOICES}


def groups_of(kept: Snapshot) -> list[object]:
    """The groups that were added to this copy."""
    groups = _made(kept).get("with")
    return groups if isinstance(groups, list) else []


_NO_CHOICES = ("strategy_used", "configuration", "notes", "reading", "with")


def _made(kept: Snapshot) -> dict[str, object]:
    made = jsontext.members(kept.extract_cfg_json)
    return {"": "damaged"} if made is None else made


def chosen_rules(wanted: Wanted) -> dict[str, object]:
    """What the caller said about site rules, where it is not the default; kept with the page."""
    if not wanted.use_siteconfig:
        return {"use_siteconfig": False}
    return {"siteconfig_id": wanted.siteconfig_id} if wanted.siteconfig_id else {}
