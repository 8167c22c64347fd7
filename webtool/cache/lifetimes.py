"""How long an answer is fresh, and how old it is. In: status, header fields, times. Out: seconds.

Spec: RFC 9111 sections 4.2.1 to 4.2.4 for a private cache, RFC 5861; Cache-Control is read as section 5.2 says, its
arguments as tokens or quoted strings (RFC 9110 section 5.6).
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.lean import dates, patterns

# A directive, its argument as token or quoted-string (RFC 9110 section 5.6); each alternative is anchored by match().
_QUOTED_PAIR = patterns.compile(r"\\(.)").sub
_DIRECTIVE = patterns.compile(r'[ \t,]*([^\s,="]+)(?:=("(?:[^"\\]|\\.)*"|[^,"]*))?[^,"]*')
_MAX_FIELD = 8192  # no honest Cache-Control comes near; what is beyond is not read


def directives(field: str) -> dict[str, str]:
    """Directives with lower-case names; "" for one without argument. Of a repeated one the first counts."""
    found: dict[str, str] = {}
    position, end = 0, min(len(field), _MAX_FIELD)
    while position < end:
        match = _DIRECTIVE.match(field, position, end)
        if match is None or match.end() == position:
            position += 1
            continue
        position = match.end()
        argument = match[2] or ""
        if argument[:1] == '"':
            argument = _QUOTED_PAIR(r"\1", argument[1:-1])
        found.setdefault(match[1].lower(), argument.rstrip())
    return found


def delta_seconds(text: str) -> int | None:
    """Whole seconds, RFC 9111 section 1.2.2: digits only, and what is too large becomes 2^31; None for all else."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0")
    return min(int(digits or "0"), 2**31) if len(digits) < 20 else 2**31


MAX_LIFETIME = 10 * 365 * 86400.0  # RFC 9111 section 1.2.2 wants 2^31 understood; ten years is never, for a page
# RFC 9110 section 15.1: the heuristically cacheable status codes (206 needs ranges, which are never asked for).
HEURISTIC = frozenset((200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501))


def is_explicit(headers: Mapping[str, str]) -> bool:
    """Whether the answer itself says how long it is fresh."""
    return "expires" in headers or "max-age" in directives(headers.get("cache-control", ""))


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
    if status not in HEURISTIC and "public" not in directives(headers.get("cache-control", "")):
        return 0.0
    modified = dates.from_http(headers.get("last-modified"), date)
    if modified is not None:
        # RFC 9111 section 4.2.2: a tenth of the time since the last change is the usual fraction.
        return min(max(date - modified, 0.0) / 10, ttl)
    # A validator makes asking cheap and the answer sure; only where there is none does the default lifetime decide.
    return 0.0 if headers.get("etag") else ttl


def age(headers: Mapping[str, str], response_time: float, now: float, fetch_ms: int) -> float:
    """The current age of a response that arrived at `response_time` after `fetch_ms` (RFC 9111 section 4.2.3)."""
    date = dates.from_http(headers.get("date"), now)
    apparent = 0.0 if date is None else max(0.0, response_time - date)
    said = delta_seconds(headers.get("age", "").partition(",")[0].strip()) or 0
    return max(apparent, said + fetch_ms / 1000) + max(0.0, now - response_time)


def allowance(headers: Mapping[str, str], name: str) -> float:
    """Seconds of staleness that a directive grants, unless another forbids it (RFC 9111 section 4.2.4)."""
    control = directives(headers.get("cache-control", ""))
    if "must-revalidate" in control or "no-cache" in control or name not in control:
        return -1.0
    return float(delta_seconds(control[name]) or 0)
