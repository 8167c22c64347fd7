"""Read dates as pages write them. In: a string, or a value of data. Out: an ISO 8601 date, or "" without one.

Only dates that can be read in one way count: 23/04/2025 and 23.04.2025 always do, 03/04/2025 only if the page's
language tells which number is the day. labels/months.txt has the names of months in two dozen languages.
Spec: ISO 8601; RFC 5322 for day, month and year in English.
"""

from __future__ import annotations

from webtool.extraction import labels
from webtool.lean import patterns
from webtool.lean.dates import iso as iso_of_unix
from webtool.lean.dates import weekday_of
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Match, Pattern

_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # in a leap year
MIN_BEGINNING = 3  # letters of the name of a month; shorter ones are other words
_is_thai = patterns.compile("[\u0e01-\u0e2e]").search
_DIGIT_OF_SCRIPT = patterns.compile(r"[^\D0-9]")  # of Arabic, Persian, Bengali
# Years of reigns in Japan and of the republic in Taiwan: "\u4ee4\u548c6\u5e74" is 2024.
_REIGN = patterns.compile("(\u4ee4\u548c|\u5e73\u6210|\u6c11\u570b)\\s?(\\d{1,3}|\u5143)\\s?\u5e74")
_YEAR_BEFORE = {"\u4ee4\u548c": 2018, "\u5e73\u6210": 1988, "\u6c11\u570b": 1911}  # the first year of each
_THAI_YEAR = patterns.compile(r"(?<!\d)25\d\d(?!\d)")
_VIETNAMESE = patterns.compile(r"(\d{1,2}) th\u00e1ng (\d{1,2})(?:,| n\u0103m)? (\d{4})")
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
_NAME = r"(?P<month>[^\W\d_]{3,12})"  # of a month, in any language
_ISO = patterns.compile(
    r"((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)"
    r"(?:[T ]\s*([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,]\d+)?)?\s*(Z|[+-][01]\d:?[0-5]\d)?)?"
)
_UNIX = patterns.compile(r"(1\d{9})(?:\d{3})?(?:\.\d+)?")  # seconds or milliseconds since 1970, from 2001 to 2033
_FORMS = (
    # "February 11th, 2024", "Feb. 11 2024", "Feb 11,2024"
    patterns.compile(rf"{_NAME}\.?\s+{_DAY}(?:st|nd|rd|th)?(?:[,\u060c]\s*|\s+){_YEAR}(?!\d)"),
    # "11. Februar 2024", "3rd of May, 2024", "11 de febrero de 2024", "4-Mayo/May-2024"
    patterns.compile(
        rf"(?<!\d){_DAY}(?:st|nd|rd|th|er|\u00ba|\.)?[\s-]*(?:of\s+|de\s+|d['\u2019]|[^\W\d_]{{2,12}}/)?{_NAME}\.?[,\u060c]?(?:\s+de|\s+del)?(?:[\s-]+|(?<=,)){_YEAR}(?!\d)"
    ),
    # "2024/2/11", "2024 02/11", "2024年2月11", "2024년 2월 11"
    patterns.compile(
        rf"(?<!\d){_YEAR}(?:[-/.]|\s?\u5e74\s?|\s?\ub144\s?|\s(?=\d\d/\d\d(?!\d)))(?P<month>[01]?\d)(?:[-/.]|\s?\u6708\s?|\s?\uc6d4\s?){_DAY}(?!\d)"
    ),
    # "2024 February 11"
    patterns.compile(rf"(?<!\d){_YEAR}\.?\s+{_NAME}\.?\s+{_DAY}(?!\d)"),
)
# "23.04.2025", "Tue, 03/04/2014"
_NUMBERS = patterns.compile(
    r"(?:\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]{0,4}day)?,? )?"
    r"(?<![\d./-])([0-3]?\d)([./-])([0-3]?\d)\3((?:19|20)\d\d)(?!\d)"
)
# "/2025/04/03/" or, with the section after the year, "/2025/politics/04/03/".
_PATH = patterns.compile(
    r"/((?:19|20)\d\d)/(?:[A-Za-z][\w.-]{1,20}/)??(0?[1-9]|1[0-2]|[a-z]{3,9})/(0?[1-9]|[12]\d|3[01])(?:/|$)"
)
_last_word_of = patterns.compile(r"[^\W\d_a-z][a-z]+$|[A-Z]+$").search


def is_day_first(language: str) -> bool | None:
    """Return whether numeric dates have the day first in a language (BCP 47 tag); None if that is not certain."""
    name, _, region = language.casefold().replace("_", "-").partition("-")
    if name != "en":
        return True if name else None
    return {"us": False, "": None, "ca": None}.get(region[-2:], True)


def iso(value: object, day_first: bool | None = None) -> str:
    """Return the date of a value that should be one, with time and zone if it has them: 2024-02-11T08:30:00+01:00.

    Seconds since 1970, as Unix counts them, are a date too: 1714820400 is 2024-05-04T11:00:00Z.
    """
    if not isinstance(value, (str, int, float)):
        return ""
    text = str(value).strip()[:100]
    if unix := _UNIX.fullmatch(text):
        return iso_of_unix(int(unix[1]))
    if not isinstance(value, str):
        return ""
    match = _ISO.match(text)
    if not match:
        return in_text(text, day_first)
    year, month, day, hour, minute, second, zone = match.groups()
    date = _date(year, int(month), int(day))
    if hour is None or not date:
        return date
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    return f"{date}T{hour}:{minute}:{second or '00'}{zone or ''}"


def in_text(text: str, day_first: bool | None = None) -> str:
    """Return the first date in a short text as yyyy-mm-dd, else ""."""
    if not text.isascii():
        text = _in_ascii(text)
    if _is_thai(text):
        text = _THAI_YEAR.sub(lambda match: f" {int(match[0]) - 543}", text)
        months = labels.words("months")
        for thai in (months["th"], labels.words("months_short")["th"]):
            for name, english in zip(thai, months["en"]):
                text = text.replace(name, f" {english}")
    elif "th\u00e1ng" in text:
        text = _VIETNAMESE.sub(lambda match: "/".join(match.groups()), text)
        day_first = True
    if "20" not in text and "19" not in text:
        return ""
    candidates = [*(_read(text, form) for form in _FORMS), _numbers(text, day_first)]
    _start, date = min([(start, date) for start, date in candidates if date], default=(0, ""))
    return date


def _in_ascii(text: str) -> str:
    """Return a text with digits of other scripts as 0 to 9, and years of reigns as those of our calendar."""
    text = _DIGIT_OF_SCRIPT.sub(lambda match: str(int(match[0])), text)
    return _REIGN.sub(_our_year, text)


def _our_year(match: Match[str]) -> str:
    number = 1 if match[2] == "\u5143" else int(match[2])  # the first year has a sign of its own
    return f"{_YEAR_BEFORE[match[1]] + number}\u5e74"


def _read(text: str, form: Pattern[str]) -> tuple[int, str]:
    """Return where the first date of a form begins, and that date; (-1, "") without a date."""
    for match in form.finditer(text):
        number = int(match["month"]) if match["month"].isdecimal() else _month(match["month"])
        if date := _date(match["year"], number, int(match["day"])):
            return match.start(), date
    return -1, ""


def _numbers(text: str, day_first: bool | None) -> tuple[int, str]:
    """Return where the first date like 23.04.2025 or 4/23/2025 begins, and that date; (-1, "") without a date.

    With points the day comes first. With other marks it is the number above 12, or the language or the weekday tells:
    "Tue, 03/04/2014" (Drupal) is in March, because 3 April 2014 was a Thursday.
    """
    for match in _NUMBERS.finditer(text):
        weekday, first, mark, second, year = match[1], int(match[2]), match[3], int(match[4]), match[5]
        if mark == "." or first > 12 >= second or first == second or (day_first and second <= 12):
            date = _date(year, second, first)
        elif second > 12 >= first or (day_first is False and first <= 12):
            date = _date(year, first, second)
        else:
            days = (_date(year, second, first), _date(year, first, second)) if weekday else ()
            of_weekday = [day for day in days if day and weekday_of(day) == weekday]
            date = of_weekday[0] if len(of_weekday) == 1 else ""
        if date:
            return match.start(), date
    return -1, ""


def _month(name: str) -> int:
    """Return 1 to 12 for the name of a month, also at the end of a word ("MondayMarch"); 0 for other words."""
    last_word = _last_word_of(name)
    # casefold() would write the letter in the middle of the Greek "Μαΐου" as three.
    return _MONTHS[name.lower()] or (_MONTHS[last_word[0].lower()] if last_word else 0)


def _named_month(name: str) -> int:
    """Return 1 to 12 for the name of a month in some language, 0 for other words; the first language with it counts.

    A beginning of three letters or more counts if no other month of that language has it: "sep" and "febr", not "jui".
    """
    if name == "sept":
        return 9
    for language, months in labels.words("months").items():
        if language == "th":  # in_text() translates them
            continue
        if name in months:
            return months.index(name) + 1
        numbers = [number for number, month in enumerate(months, 1) if month.startswith(name)]
        if len(numbers) == 1 and len(name) >= MIN_BEGINNING:
            return numbers[0]
    return 0


_MONTHS = Remembered(_named_month)


def in_address(address: str) -> str:
    """Return the date in a URL's path, as blogs and newspapers have it: /2025/04/03/title; else ""."""
    match = _PATH.search(address)
    if match is None:
        return ""
    month = int(match[2]) if match[2].isdecimal() else _month(match[2])
    return _date(match[1], month, int(match[3]))


def _date(year: str, month: int, day: int) -> str:
    """Return yyyy-mm-dd, "" for a month or day that no year has: 30 February."""
    is_real = 1 <= month <= 12 and 1 <= day <= _MONTH_DAYS[month - 1]
    return f"{year}-{month:02}-{day:02}" if is_real else ""
