"""May this answer be kept, may that kept one be used? RFC 9111 for a private cache, RFC 5861 for stale content.

In: status, header pairs, a Snapshot, the time. Out: decisions. Nothing here reads a clock, a file or a socket.
webtool.pages.opening asks in this order: plan() before the request; may_serve_stale() where it failed; refreshed() for
a 304, which is None where it speaks of another representation; is_storable() and columns() for a new answer.

`now` is the wall clock in Unix seconds when the response had arrived; `ttl` the seconds that an answer without any
word about freshness and without a validator counts as fresh.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.cache.headers import (
    HEURISTIC,
    KEPT_ON_304,
    MAX_LIFETIME,
    SELECTED,
    age,
    allowance,
    combined,
    directives,
    is_explicit,
    is_kept,
    is_secret,
    lifetime,
    selected,
    without_secrets,
)
from webtool.cache.snapshot import Snapshot
from webtool.lean import dates, jsontext
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

TTL_OPEN = 7 * 86400.0
"""Default freshness of pages in seconds."""
TTL_PARTS = 900.0
"""How long the parts of one page come from one snapshot, in seconds."""
SKEW = 60.0
"""Seconds by which a copy may be from the future; what is more so was kept before the clock was set back."""
STALE_WITHOUT_WORD = 7 * 86400.0  # how long past its freshness a copy may stand in for a server that is not there
STALE_UNSEEN = 300.0  # RFC 5861 section 3 means to ask meanwhile; nobody does here, so its window is not used up
STALE_IF_ERROR = frozenset((500, 502, 503, 504))  # RFC 5861 section 4
_PERMANENT = frozenset((301, 308))
_ABOUT_US = frozenset((401, 407, 429))  # the caller can change these between two requests
_GONE = frozenset((404, 410))
_LONGEST_GONE = 3600.0  # seconds; a server may say ten years about a page that is there again tomorrow
_LONGEST_ERROR = 300.0  # seconds


class Plan(NamedTuple):
    """What to do for a request: `action` is use, validate or fetch."""

    action: str
    conditions: tuple[tuple[str, str], ...] = ()
    """Header pairs that make the request conditional."""
    age: int = 0
    """Age of the kept copy in seconds, as the Age field would say it."""
    stale: bool = False
    """The copy is past its freshness lifetime; with "use": its server, the caller or being offline allows that."""


def is_storable(status: int, pairs: Iterable[tuple[str, str]], sent: Iterable[tuple[str, str]]) -> bool:
    """May the answer to a GET be kept (RFC 9111 section 3)? Whether it is complete is the caller's to know."""
    headers = combined(pairs)
    control = directives(headers.get("cache-control", ""))
    if not 200 <= status <= 599 or status in (206, 304) or "no-store" in control:
        return False
    if "no-store" in directives(combined(sent).get("cache-control", "")):
        return False
    if status in HEURISTIC or "private" in control or "public" in control:
        return True
    return "max-age" in control or "expires" in headers


def keeps_error(status: int, pairs: Iterable[tuple[str, str]], sent: Iterable[tuple[str, str]]) -> bool:
    """May an error status be kept, so that it is not asked for again? Only where the answer says for how long."""
    pairs = tuple(pairs)
    headers = combined(pairs)
    says = is_explicit(headers) or "last-modified" in headers
    return says and status not in _ABOUT_US and is_storable(status, pairs, sent)


def error_cap(status: int) -> float:
    """Seconds for which a kept error status is believed at most."""
    return _LONGEST_GONE if status in _GONE else _LONGEST_ERROR


def cap_of(hops: Iterable[tuple[int, Iterable[tuple[str, str]]]], now: float) -> float:
    """Seconds for which the redirects on the way to a page hold: no longer is it fresh under the URL asked for.

    A temporary redirect holds only as long as it says itself (RFC 9110 sections 15.1 and 15.4.3), a permanent one
    always, unless it says otherwise. `hops` are the statuses and header pairs of the redirects.
    """
    cap = MAX_LIFETIME
    for status, pairs in hops:
        headers = combined(pairs)
        control = directives(headers.get("cache-control", ""))
        says = is_explicit(headers) or "no-cache" in control
        if "no-store" in control:
            cap = 0.0
        elif says or status not in _PERMANENT:
            cap = min(cap, max(0.0, lifetime(status, headers, now, 0.0) - age(headers, now, now, 0)))
    return cap


def columns(
    status: int,
    pairs: Iterable[tuple[str, str]],
    sent: Iterable[tuple[str, str]],
    now: float,
    fetch_ms: int,
    *,
    ttl: float = TTL_OPEN,
    cap: float = MAX_LIFETIME,
) -> dict[str, Any]:
    """The columns of a Snapshot that HTTP decides: status_code, fetched_at, expires_at, etag, last_modified,
    headers_json, fetch_ms. `cap` limits the freshness (in seconds) where the caller knows of a reason, such as a
    temporary redirect on the way."""
    headers = combined(pairs)
    kept = {name: without_secrets(name, value) for name, value in headers.items() if is_kept(name, headers)}
    kept[SELECTED] = selected(headers.get("vary", ""), combined(sent))
    remaining = min(lifetime(status, headers, now, ttl), cap) - age(headers, now, now, fetch_ms)
    return {
        "status_code": status,
        "fetched_at": dates.iso(now),
        "expires_at": dates.iso(now + max(remaining, 0)),
        "etag": headers.get("etag") or None,
        "last_modified": headers.get("last-modified") or None,
        "headers_json": jsontext.dumps(kept),
        "fetch_ms": fetch_ms,
    }


def plan(
    kept: Snapshot | None,
    sent: Iterable[tuple[str, str]],
    now: float,
    *,
    force: bool = False,
    accept_age: float = 0.0,
    offline: bool = False,
) -> Plan:
    """Use the kept copy, validate it, or fetch (RFC 9111 section 4).

    `force` validates what is fresh; a copy of at most `accept_age` seconds, or any when `offline`, is used as it is.
    """
    if kept is None:
        return Plan("fetch")
    fetched, expires = dates.from_iso(kept.fetched_at), dates.from_iso(kept.expires_at) or 0.0
    if fetched is None or fetched > now + SKEW:
        fetched, expires = now - MAX_LIFETIME, 0.0  # nobody knows how old it is
    held = max(0.0, now - fetched)
    headers = stored_headers(kept)
    seconds = int(age(headers, now - held, now, kept.fetch_ms or 0))
    stale_by = now - expires
    if offline or (held < accept_age and not force):
        return Plan("use", age=seconds, stale=stale_by >= 0)
    asked_with = selected(headers.get("vary", ""), combined(sent))
    if asked_with != headers.get(SELECTED, "") or asked_with == "*":
        return Plan("fetch")  # RFC 9111 section 4.1: "*" never matches
    if not force and stale_by < 0:
        return Plan("use", age=seconds)
    if not force and stale_by <= min(allowance(headers, "stale-while-revalidate"), STALE_UNSEEN):
        return Plan("use", age=seconds, stale=True)
    conditions = validators(kept)
    return Plan("validate" if conditions else "fetch", conditions, seconds, stale_by >= 0)


def validators(kept: Snapshot) -> tuple[tuple[str, str], ...]:
    """If-None-Match where there is an entity tag, else If-Modified-Since; () where there is nothing to compare."""
    etag, last_modified = kept.etag or "", kept.last_modified or ""
    if etag and all("!" <= c <= "~" or "\x80" <= c <= "\xff" for c in etag.replace(" ", "!")):
        return (("If-None-Match", etag),)
    if dates.from_http(last_modified, 0) is not None:
        return (("If-Modified-Since", last_modified),)
    return ()


def refreshed(
    kept: Snapshot,
    pairs: Iterable[tuple[str, str]],
    sent: Iterable[tuple[str, str]],
    now: float,
    fetch_ms: int,
    *,
    ttl: float = TTL_OPEN,
    cap: float = MAX_LIFETIME,
) -> Snapshot | None:
    """The kept copy with what a 304 says about it (RFC 9111 section 3.2, 4.3.4); None if it speaks of another one."""
    news = {name: value for name, value in combined(pairs).items() if name not in KEPT_ON_304}
    etag = news.get("etag", "")
    if etag and kept.etag and etag.removeprefix("W/") != kept.etag.removeprefix("W/"):
        return None
    headers = {name: value for name, value in stored_headers(kept).items() if name not in ("age", SELECTED)}
    headers.update(news)
    merged = columns(kept.status_code or 200, headers.items(), sent, now, fetch_ms, ttl=ttl, cap=cap)
    return kept._replace(**merged)


def may_serve_stale(kept: Snapshot | None, status: str, now: float) -> bool:
    """May the copy stand in for a failure? `status` is the status code of a server error, "" when no answer came.

    RFC 9111 section 4.2.4: never against must-revalidate or no-cache. RFC 5861: a server error needs stale-if-error.
    """
    if kept is None or (status and int(status) not in STALE_IF_ERROR):
        return False
    headers = stored_headers(kept)
    stale_by = now - (dates.from_iso(kept.expires_at) or 0.0)
    control = directives(headers.get("cache-control", ""))
    if "must-revalidate" in control or "no-cache" in control:
        return False
    allowed = allowance(headers, "stale-if-error")
    if not status and "stale-if-error" not in control:
        allowed = STALE_WITHOUT_WORD
    return stale_by <= allowed


def stored_headers(kept: Snapshot) -> dict[str, str]:
    """What `headers_json` holds; {} where it cannot be read."""
    headers = jsontext.members(kept.headers_json) or {}
    # An earlier version wrote down more.
    return {str(name): str(value) for name, value in headers.items() if not is_secret(str(name).lower())}
