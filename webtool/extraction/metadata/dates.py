"""Dates as pages write them. In: a string. Out: ISO 8601, "" where there is no date.

Only what can be read in one way: 03/04/2025 is a date only where the page's language says which number is the day,
23/04/2025 and 23.04.2025 always are. Month names are those of two dozen languages. Spec: ISO 8601, RFC 5322's day,
month and year.
"""

from __future__ import annotations

from webtool.extraction import labels
from webtool.lean import patterns
from webtool.lean.patterns import Pattern

_is_thai = patterns.compile("[\u0e01-\u0e2e]").search
_THAI_YEAR = patterns.compile(r"(?<!\d)25\d\d(?!\d)")
_VIETNAMESE = patterns.compile(r"(\d{1,2}) th\u00e1ng (\d{1,2})(?:,| n\u0103m)? (\d{4})")
_MONTHS: dict[str, int] = {}


def _months() -> dict[str, int]:
    """Every month's names, and their beginnings of three letters or more that no other month of the language has;
    worked out when a page first asks."""
    if _MONTHS:
        return _MONTHS
    known = {"sept": 9}
    for language, months in labels.words("months").items():
        if language == "th":  # in_text() translates them
            continue
        names = dict(zip(months, range(1, 13)))
        begun: dict[str, int] = {}
        for name, number in names.items():
            for end in range(3, len(name)):
                begun[name[:end]] = 0 if name[:end] in begun else number
        for name, number in (*names.items(), *begun.items()):
            if number:
                known.setdefault(name, number)
    _MONTHS.update(known)
    return known


_YEAR = r"((?:19|20)\d\d)"
_ISO = patterns.compile(
    r"((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)"
    r"(?:[T ]\s*([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,]\d+)?)?\s*(Z|[+-][01]\d:?[0-5]\d)?)?"
)
_DAY_FIRST = patterns.compile(
    rf"(?<!\d)([0-3]?\d)(?:st|nd|rd|th|er|\u00ba|\.)?[\s-]*(?:of\s+|de\s+|d['\u2019]|[^\W\d_]{{2,12}}/)?([^\W\d_]{{3,12}})\.?,?(?:\s+de|\s+del)?[\s-]+{_YEAR}(?!\d)"
)
_MONTH_FIRST = patterns.compile(rf"([^\W\d_]{{3,12}})\.?\s+([0-3]?\d)(?:st|nd|rd|th)?,?\s+{_YEAR}(?!\d)")
_YEAR_FIRST = patterns.compile(
    rf"(?<!\d){_YEAR}(?:[-/.]|\s?\u5e74\s?|\s?\ub144\s?|\s(?=\d\d/\d\d(?!\d)))([01]?\d)(?:[-/.]|\s?\u6708\s?|\s?\uc6d4\s?)([0-3]?\d)(?!\d)"
)
_YEAR_AND_NAME = patterns.compile(rf"(?<!\d){_YEAR}\.?\s+([^\W\d_]{{3,12}})\.?\s+([0-3]?\d)(?!\d)")
_NUMBERS = patterns.compile(rf"(?<![\d./-])([0-3]?\d)([./-])([0-3]?\d)\2{_YEAR}(?!\d)")
_ORDERS = ((_MONTH_FIRST, 3, 1, 2), (_DAY_FIRST, 3, 2, 1), (_YEAR_FIRST, 1, 2, 3), (_YEAR_AND_NAME, 1, 2, 3))
"""Each with its groups: year, month, day."""
_PATH = patterns.compile(
    r"/((?:19|20)\d\d)/(?:[A-Za-z][\w.-]{1,20}/)??(0?[1-9]|1[0-2]|[a-z]{3,9})/(0?[1-9]|[12]\d|3[01])(?:/|$)"
)
"""CNN has the section behind the year."""
_last_word_of = patterns.compile(r"[^\W\d_a-z][a-z]+$|[A-Z]+$").search


def is_day_first(language: str) -> bool | None:
    """Whether those who write a language (BCP 47) put the day before the month in numbers; None where some do."""
    name, _, region = language.casefold().replace("_", "-").partition("-")
    if name != "en":
        return True if name else None
    return {"us": False, "": None, "ca": None}.get(region[-2:], True)


def iso(value: object, day_first: bool | None = None) -> str:
    """The date of a value that should be one, with time and zone where it has them."""
    if not value or not isinstance(value, str):
        return ""
    text = value.strip()[:100]
    match = _ISO.match(text)
    if not match:
        return in_text(text, day_first)
    year, month, day, hour, minute, second, zone = match.groups()
    if hour is None:
        return f"{year}-{month}-{day}"
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    return f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone or ''}"


def in_text(text: str, day_first: bool | None = None) -> str:
    """The first date in a short text, as yyyy-mm-dd."""
    if _is_thai(text):
        text = _THAI_YEAR.sub(lambda match: f" {int(match[0]) - 543}", text)
        months = labels.words("months")
        for thai in (months["th"], labels.words("months_short")["th"]):
            for name, english in zip(thai, months["en"]):
                text = text.replace(name, f" {english}")
    elif "th\u00e1ng" in text:
        text = _VIETNAMESE.sub(r"\1/\2/\3", text)
        day_first = True
    if "20" not in text and "19" not in text:
        return ""
    found = [date for date in (*(_read(text, *order) for order in _ORDERS), _numbers(text, day_first)) if date[0] >= 0]
    return min(found)[1] if found else ""


def _read(text: str, pattern: Pattern[str], year: int, month: int, day: int) -> tuple[int, str]:
    """Where the first date of a pattern begins, and the date; the numbers are those of the pattern's groups."""
    for match in pattern.finditer(text):
        number = int(match[month]) if match[month].isdecimal() else _month(match[month])
        if date := _date(match[year], number, int(match[day])):
            return match.start(), date
    return -1, ""


def _numbers(text: str, day_first: bool | None) -> tuple[int, str]:
    """23.04.2025 and 4/23/2025; with points the day comes first, with other marks the one that is not a month, or as
    the page's language has it."""
    for match in _NUMBERS.finditer(text):
        one, two = int(match[1]), int(match[3])
        if match[2] == "." or one > 12 >= two or one == two or (day_first and two <= 12):
            date = _date(match[4], two, one)
        elif two > 12 >= one or (day_first is False and one <= 12):
            date = _date(match[4], one, two)
        else:
            continue
        if date:
            return match.start(), date
    return -1, ""


def _month(name: str) -> int:
    """1 to 12, 0 for none; a name that stands right behind another word, as in MondayMarch, is read too."""
    return _months().get(name.casefold()) or _months().get(_last_word(name).casefold(), 0)


def _last_word(name: str) -> str:
    match = _last_word_of(name)
    return match[0] if match else ""


def in_address(address: str) -> str:
    """The date in a URL's path, as blogs and newspapers put it there."""
    match = _PATH.search(address)
    month = (int(match[2]) if match[2].isdecimal() else _month(match[2])) if match else 0
    return _date(match[1], month, int(match[3])) if match and month else ""


def _date(year: str, month: int, day: int) -> str:
    return f"{year}-{month:02}-{day:02}" if 1 <= day <= 31 and 1 <= month <= 12 else ""
