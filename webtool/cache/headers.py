"""Read header fields as the cache needs them. Pure.

In: status, header pairs, times. Out: which fields may be stored, how long a response is fresh, how old it is (seconds).
Cache-Control directives are read as RFC 9111 section 5.2 says, their arguments as tokens or quoted strings (RFC 9110
section 5.6). Spec: RFC 9111 sections 3.1, 3.2, 4.1 and 4.2 for a private cache; RFC 5861 for stale content.
Tests: tests/cache/test_freshness.py
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from webtool.cache.tables import digest
from webtool.lean import dates, patterns

# RFC 9111 section 3.1: fields of one connection are not stored; proxy credentials must not be.
_HOP_BY_HOP = ("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade")
_PROXY = ("proxy-authenticate", "proxy-authentication-info", "proxy-authorization")
_NEVER_STORED = frozenset(_HOP_BY_HOP + _PROXY)
# A field with one of these words in its name is never stored: Set-Cookie, X-Api-Key, X-Auth-Token, CSRF-Token.
_SECRET_WORDS = frozenset(
    "apikey auth authenticate authentication authorization cookie cookie2 credential credentials csrf csrftoken jwt key"
    " passwd password secret session sessionid sid signature sso token xsrf".split()
)
# Fields whose value is a URL; secret query parameters in it are removed before it is stored.
URL_FIELDS = frozenset(("content-location", "link", "location", "refresh"))
# RFC 9111 section 3.2: these describe the stored body, so a 304 does not change them.
KEPT_ON_304 = frozenset(("content-length", "content-encoding", "content-range", "content-type"))
# If one of these is repeated, the first value counts; values of other repeated fields are joined to a list.
_SINGLE = frozenset(("age", "date", "expires", "last-modified", "etag", "content-type", "content-length", "location"))
_MAX_STORED_VALUE = 4096  # characters; a field with a longer value is not stored
SELECTED = ":selected"  # key of the Vary fingerprint among stored headers; no field name contains a colon

_MAX_CACHE_CONTROL = 8192  # characters; directives beyond that are ignored
MAX_LIFETIME = 10 * 365 * 86400.0  # seconds; longer lifetimes are cut to this
# Seconds for which a page with a validator is fresh if its server states nothing: the parts of a page that are asked
# for one after the other fit together.
TTL_PARTS = 900.0
_MAX_DELTA_SECONDS = 2**31  # RFC 9111 section 1.2.2: larger numbers count as this
# RFC 9110 section 15.1: statuses that are fresh for a while without saying so (206 needs ranges, never requested here).
HEURISTIC = frozenset((200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501))

_QUOTED_PAIR = patterns.compile(r"\\(.)").sub
# A directive and its argument, a token or a quoted string; what follows up to the next comma is skipped.
_DIRECTIVE = patterns.compile(r'([^\s,="]+)(?:=("(?:[^"\\]|\\.)*"|[^,"]*))?[^,"]*')


def combined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return header pairs as one mapping with lower-case names; repeated fields are joined, except those of _SINGLE."""
    headers: dict[str, str] = {}
    for name, value in pairs:
        name, value = name.lower(), value.strip()
        if name not in headers:
            headers[name] = value
        elif name not in _SINGLE:
            headers[name] += ", " + value
    return headers


def is_kept(name: str, headers: Mapping[str, str]) -> bool:
    """Return whether this field may be stored: False for secrets, fields of the connection and very long values."""
    listed = {field.strip().lower() for field in headers.get("connection", "").split(",")}
    return (
        name not in _NEVER_STORED
        and name not in listed
        and len(headers[name]) <= _MAX_STORED_VALUE
        and not is_secret(name)
    )


def is_secret(name: str) -> bool:
    """Return whether a field of this name, in lower case, may hold a credential."""
    return not _SECRET_WORDS.isdisjoint(name.replace("_", "-").split("-"))


def selected(vary: str, sent: Mapping[str, str]) -> str:
    """Return a fingerprint of the request fields that Vary names (RFC 9111 section 4.1); "" or "*" for those values.

    It is a digest, as the values may be secret. A stored copy may answer a request only if both fingerprints are equal.
    """
    names = sorted({name.strip().lower() for name in vary.split(",") if name.strip()})
    if not names:
        return ""
    if "*" in names:
        return "*"
    return digest("\n".join(f"{name}: {sent.get(name, '')}" for name in names))[:32]


def directives(field: str) -> dict[str, str]:
    """Return Cache-Control directives by lower-case name, "" for one without argument; of repeated ones the first."""
    arguments: dict[str, str] = {}
    for match in _DIRECTIVE.finditer(field[:_MAX_CACHE_CONTROL]):
        argument = match[2] or ""
        if argument[:1] == '"':
            argument = _QUOTED_PAIR(r"\1", argument[1:-1])
        arguments.setdefault(match[1].lower(), argument.rstrip())
    return arguments


def delta_seconds(text: str) -> int | None:
    """Return whole seconds (RFC 9111 section 1.2.2), at most 2^31; None unless the text is all digits."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0")
    return min(int(digits or "0"), _MAX_DELTA_SECONDS) if len(digits) < 20 else _MAX_DELTA_SECONDS


def is_explicit(headers: Mapping[str, str]) -> bool:
    """Return whether the response states its freshness itself, by Expires, max-age or no-cache."""
    control = directives(headers.get("cache-control", ""))
    return "expires" in headers or "max-age" in control or "no-cache" in control


def lifetime(status: int, headers: Mapping[str, str], now: float, ttl: float) -> float:
    """Return the freshness lifetime in seconds (RFC 9111 sections 4.2.1 and 4.2.2).

    `ttl` is the lifetime of a response that states none and has no validator. s-maxage is ignored: this is a private
    cache.
    """
    control = directives(headers.get("cache-control", ""))
    if "no-cache" in control:
        return 0.0
    if "max-age" in control:
        return min(float(delta_seconds(control["max-age"]) or 0), MAX_LIFETIME)
    if "expires" in headers:
        date = dates.from_http(headers.get("date"), now)
        expires = dates.from_http(headers["expires"], now)
        sent_at = now if date is None else date
        return 0.0 if expires is None else min(max(expires - sent_at, 0.0), MAX_LIFETIME)
    if status not in HEURISTIC and "public" not in control:
        return 0.0
    return min(TTL_PARTS, ttl) if headers.get("etag") or headers.get("last-modified") else ttl


def age(headers: Mapping[str, str], response_time: float, now: float, fetch_ms: int) -> float:
    """Return the current age in seconds of a response (RFC 9111 section 4.2.3).

    `response_time` is when it arrived, `fetch_ms` how long the fetch took, `now` the time of asking.
    """
    date = dates.from_http(headers.get("date"), now)
    apparent_age = 0.0 if date is None else max(0.0, response_time - date)
    stated_age = delta_seconds(headers.get("age", "").partition(",")[0].strip()) or 0
    return max(apparent_age, stated_age + fetch_ms / 1000) + max(0.0, now - response_time)


def allowance(headers: Mapping[str, str], name: str) -> float:
    """Return the seconds of staleness that the directive `name` allows (RFC 5861); -1 if it is absent or overruled.

    must-revalidate and no-cache overrule it (RFC 9111 section 4.2.4).
    """
    control = directives(headers.get("cache-control", ""))
    if "must-revalidate" in control or "no-cache" in control or name not in control:
        return -1.0
    return float(delta_seconds(control[name]) or 0)
