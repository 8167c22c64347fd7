"""Dates as pages write them. In: a string. Out: ISO 8601, "" where there is no date.

Only what can be read in one way: 03/04/2025 is no date here. Spec: ISO 8601 and RFC 5322's day, month and year.
"""

from __future__ import annotations

from webtool.lean import patterns

_MONTHS = {
    name: i + 1
    for i, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
}
_ISO = patterns.compile(
    r"((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])"
    r"(?:[T ]\s*([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,]\d+)?)?\s*(Z|[+-][01]\d:?[0-5]\d)?)?"
)
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAY_FIRST = patterns.compile(rf"(?i)\b([0-3]?\d)(?:st|nd|rd|th)?[\s-]+(?:of\s+)?{_MONTH},?[\s-]+((?:19|20)\d\d)\b")
_MONTH_FIRST = patterns.compile(rf"(?i)\b{_MONTH}\s+([0-3]?\d)(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b")
_PATH = patterns.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])(?:/|$)")


def iso(value: object) -> str:
    """The date of a value that should be one, with time and zone where it has them."""
    if not isinstance(value, str):
        return ""
    text = value.strip()[:100]
    match = _ISO.match(text)
    if not match:
        return in_text(text)
    year, month, day, hour, minute, second, zone = match.groups()
    if hour is None:
        return f"{year}-{month}-{day}"
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    return f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone or ''}"


def in_text(text: str) -> str:
    """The first date in a short text, as yyyy-mm-dd."""
    match = _MONTH_FIRST.search(text)
    if match:
        month, day, year = match.groups()
    else:
        match = _DAY_FIRST.search(text)
        if not match:
            found = _ISO.search(text) if "-" in text else None
            return "-".join(found.groups()[:3]) if found and "-" in found.group()[:8] else ""
        day, month, year = match.groups()
    return _date(year, _MONTHS[month[:3].lower()], int(day))


def in_address(address: str) -> str:
    """The date in a URL's path, as blogs and newspapers put it there."""
    match = _PATH.search(address)
    return _date(match[1], int(match[2]), int(match[3])) if match else ""


def _date(year: str, month: int, day: int) -> str:
    return f"{year}-{month:02}-{day:02}" if 1 <= day <= 31 else ""
