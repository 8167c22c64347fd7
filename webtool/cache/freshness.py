"""Decide whether a response may be stored and a stored copy may be used. Pure.

In: status, header pairs, a Snapshot, the time. Out: decisions. webtool.pages.opening calls them in this order: plan()
before the request; may_serve_stale() if the request failed; refreshed() after a 304; for a new response is_storable(),
or is_storable_error() and error_cap() for an error status, then cap_of() if redirects led to it, and columns().
Spec: RFC 9111 for a private cache, RFC 5861 for stale content.

Words: a copy is fresh until its freshness lifetime has passed, stale afterwards. A validator (ETag, Last-Modified) lets
the server confirm a stale copy by a 304. `now` is the wall clock in Unix seconds at which the response had arrived.

A page is fresh for this long after it was fetched (headers.lifetime):
- its server states a lifetime: that one
- it states none, and the page has a validator: TTL_PARTS (15 minutes)
- neither: `ttl`, which is TTL_OPEN (7 days) for web_open and TTL_PARTS for web_fetch
Tests: tests/cache/test_freshness.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool import urls
from webtool.cache import headers
from webtool.cache.headers import MAX_LIFETIME
from webtool.cache.tables import Snapshot
from webtool.lean import dates, jsontext, patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

TTL_OPEN = 7 * 86400.0  # seconds for which a page is fresh if its server states nothing: the default `ttl`
TTL_PARTS = headers.TTL_PARTS  # seconds for which such a page is fresh if it has a validator; the `ttl` of web_fetch
MAX_SKEW = 60.0  # seconds; a copy from further in the future was stored before the clock was set back
MAX_STALE_OFFLINE = 7 * 86400.0  # seconds past freshness for which a copy replaces a server that does not answer
# Seconds past freshness for which stale-while-revalidate is obeyed. RFC 5861 section 3 expects a revalidation in the
# background; webtool does not, so long values are cut.
MAX_STALE_UNCHECKED = 300.0
STALE_IF_ERROR = frozenset((500, 502, 503, 504))  # statuses that stale-if-error covers (RFC 5861 section 4)
_ALLOWING = ("private", "public", "max-age")  # directives that let a response of any status be stored
_PERMANENT = frozenset((301, 308))
_CALLER_ERRORS = frozenset((401, 407, 429))  # never stored: the caller may have better credentials the next time
_GONE = frozenset((404, 410))
_MAX_GONE_LIFETIME = 3600.0  # seconds; a server may claim ten years for a page that returns tomorrow
_MAX_ERROR_LIFETIME = 300.0  # seconds, for other error statuses
# The characters of a field value (RFC 9110 section 5.5). Some servers put spaces into an ETag.
_SENDABLE_ETAG = patterns.compile(r"[ -~\x80-\xff]+")


class Plan(NamedTuple):
    """The decision for one request."""

    action: str  # "use" the copy, "validate" it by a conditional request, or "fetch" the page
    conditions: tuple[tuple[str, str], ...] = ()  # header pairs that make the request conditional
    age: int = 0  # of the copy in seconds, as an Age field would state it
    stale: bool = False  # the copy is stale; with "use" the server, the caller or offline mode allows that


def is_storable(status: int, pairs: Iterable[tuple[str, str]], sent: Iterable[tuple[str, str]]) -> bool:
    """Return whether the response to a GET may be stored (RFC 9111 section 3). The caller checks completeness."""
    fields = headers.combined(pairs)
    control = headers.directives(fields.get("cache-control", ""))
    if not 200 <= status <= 599 or status in (206, 304) or "no-store" in control:
        return False
    if "no-store" in headers.directives(headers.combined(sent).get("cache-control", "")):
        return False
    return status in headers.HEURISTIC or "expires" in fields or not control.keys().isdisjoint(_ALLOWING)


def is_storable_error(status: int, pairs: Iterable[tuple[str, str]], sent: Iterable[tuple[str, str]]) -> bool:
    """Return whether an error status may be stored, to save a request: only if the response states a lifetime."""
    pairs = tuple(pairs)
    fields = headers.combined(pairs)
    has_lifetime = headers.is_explicit(fields) or "last-modified" in fields
    return has_lifetime and status not in _CALLER_ERRORS and is_storable(status, pairs, sent)


def error_cap(status: int) -> float:
    """Return the longest lifetime in seconds of a stored error status."""
    return _MAX_GONE_LIFETIME if status in _GONE else _MAX_ERROR_LIFETIME


def cap_of(hops: Iterable[tuple[int, Iterable[tuple[str, str]]]], now: float) -> float:
    """Return the seconds for which the redirects to a page are valid; under its first URL it is not fresh for longer.

    `hops` are the statuses and header pairs of the redirects. A redirect is valid for the lifetime that it states (RFC
    9110 sections 15.1 and 15.4.3). If it states none, a permanent one is always valid, a temporary one never.
    """
    cap = MAX_LIFETIME
    for status, pairs in hops:
        fields = headers.combined(pairs)
        if "no-store" in headers.directives(fields.get("cache-control", "")):
            cap = 0.0
        elif headers.is_explicit(fields):
            cap = min(cap, max(0.0, headers.lifetime(status, fields, now, 0.0) - headers.age(fields, now, now, 0)))
        elif status not in _PERMANENT:
            cap = 0.0
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
    """Return the columns of a Snapshot that HTTP decides.

    They are status_code, fetched_at, expires_at, etag, last_modified, headers_json and fetch_ms. `cap` limits the
    freshness in seconds, for reasons that the caller knows, such as a temporary redirect.
    """
    fields = headers.combined(pairs)
    storable = {name: value for name, value in fields.items() if headers.is_kept(name, fields)}
    storable.update({name: urls.redact(storable[name]) for name in headers.URL_FIELDS if name in storable})
    storable[headers.SELECTED] = headers.selected(fields.get("vary", ""), headers.combined(sent))
    # A lifetime that the server states counts from the response's own date, any other one from now.
    past = headers.age(fields, now, now, fetch_ms) if headers.is_explicit(fields) else 0.0
    remaining = min(headers.lifetime(status, fields, now, ttl) - past, cap)
    return {
        "status_code": status,
        "fetched_at": dates.iso(now),
        "expires_at": dates.iso(now + max(remaining, 0)),
        "etag": fields.get("etag") or None,
        "last_modified": fields.get("last-modified") or None,
        "headers_json": jsontext.dumps(storable),
        "fetch_ms": fetch_ms,
    }


def plan(
    copy: Snapshot | None,
    sent: Iterable[tuple[str, str]],
    now: float,
    *,
    force: bool = False,
    accept_age: float = 0.0,
    offline: bool = False,
    ttl: float = TTL_OPEN,
) -> Plan:
    """Decide whether to use the stored copy, validate it, or fetch (RFC 9111 section 4).

    `force`: validate even a fresh copy. `offline`: use any copy. A copy that was stored less than `accept_age` seconds
    ago is used as it is, unless `force` is set.
    """
    if copy is None:
        return Plan("fetch")
    fetched, expires = dates.from_iso(copy.fetched_at), dates.from_iso(copy.expires_at) or 0.0
    if fetched is None or fetched > now + MAX_SKEW:
        fetched, expires = now - MAX_LIFETIME, 0.0  # its age is unknown: treat it as very old
    stored_for = max(0.0, now - fetched)
    fields = stored_headers(copy)
    if not headers.is_explicit(fields):  # web_open may have stored it, with a longer `ttl` than that of this call
        expires = min(expires, fetched + ttl)
    copy_age = int(headers.age(fields, now - stored_for, now, copy.fetch_ms or 0))
    stale_by = now - expires
    if offline or (stored_for < accept_age and not force):
        return Plan("use", age=copy_age, stale=stale_by >= 0)
    selection = headers.selected(fields.get("vary", ""), headers.combined(sent))
    if selection != fields.get(headers.SELECTED, "") or selection == "*":
        return Plan("fetch")  # RFC 9111 section 4.1: "*" never matches
    if not force and stale_by < 0:
        return Plan("use", age=copy_age)
    if not force and stale_by <= min(headers.allowance(fields, "stale-while-revalidate"), MAX_STALE_UNCHECKED):
        return Plan("use", age=copy_age, stale=True)
    conditions = validators(copy)
    return Plan("validate" if conditions else "fetch", conditions, copy_age, stale_by >= 0)


def validators(copy: Snapshot) -> tuple[tuple[str, str], ...]:
    """Return If-None-Match if the copy has an ETag, else If-Modified-Since if it has a date, else ()."""
    etag, last_modified = copy.etag or "", copy.last_modified or ""
    if _SENDABLE_ETAG.fullmatch(etag):
        return (("If-None-Match", etag),)
    if dates.from_http(last_modified, 0) is not None:
        return (("If-Modified-Since", last_modified),)
    return ()


def refreshed(
    copy: Snapshot,
    pairs: Iterable[tuple[str, str]],
    sent: Iterable[tuple[str, str]],
    now: float,
    fetch_ms: int,
    *,
    ttl: float = TTL_OPEN,
    cap: float = MAX_LIFETIME,
) -> Snapshot | None:
    """Return the copy updated by a 304 (RFC 9111 sections 3.2 and 4.3.4); None if the 304 has another ETag."""
    updates = {name: value for name, value in headers.combined(pairs).items() if name not in headers.KEPT_ON_304}
    etag = updates.get("etag", "")
    if etag and copy.etag and etag.removeprefix("W/") != copy.etag.removeprefix("W/"):
        return None
    # A 304 without Date was sent when it arrived (RFC 9110 section 6.6.1), so the copy's Date is dropped.
    replaced = ("age", "date", headers.SELECTED)
    fields = {name: value for name, value in stored_headers(copy).items() if name not in replaced}
    fields.update(updates)
    merged = columns(copy.status_code or 200, fields.items(), sent, now, fetch_ms, ttl=ttl, cap=cap)
    return copy._replace(**merged)


def may_serve_stale(copy: Snapshot | None, status: int | None, now: float) -> bool:
    """Return whether a stale copy may replace a failed request. `status`: the server's error, None without an answer.

    must-revalidate and no-cache forbid it (RFC 9111 section 4.2.4). After a server error, stale-if-error must allow it
    (RFC 5861 section 4). Without an answer it is allowed for MAX_STALE_OFFLINE.
    """
    if copy is None or (status is not None and status not in STALE_IF_ERROR):
        return False
    fields = stored_headers(copy)
    stale_by = now - (dates.from_iso(copy.expires_at) or 0.0)
    control = headers.directives(fields.get("cache-control", ""))
    if "must-revalidate" in control or "no-cache" in control:
        return False
    allowed = headers.allowance(fields, "stale-if-error")
    if status is None and "stale-if-error" not in control:
        allowed = MAX_STALE_OFFLINE
    return stale_by <= allowed


def stored_headers(copy: Snapshot) -> dict[str, str]:
    """Return the stored header fields; {} if they cannot be read."""
    fields = jsontext.members(copy.headers_json) or {}
    # Earlier versions stored secret fields too.
    return {str(name): str(value) for name, value in fields.items() if not headers.is_secret(str(name).lower())}
