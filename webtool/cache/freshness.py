"""May this answer be kept, may that kept one be used? RFC 9111 for a private cache, RFC 5861 for stale content.

In: status, header pairs, a Snapshot, the time. Out: decisions. Nothing here reads a clock, a file or a socket.
One GET, as the pipeline does it (`sent` is the list of header pairs of the request, without conditions):

    kept = cache.get(key)
    plan = freshness.plan(kept, sent, now, force=force_refresh, accept_age=0, offline=settings.offline)
    if plan.action == "use":
        return kept                                    # plan.age seconds old, plan.stale says so
    response = GET with sent + plan.conditions         # a failure: if may_serve_stale(kept, "", now): return kept
    if response.status == 304 and plan.action == "validate":
        newer = freshness.refreshed(kept, pairs, sent, now, fetch_ms, ttl=ttl)
        if newer is not None:
            cache.touch(newer); return newer
        response = GET with sent                       # the 304 speaks of another representation
    if response.status in STALE_IF_ERROR and may_serve_stale(kept, str(response.status), now): return kept
    if freshness.is_storable(response.status, pairs, sent):
        kept = Snapshot(..., **freshness.columns(response.status, pairs, sent, now, fetch_ms, ttl=ttl))
        cache.put(kept)
    else:
        cache.delete(key)                              # an answer that must not be kept outdates the kept one

`now` is the wall clock in Unix seconds when the response had arrived; `ttl` the seconds that an answer without any
word about freshness and without a validator counts as fresh.
"""

from __future__ import annotations

from webtool import jsontext
from webtool.cache import dates
from webtool.cache.directives import delta_seconds, directives
from webtool.cache.keys import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, NamedTuple

    from webtool.cache.snapshot import Snapshot
else:
    from webtool.records import NamedTuple

TTL_OPEN = 7 * 86400.0
"""Default freshness of pages in seconds."""
TTL_PARTS = 900.0
"""How long the parts of one page come from one snapshot, in seconds."""
MAX_LIFETIME = 10 * 365 * 86400.0  # RFC 9111 section 1.2.2 wants 2^31 understood; ten years is never, for a page
STALE_WITHOUT_WORD = 7 * 86400.0  # how long past its freshness a copy may stand in for a server that is not there
STALE_UNSEEN = 300.0  # RFC 5861 section 3 means to ask meanwhile; nobody does here, so its window is not used up
STALE_IF_ERROR = frozenset((500, 502, 503, 504))  # RFC 5861 section 4

# RFC 9110 section 15.1: the heuristically cacheable status codes (206 needs ranges, which are never asked for).
_HEURISTIC = frozenset((200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501))
# RFC 9111 section 3.1, and what must not be written down: cookies and credentials.
_HOP_BY_HOP = ("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade")
_PROXY = ("proxy-authenticate", "proxy-authentication-info", "proxy-authorization")
_SECRET = ("set-cookie", "set-cookie2", "authentication-info", "www-authenticate")
_NEVER_STORED = frozenset(_HOP_BY_HOP + _PROXY + _SECRET)
# RFC 9111 section 3.2: these belong to the stored body, not to the 304.
_KEPT_ON_304 = frozenset(("content-length", "content-encoding", "content-range", "content-type"))
_SINGLE = frozenset(("age", "date", "expires", "last-modified", "etag", "content-type", "content-length", "location"))
_MAX_FIELD = 4096
_SELECTED = ":selected"  # no field name holds a colon, so this cannot collide with one


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
    if status in _HEURISTIC or "private" in control or "public" in control:
        return True
    return "max-age" in control or "expires" in headers


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
    kept = {name: value for name, value in headers.items() if _is_kept(name, headers) and len(value) <= _MAX_FIELD}
    kept[_SELECTED] = _selected(headers.get("vary", ""), combined(sent))
    remaining = min(lifetime(status, headers, now, ttl), cap) - _age(headers, now, now, fetch_ms)
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
    fetched = dates.from_iso(kept.fetched_at)
    held = MAX_LIFETIME if fetched is None else max(0.0, now - fetched)
    headers = stored_headers(kept)
    age = int(_age(headers, now - held, now, kept.fetch_ms or 0))
    stale_by = now - (dates.from_iso(kept.expires_at) or 0.0)
    if offline or (held < accept_age and not force):
        return Plan("use", age=age, stale=stale_by >= 0)
    selected = _selected(headers.get("vary", ""), combined(sent))
    if selected != headers.get(_SELECTED, "") or selected == "*":
        return Plan("fetch")  # RFC 9111 section 4.1: "*" never matches
    if not force and stale_by < 0:
        return Plan("use", age=age)
    if not force and stale_by <= min(_allowance(headers, "stale-while-revalidate"), STALE_UNSEEN):
        return Plan("use", age=age, stale=True)
    conditions = validators(kept)
    return Plan("validate" if conditions else "fetch", conditions, age, stale_by >= 0)


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
    news = {name: value for name, value in combined(pairs).items() if name not in _KEPT_ON_304}
    etag = news.get("etag", "")
    if etag and kept.etag and etag.removeprefix("W/") != kept.etag.removeprefix("W/"):
        return None
    headers = {name: value for name, value in stored_headers(kept).items() if name not in ("age", _SELECTED)}
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
    allowed = _allowance(headers, "stale-if-error")
    if not status and "stale-if-error" not in control:
        allowed = STALE_WITHOUT_WORD
    return stale_by <= allowed


def response_headers(kept: Snapshot, now: float) -> dict[str, str]:
    """The header fields of a kept answer, names in lower case, with the Age it has now (RFC 9111 section 5.1)."""
    headers = stored_headers(kept)
    fetched = dates.from_iso(kept.fetched_at) or now
    headers["age"] = str(int(_age(headers, fetched, now, kept.fetch_ms or 0)))
    headers.pop(_SELECTED, None)
    return headers


def combined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Header pairs as one mapping with lower-case names: lists are joined, of a single value the first counts."""
    headers: dict[str, str] = {}
    for name, value in pairs:
        name, value = name.lower(), value.strip()
        if name not in headers:
            headers[name] = value
        elif name not in _SINGLE:
            headers[name] += ", " + value
    return headers


def stored_headers(kept: Snapshot) -> dict[str, str]:
    """What `headers_json` holds; {} where it cannot be read."""
    try:
        headers = jsontext.loads(kept.headers_json or "{}")
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(value) for name, value in headers.items()} if isinstance(headers, dict) else {}


def lifetime(status: int, headers: Mapping[str, str], now: float, ttl: float) -> float:
    """The freshness lifetime in seconds (RFC 9111 section 4.2.1, 4.2.2). s-maxage is not for a private cache."""
    control = directives(headers.get("cache-control", ""))
    if "no-cache" in control:
        return 0.0
    if "max-age" in control:
        return min(float(delta_seconds(control["max-age"]) or 0), MAX_LIFETIME)
    date = dates.from_http(headers.get("date"), now)
    date = now if date is None else date
    if "expires" in headers:
        expires = dates.from_http(headers["expires"], now)
        return 0.0 if expires is None else min(max(expires - date, 0.0), MAX_LIFETIME)
    return _heuristic(status, headers, date, ttl)


def _heuristic(status: int, headers: Mapping[str, str], date: float, ttl: float) -> float:
    if status not in _HEURISTIC and "public" not in directives(headers.get("cache-control", "")):
        return 0.0
    modified = dates.from_http(headers.get("last-modified"), date)
    if modified is not None:
        # RFC 9111 section 4.2.2: a tenth of the time since the last change is the usual fraction.
        return min(max(date - modified, 0.0) / 10, ttl)
    # A validator makes asking cheap and the answer sure; only where there is none does the default lifetime decide.
    return 0.0 if headers.get("etag") else ttl


def _age(headers: Mapping[str, str], response_time: float, now: float, fetch_ms: int) -> float:
    """RFC 9111 section 4.2.3; all in seconds."""
    date = dates.from_http(headers.get("date"), now)
    apparent = 0.0 if date is None else max(0.0, response_time - date)
    said = delta_seconds(headers.get("age", "").partition(",")[0].strip()) or 0
    return max(apparent, said + fetch_ms / 1000) + max(0.0, now - response_time)


def _allowance(headers: Mapping[str, str], name: str) -> float:
    """Seconds of staleness that a directive grants, unless another forbids it (RFC 9111 section 4.2.4)."""
    control = directives(headers.get("cache-control", ""))
    if "must-revalidate" in control or "no-cache" in control or name not in control:
        return -1.0
    return float(delta_seconds(control[name]) or 0)


def _is_kept(name: str, headers: Mapping[str, str]) -> bool:
    listed = {field.strip().lower() for field in headers.get("connection", "").split(",")}
    return name not in _NEVER_STORED and name not in listed


def _selected(vary: str, sent: Mapping[str, str]) -> str:
    """Fingerprint of the request fields that Vary names (RFC 9111 section 4.1); values may be secret, so a digest."""
    names = sorted({name.strip().lower() for name in vary.split(",") if name.strip()})
    if not names:
        return ""
    if "*" in names:
        return "*"
    return digest("\n".join(f"{name}: {sent.get(name, '')}" for name in names))[:32]
