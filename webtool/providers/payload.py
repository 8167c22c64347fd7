"""Write requests to providers and read their answers: URL-encoded forms, JSON, dates and numbers of seconds.

In: pairs of text or members; a Response; texts of its members. Out: a query string or body; members; dates. Forms
follow the URL Standard section 5 (application/x-www-form-urlencoded); importing urllib.parse instead would cost half a
process start. Answers are read without trusting their types: a member that is absent or of another type than
documented reads as empty, never as a crash.
Tests: tests/providers/test_payload.py
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta, timezone

from webtool.errors import ApiError
from webtool.lean import patterns
from webtool.lean.patterns import Match, Pattern
from webtool.net.messages import Response
from webtool.urls.hosts import percent_decode

_UNESCAPED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._"
_ENCODED = [chr(byte) if byte in _UNESCAPED else f"%{byte:02X}" for byte in range(256)]
_ENCODED[0x20] = "+"


def form(pairs: Iterable[tuple[str, str]]) -> str:
    """Encode pairs: `[("q", "a b"), ("n", "1")]` -> `q=a+b&n=1`."""
    return "&".join([f"{quote(name)}={quote(value)}" for name, value in pairs])


def quote(text: str) -> str:
    """Encode one name or value of a form."""
    return "".join([_ENCODED[byte] for byte in text.encode("utf-8", "replace")])


def with_query(url: str, pairs: Iterable[tuple[str, str]]) -> str:
    """Append pairs to the URL's query: `https://x.example/?a=1` and `[("b", "2")]` -> `https://x.example/?a=1&b=2`."""
    return f"{url}{'&' if '?' in url else '?'}{form(pairs)}"


def value_of(query: str, name: str) -> str | None:
    """Return the first value with this name, percent-decoded once, or None without one.

    Plus signs stay, because this reads URLs inside URLs: `uddg=https%3A%2F%2Fx.example%2Fa+b` -> `https://x.example/a+b`.
    """
    for pair in query.split("&"):
        left, mark, right = pair.partition("=")
        if mark and left == name:
            return percent_decode(right)
    return None


def json_body(members: Mapping[str, object]) -> bytes:
    """Encode the members as JSON in UTF-8; lone surrogates become question marks."""
    return json.dumps(members, ensure_ascii=False).encode("utf-8", "replace")


def decode(response: Response, provider: str) -> dict[str, object]:
    """Return the members of the JSON object in the body. Raises ApiError without one."""
    members = decode_leniently(response)
    if members is None:
        media_type = response.headers.get("content-type") or "no media type"
        raise ApiError(
            f"{provider} answered with {len(response.body)} bytes that are not a JSON object ({media_type})",
            hint="Check the endpoint setting; a proxy or a login page may have answered instead.",
            status_code=response.status,
            retryable=response.status >= 500,
        )
    return members


def decode_leniently(response: Response) -> dict[str, object] | None:
    """Return the members of the JSON object in the body, or None: proxies answer errors with HTML."""
    try:
        members = json.loads(response.body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return members if isinstance(members, dict) else None


def mapping(value: object) -> Mapping[str, object]:
    """Return the value if it is an object, else {}."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Mapping[str, object]]:
    """Return the objects in an array, [] for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: object) -> str:
    """Return the value if it is a string, else ""."""
    return value if isinstance(value, str) else ""


_MAX_LENGTH = 64  # characters; longer text is not a date
# Other years are placeholders: programs write 0001-01-01, 1899-12-30 or 9999-12-31 for an unknown date.
_YEARS = range(1900, 2101)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

_ZONE = r"(?P<zone>Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?"
_TIME = r"(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?"
# 2024-01-31, 2024/1/31 12:30, 2024-01-31T12:30:00.5+05:30
_ISO = patterns.compile(
    r"(?ia)(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?:(?:T|\s+)"
    + _TIME
    + r"\s*"
    + _ZONE
    + ")?"
)
# 20240131, 20240131T123000Z; the dates of PDF: D:20240131123000+05'30', D:20240131123000Z00'00'
_COMPACT = patterns.compile(
    r"(?ia)(?:D:)?(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)"
    r"(?:T?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?P<zone>Z|[+-]\d\d'?:?(?:\d\d)?'?)?(?:00'00'?)?)?"
)
# 1706704200, 1706704200.25, 1706704200123 (milliseconds)
_NUMBER = patterns.compile(r"(?a)\d{9,10}(?:\d{3})?(?:\.\d+)?")
_MONTH_NAME = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
# January 31st, 2024; Wednesday, January 31, 2024
_MONTH_FIRST = patterns.compile(
    r"(?ia)(?:[a-z]{3,9},\s+)?" + _MONTH_NAME + r"\s+(?P<day>\d\d?)(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})"
)
# 31 Jan 2024, Wed, 31 Jan 2024 12:30:00 GMT
_DAY_FIRST = patterns.compile(
    r"(?ia)(?:[a-z]{3,9},?\s+)?(?P<day>\d\d?)(?:st|nd|rd|th)?[\s-]+" + _MONTH_NAME + r",?[\s-]+(?P<year>\d{4})"
    r"(?:\s+" + _TIME + r"\s*" + _ZONE + ")?"
)
_AGO = patterns.compile(r"(?ia)(?P<count>\d{1,4}|an?)\s+(?P<unit>second|minute|hour|day|week)s?\s+ago")
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}


def iso_date(value: object, now: float) -> str | None:
    """Return the date that a whole text or number names as YYYY-MM-DDThh:mm:ssZ, or None.

    `now` (Unix seconds) is what "ago" counts from: on 26 November 2026, `2 days ago` -> `2026-11-24T00:00:00Z`.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = repr(value)
    if not isinstance(value, str) or not 0 < len(value) <= _MAX_LENGTH:
        return None
    text = value.strip()
    for pattern, read in _FORMS:
        match = pattern.fullmatch(text)
        if match:
            return _in_utc(read, match, now)
    return None


def leading_date(text: str, now: float) -> str | None:
    """Return the date that search engines put before a snippet, or None: `Nov 19, 2026 ... A TaskGroup` has one."""
    head, dots, _ = text[:_MAX_LENGTH].partition(" ... ")
    if not dots:
        head, dots, _ = text[:_MAX_LENGTH].partition(" — ")
    return iso_date(head, now) if dots else None


def _in_utc(read: Callable[[Match[str], float], datetime], match: Match[str], now: float) -> str | None:
    """Return the moment that `read` makes of the match, or None if no such date exists."""
    try:
        moment = read(match, now).astimezone(timezone.utc)
    except (ValueError, OverflowError):  # 30 February, 25 o'clock, year 0
        return None
    if moment.year not in _YEARS:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _calendar(match: Match[str], _now: float) -> datetime:
    """Read year, month and day, with a time and a zone if they are there."""
    parts = match.groupdict()
    month = parts.get("month") or _MONTHS[parts["name"].lower()]
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    zone = _zone(parts.get("zone"))
    return datetime(int(parts["year"]), int(month), int(parts["day"]), hour, minute, second, tzinfo=zone)


def _zone(text: str | None) -> timezone:
    """Read a zone: `+0530` or `-05:00`; anything else is UTC."""
    if not text or text[0] not in "+-":
        return timezone.utc
    digits = "".join(char for char in text if char.isdigit())
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0))
    return timezone(-offset if text[0] == "-" else offset)


def _unix(match: Match[str], _now: float) -> datetime:
    """Read Unix seconds, or milliseconds if the number has 12 digits or more."""
    number = float(match[0])
    return _EPOCH + timedelta(seconds=int(number / 1000 if number >= 1e11 else number))


def _relative(match: Match[str], now: float) -> datetime:
    """Read "N units ago", rounded down to the unit: "14 hours ago" gives an hour, "2 days ago" a day."""
    unit = match["unit"].lower()
    count = 1 if match["count"].lower().startswith("a") else int(match["count"])
    moment = _EPOCH + timedelta(seconds=int(now) - count * _UNITS[unit])
    if unit == "hour":
        return moment.replace(minute=0, second=0)
    return moment.replace(hour=0, minute=0, second=0) if unit in ("day", "week") else moment.replace(second=0)


# _NUMBER comes before _COMPACT: ten digits are Unix seconds, eight or fourteen digits a date.
_FORMS: tuple[tuple[Pattern[str], Callable[[Match[str], float], datetime]], ...] = (
    (_ISO, _calendar), (_NUMBER, _unix), (_COMPACT, _calendar), (_MONTH_FIRST, _calendar), (_DAY_FIRST, _calendar),
    (_AGO, _relative),
)  # fmt: skip


_SECONDS = patterns.compile(r"(?a)\s*(\d{1,8}(?:\.\d{1,9})?)\s*s?\s*")


def seconds(text: object) -> float | None:
    """Return a number of seconds written as `30` or `1.5s`, or None."""
    match = _SECONDS.fullmatch(text) if isinstance(text, str) else None
    return float(match[1]) if match else None
