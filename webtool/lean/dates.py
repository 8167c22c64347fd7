"""Read and write times as the cache and HTTP do. In: Unix seconds or text. Out: text or Unix seconds. Pure.

HTTP dates have one of three forms (RFC 9110 section 5.6.7). A text in nearly such a form is not a date, because a cache
must take an invalid Expires as expired. It begins with the name of any day: Monday is not compared with the date.
Times of ISO 8601 are in UTC, with whole seconds and a trailing Z.
"""

from __future__ import annotations

from time import gmtime, strftime

# No regular expressions here: compiling four of them would cost a fetch more than all it does with dates.
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
_DAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LONG_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MAX_TIME = 253402300799  # 9999-12-31T23:59:59Z, the last second that ISO 8601 writes with four digits


def iso(seconds: float) -> str:
    """Return Unix seconds as 2026-01-16T12:00:00Z. Times outside the years 1970 to 9999 are clamped."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(int(min(max(seconds, 0), MAX_TIME))))


def weekday_of(date: str) -> str:
    """Return the name of a date's day in three letters: "Tue" for 2014-03-04."""
    year, month, day = map(int, date.split("-"))
    return _DAY_NAMES[(_days_before(year, month, day) + 3) % 7]  # 1970-01-01 was a Thursday


def from_iso(text: str | None) -> float | None:
    """Return the Unix seconds of an ISO 8601 time in UTC, without its fraction; None for any other text."""
    if not text or len(text) < 19 or text[4] + text[7] + text[13] + text[16] != "--::" or text[10] not in "T ":
        return None
    has_fraction = text[19:20] == "."
    zone = text[19:].lstrip(".0123456789") if has_fraction else text[19:]
    fields = (text[:4], text[5:7], text[8:10], text[11:13], text[14:16], text[17:19])
    if zone not in ("", "Z", "+00:00") or not all(map(_is_number, fields)):
        return None
    return _seconds(*map(int, fields))


def from_http(text: str | None, now: float) -> float | None:
    """Return the Unix seconds of an HTTP date; None for any other text. `now` decides the century of a two-digit year.

    Sun, 06 Nov 1994 08:49:37 GMT       IMF-fixdate
    Sunday, 06-Nov-94 08:49:37 GMT      RFC 850
    Sun Nov  6 08:49:37 1994            asctime
    """
    words = text.strip().split(" ") if text and len(text) < 64 else []
    if len(words) == 6 and words[5] == "GMT" and words[0][:-1] in _DAY_NAMES and words[0][-1:] == ",":
        return _date(words[1], words[2], words[3], words[4])  # IMF-fixdate
    if len(words) == 4 and words[3] == "GMT" and words[0][:-1] in _LONG_DAY_NAMES and words[0][-1:] == ",":
        day, _, rest = words[1].partition("-")
        month, _, year = rest.partition("-")
        return _date(day, month, _whole_year(year, now), words[2])  # RFC 850
    if len(words) == 6 and not words[2]:  # asctime pads the day with a space
        words[2:4] = ["0" + words[3]]
    if len(words) == 5 and words[0] in _DAY_NAMES:
        return _date(words[2], words[1], words[4], words[3])
    return None


def _date(day: str, month: str, year: str, clock: str) -> float | None:
    fields = (day, clock[:2], clock[3:5], clock[6:])
    if month not in _MONTHS or clock[2:3] + clock[5:6] != "::" or len(year) != 4 or not _is_number(year):
        return None
    if not all(len(field) == 2 and _is_number(field) for field in fields):
        return None
    return _seconds(int(year), _MONTHS[month], *map(int, fields))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _whole_year(year: str, now: float) -> str:
    """Return a year of two digits with its century, "" for any other text.

    A year that seems more than 50 years ahead is of the past century (RFC 9110 section 5.6.7).
    """
    if len(year) != 2 or not _is_number(year):
        return ""
    this_year = gmtime(int(now)).tm_year
    whole = int(year) + this_year - this_year % 100
    return str(whole - 100 if whole > this_year + 50 else whole)


def _seconds(year: int, month: int, day: int, hour: int, minute: int, second: int) -> float | None:
    if not (1 <= month <= 12 and 1 <= day <= _days_in(year, month) and hour <= 23 and minute <= 59 and second <= 60):
        return None
    return float(_days_before(year, month, day) * 86400 + hour * 3600 + minute * 60 + second)


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days_before(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to a date. Years begin in March here, so that the leap day is the last one.

    719469 is what the formula gives for 1970-01-01, which is the 11th month of 1969.
    """
    if month <= 2:
        year -= 1
        month += 12
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day - 719469
