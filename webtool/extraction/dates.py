"""Dates as pages write them. In: a string. Out: ISO 8601, "" where there is no date.

Only what can be read in one way: 03/04/2025 is not a date here, 23/04/2025 and 23.04.2025 are. Month names are those of
eight languages. Spec: ISO 8601, RFC 5322's day, month and year.
"""

from __future__ import annotations

from webtool.lean import patterns

_MONTHS: dict[str, int] = {}
"""Every month's names, and their beginnings of three letters or more."""
for _names in (
    "january february march april may june july august september october november december",
    "sept",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier f\u00e9vrier mars avril mai juin juillet ao\u00fbt septembre octobre novembre d\u00e9cembre",
    "januar februar m\u00e4rz april mai juni juli august september oktober november dezember",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro mar\u00e7o abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
):
    for _number, _name in enumerate(_names.split(), 9 if _names == "sept" else 1):
        for _end in range(3, len(_name) + 1):
            _MONTHS.setdefault(_name[:_end], _number)
_YEAR = r"((?:19|20)\d\d)"
_ISO = patterns.compile(
    r"((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)"
    r"(?:[T ]\s*([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,]\d+)?)?\s*(Z|[+-][01]\d:?[0-5]\d)?)?"
)
_DAY_FIRST = patterns.compile(
    rf"(?<!\d)([0-3]?\d)(?:st|nd|rd|th|er|\u00ba|\.)?[\s-]*(?:of\s+|de\s+)?([^\W\d_]{{3,12}})\.?,?(?:\s+de|\s+del)?[\s-]+{_YEAR}(?!\d)"
)
_MONTH_FIRST = patterns.compile(rf"([^\W\d_]{{3,12}})\.?\s+([0-3]?\d)(?:st|nd|rd|th)?,?\s+{_YEAR}(?!\d)")
_YEAR_FIRST = patterns.compile(
    rf"(?<!\d){_YEAR}(?:[-/.]|\s?\u5e74\s?|\s?\ub144\s?)([01]?\d)(?:[-/.]|\s?\u6708\s?|\s?\uc6d4\s?)([0-3]?\d)(?!\d)"
)
_YEAR_AND_NAME = patterns.compile(rf"(?<!\d){_YEAR}\s+([^\W\d_]{{3,12}})\.?\s+([0-3]?\d)(?!\d)")
_NUMBERS = patterns.compile(rf"(?<![\d./-])([0-3]?\d)([./-])([0-3]?\d)\2{_YEAR}(?!\d)")
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
    readers = (_month_first, _day_first, _year_first, _year_and_name, _numbers)
    found = [date for read in readers if (date := read(text))[0] >= 0]
    return min(found)[1] if found else ""


def _month_first(text: str) -> tuple[int, str]:
    for match in _MONTH_FIRST.finditer(text):
        month = _month(match[1])
        if month:
            return match.start(), _date(match[3], month, int(match[2]))
    return -1, ""


def _day_first(text: str) -> tuple[int, str]:
    for match in _DAY_FIRST.finditer(text):
        month = _month(match[2])
        if month:
            return match.start(), _date(match[3], month, int(match[1]))
    return -1, ""


def _year_first(text: str) -> tuple[int, str]:
    match = _YEAR_FIRST.search(text)
    return (match.start(), _date(match[1], int(match[2]), int(match[3]))) if match else (-1, "")


def _year_and_name(text: str) -> tuple[int, str]:
    match = _YEAR_AND_NAME.search(text)
    month = _month(match[2]) if match else 0
    return (match.start(), _date(match[1], month, int(match[3]))) if match and month else (-1, "")


def _numbers(text: str) -> tuple[int, str]:
    """23.04.2025 and 4/23/2025; with points the day comes first, with other marks the one that is not a month."""
    for match in _NUMBERS.finditer(text):
        one, two = int(match[1]), int(match[3])
        if match[2] == "." or (one > 12 >= two) or one == two:
            return match.start(), _date(match[4], two, one)
        if two > 12 >= one:
            return match.start(), _date(match[4], one, two)
    return -1, ""


def _month(name: str) -> int:
    return _MONTHS.get(name.casefold(), 0)


def in_address(address: str) -> str:
    """The date in a URL's path, as blogs and newspapers put it there."""
    match = _PATH.search(address)
    return _date(match[1], int(match[2]), int(match[3])) if match else ""


def _date(year: str, month: int, day: int) -> str:
    return f"{year}-{month:02}-{day:02}" if 1 <= day <= 31 and 1 <= month <= 12 else ""
