"""Times as the cache and HTTP write them. In: Unix seconds or text. Out: text or Unix seconds. Pure.

HTTP dates: RFC 9110 section 5.6.7, all three forms, strictly: a date that is nearly right is no date, because
a cache must take an invalid Expires as expired. ISO 8601: UTC, whole seconds, trailing Z.
"""

from __future__ import annotations

import re
from time import gmtime, strftime

_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
_DAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_CLOCK = r"(?P<h>[0-2][0-9]):(?P<m>[0-5][0-9]):(?P<s>[0-6][0-9])"
_MONTH = "(?P<month>" + "|".join(_MONTHS) + ")"
_FORMS = (
    re.compile(rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?P<d>[0-3][0-9]) {_MONTH} (?P<y>[0-9]{{4}}) {_CLOCK} GMT"),
    re.compile(
        rf"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?P<d>[0-3][0-9])-{_MONTH}-(?P<y>[0-9]{{2}}) {_CLOCK} GMT"
    ),
    re.compile(rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) {_MONTH} (?P<d>[ 0-3][0-9]) {_CLOCK} (?P<y>[0-9]{{4}})"),
)
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:Z|\+00:00)?")
MAX_TIME = 253402300799  # 9999-12-31T23:59:59Z, the last second that ISO 8601 writes with four digits


def iso(seconds: float) -> str:
    """Unix seconds as 2026-01-16T12:00:00Z; what lies outside the years 1970 to 9999 is clamped."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(int(min(max(seconds, 0), MAX_TIME))))


def from_iso(text: str | None) -> float | None:
    """Unix seconds of an ISO 8601 time in UTC; None where there is none."""
    match = _ISO.fullmatch(text) if text else None
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups())
    return _seconds(year, month, day, hour, minute, second)


def from_http(text: str | None, now: float) -> float | None:
    """Unix seconds of an HTTP date; None for anything that is not exactly one. `now` settles two-digit years."""
    for form in _FORMS:
        match = form.fullmatch(text.strip()) if text else None
        if match is not None:
            return _from_match(match, now)
    return None


def to_http(seconds: float) -> str:
    """Unix seconds as an IMF-fixdate."""
    year, month, day, hour, minute, second, weekday = gmtime(int(seconds))[:7]
    return f"{_DAY_NAMES[weekday]}, {day:02} {_MONTH_NAMES[month - 1]} {year:04} {hour:02}:{minute:02}:{second:02} GMT"


def _from_match(match: re.Match[str], now: float) -> float | None:
    year = int(match["y"])
    if len(match["y"]) == 2:
        # RFC 9110 section 5.6.7: more than 50 years ahead means the past century.
        this_year = gmtime(int(now)).tm_year
        year += this_year - this_year % 100
        if year > this_year + 50:
            year -= 100
    return _seconds(year, _MONTHS[match["month"]], int(match["d"]), int(match["h"]), int(match["m"]), int(match["s"]))


def _seconds(year: int, month: int, day: int, hour: int, minute: int, second: int) -> float | None:
    if not (1 <= month <= 12 and 1 <= day <= _days_in(year, month) and hour <= 23 and minute <= 59 and second <= 60):
        return None
    return float(_days_before(year, month, day) * 86400 + hour * 3600 + minute * 60 + second)


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days_before(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01; years begin in March here, so that the leap day is the last one."""
    if month <= 2:
        year -= 1
        month += 12
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day - 719469
