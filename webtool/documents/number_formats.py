"""Show numbers as a spreadsheet does. In: a format code, or the style of a cell, and a number. Out: the number as text.

A code has up to four sections, separated by semicolons: for positive and negative numbers, for zero, for text. Dates
are written in ISO 8601, whatever their format. A fraction, or a number in a format that is not understood, is written
without format. A condition such as [>=1000] gives a section other numbers.
Formats has the styles of a workbook's cells, by their indices. It also knows which of them hide their text.
Specification: ECMA-376 part 1, clauses 18.8.30 (numFmt, and the built-in formats), 18.17.4 (dates).
Tests: tests/documents/test_number_formats.py, tests/documents/test_office.py
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne

from webtool.documents import unseen
from webtool.documents.xmltree import attribute, child, children, integer
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement

_MAX_DECIMALS = 15  # digits after the point; more are dropped
_MAX_DIGITS = 30  # digits before the point that zeros may fill up; more are dropped
_MAX_CODE = 1000  # characters of a format code; the rest is ignored
_MAX_EXACT = 1e15  # larger numbers are written without format, as cells have 15 digits
_MAX_DAYS = 2_958_466  # from 1899-12-30 to the end of the year 9999; larger numbers are not dates
_SECONDS_PER_DAY = 86400
# Groups: "quoted", \escaped, _ (a space as wide as the next character), [Red] or [$€-407], placeholders, any other
# character. An asterisk and the character after it fill the cell, so they match without a group.
_TOKEN = patterns.compile(r'"([^"]*)"|\\(.)|_(.)|\*.|\[([^\]]*)\]|([#0?.,%]+|[eE][+-])|(.)')
_QUOTED = patterns.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_ELAPSED_MARK = patterns.compile(r"(?i)\[(?:h+|m+|s+)\]")  # [h]:mm shows a duration, with hours beyond 24
_EXPONENT = patterns.compile(r"[eE][+-]")
_CONDITION = patterns.compile(r"([<>]=?|<>|=)(-?\d{1,20}(?:\.\d{1,20})?)")
_COMPARISONS = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "<>": ne}
# The share of a number that is added before rounding, so that halves are rounded up, as in spreadsheets: 2.5 in "0" is
# 3, 1.005 in "0.00" is 1.01. format() alone rounds 2.5 to even, and 1.005 down, which is stored as 1.00499999999999989.
# It is less than half of the last of 15 digits, so it is not added to a number that is shown with more.
_ROUND_UP = 3.4e-16


class _Section(NamedTuple):
    """One section of a format code: "$"#,##0.00 -> prefix "$", layout ",.2f"."""

    prefix: str
    suffix: str
    layout: str  # of the digits, as Python's format() takes it; "" for a section without digits
    has_zero: bool  # 0 is shown as digits
    factor: int  # by which a number is multiplied: 100 for each percent sign
    divisor: int  # 1000 for each comma after the digits: 0.0,, shows millions
    optional: int  # places at the end for digits other than trailing zeros: 1 in 0.0#
    places: str  # for digits before the point; a 0 shows a place that the number lacks: 5 in 000 -> "005"
    breaks: tuple[tuple[int, str], ...] = ()  # text between digits, after how many from the right: 000-00 -> (2, "-")
    condition: tuple[str, float] | None = None  # [>=1000] -> (">=", 1000.0)


def format_value(value: str, code: str, is_1904: bool = False) -> str:
    """Return a cell's stored value in a format; text stays. Dates are numbers of days since 1900, or since 1904."""
    try:
        number = float(value)
    except ValueError:
        return value
    kind = _kind(code) if code else "general"
    if kind == "number":
        return formatted(code, number)
    if kind == "elapsed" and abs(number) < _MAX_DAYS:
        minutes, seconds = divmod(round(abs(number) * _SECONDS_PER_DAY), 60)
        return f"{'-' if number < 0 else ''}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if kind in ("date", "time", "datetime") and 0 <= number < _MAX_DAYS:
        return _date(number, kind, is_1904)
    return general(number)


def _date(number: float, kind: str, is_1904: bool) -> str:
    """Return a number of days as a date, a time or both; as a number if the date is after the year 9999."""
    try:
        passed = timedelta(days=int(number), seconds=round(number % 1 * _SECONDS_PER_DAY))
        # Excel counts 1900-02-29 as day 60, a day that never was: earlier dates have an epoch one day later.
        epoch = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30 if passed.days > 60 else 31)
        moment = epoch + passed
    except OverflowError:
        return general(number)
    date = "1900-02-29" if passed.days == 60 and not is_1904 else moment.date().isoformat()
    time = moment.strftime("%H:%M:%S")
    if kind == "time" or (number < 1 and not is_1904):  # a date from 1900 on has a day
        return time
    return date if kind == "date" and not number % 1 else f"{date} {time}"


@lru_cache(maxsize=1000)
def _kind(code: str) -> str:
    """Return what a format shows: "date", "time", "datetime", "elapsed" (a duration), "number", or "general"."""
    code = code[:_MAX_CODE]
    if _ELAPSED_MARK.search(code):
        return "elapsed"
    first = _QUOTED.sub("", code.partition(";")[0]).lower()
    if "general" in first or code == "@":
        return "general"
    has_date = any(letter in first for letter in "yd")
    has_time = any(letter in first for letter in "hs")
    if has_date and has_time:
        return "datetime"
    if has_time:
        return "time"
    return "date" if has_date or first.strip("/- .,:") in ("m", "mm", "mmm", "mmmm") else "number"


def general(number: float) -> str:
    """Return a number without format, with the 15 digits that a cell has."""
    return f"{number:.15g}"


def formatted(code: str, number: float) -> str:
    """Return a number in a format: 1234.5 in `"$"#,##0.00` -> "$1,234.50"."""
    sections = _sections(code)
    index, has_own_sign = _choice(sections, number)
    section = sections[index]
    if section is None or abs(number) >= _MAX_EXACT:
        return general(number)
    if not section.layout or (number == 0 and not section.has_zero):
        return (section.prefix + section.suffix).strip() or general(number)  # e.g. "-" for 0 in `0;-0;"-"`
    sign = "-" if number < 0 and not has_own_sign else ""
    try:
        return f"{sign}{section.prefix}{_digits(section, abs(number))}{section.suffix}".strip()
    except (ValueError, OverflowError):  # scaled beyond the range of floats
        return general(number)


def _choice(sections: list[_Section | None], number: float) -> tuple[int, bool]:
    """Return the index of the section for a number, and whether this section shows that the number is negative."""
    conditions = [section.condition for section in sections[:2] if section and section.condition]
    if not conditions:
        index = 1 if number < 0 else 2 * (number == 0)
        return (index, index > 0) if index < len(sections) else (0, False)
    index = min(len(conditions), len(sections) - 1)  # the section after the conditions has all other numbers
    for place, section in enumerate(sections[:2]):
        if section and section.condition and _COMPARISONS[section.condition[0]](number, section.condition[1]):
            index = place
            break
    chosen = sections[index]
    return index, chosen is not None and any(sign in chosen.prefix for sign in "-(")


@lru_cache(maxsize=1000)
def _sections(code: str) -> list[_Section | None]:
    """Split a format code at its semicolons, except quoted ones; None for a section that is not understood."""
    parts = [""]
    for match in _TOKEN.finditer(code[:_MAX_CODE]):
        if match.group(6) == ";":
            parts.append("")
        else:
            parts[-1] += match.group()
    return [_section(part) for part in parts]


def _section(code: str) -> _Section | None:
    """Parse one section; return None for fractions, dates and conditions in another form, such as [>=1E6]."""
    before: list[str] = []
    after: list[str] = []
    digits: list[str] = []
    breaks: list[tuple[str, str]] = []  # text between placeholders, with those before it
    condition: tuple[str, float] | None = None
    for match in _TOKEN.finditer(code):
        quoted, escaped, space, bracket, placeholder, other = match.groups()
        text = quoted or escaped or (" " if space else "") or other or ""
        if bracket is not None:
            if match_of_condition := _CONDITION.fullmatch(bracket):
                condition = match_of_condition[1], float(match_of_condition[2])
            elif bracket.startswith(tuple(_COMPARISONS)):
                return None
            text = bracket[1:].partition("-")[0] if bracket[:1] == "$" else ""
        if placeholder:
            if after and placeholder.strip("%"):
                breaks.append(("".join(digits), "".join(after)))
                after = []
            digits.append(placeholder)
        elif other and (other.isalpha() or other in "/?@"):
            return None
        elif text:
            (after if digits else before).append(text)
    section = _laid_out("".join(before), "".join(after), "".join(digits))
    whole = "".join(digits).partition(".")[0]
    if whole.strip("0#?") or any(len(digits_before) > len(whole) for digits_before, _ in breaks):
        # Not a telephone number such as (000) 000-0000: blanks do not matter.
        if any(text.strip() for _, text in breaks):
            return None
        breaks = []
    places = tuple((len(whole) - len(digits_before), text) for digits_before, text in breaks)
    return section._replace(breaks=places, condition=condition)


def _laid_out(prefix: str, suffix: str, placeholders: str) -> _Section:
    """Return a section by the text before, the text after, and its placeholders, e.g. "#,##0.00" or "0.0%"."""
    percents = placeholders.count("%")
    suffix = "%" * percents + suffix
    digits = placeholders.replace("%", "")
    whole, _, fraction = digits.partition(".")
    if _EXPONENT.search(digits):
        layout = f".{_decimals(_EXPONENT.split(digits)[0].partition('.')[2])}E"
        return _Section(prefix, suffix, layout, "0" in digits, 100**percents, 1, 0, "")
    stripped = whole.rstrip(",")
    divisor = 1000 ** (len(whole) - len(stripped) + fraction.count(","))
    grouping = "," if "," in stripped else ""  # a comma between digits groups them by thousands
    layout = f"{grouping}.{_decimals(fraction)}f" if digits else ""
    decimals = fraction.replace(",", "")
    optional, places = len(decimals) - len(decimals.rstrip("#?")), stripped.replace(",", "")[-_MAX_DIGITS:]
    return _Section(prefix, suffix, layout, "0" in digits, 100**percents, divisor, optional, places)


def _digits(section: _Section, number: float) -> str:
    """Return the digits of a positive number with grouping, decimals, exponent. Raises ValueError, OverflowError."""
    scaled = number * section.factor / section.divisor
    decimals = int(section.layout.rpartition(".")[2][:-1])  # 2 in ",.2f"
    has_exponent = section.layout.endswith("E")
    if decimals < _MAX_DECIMALS if has_exponent else scaled * 10**decimals < _MAX_EXACT:
        scaled += scaled * _ROUND_UP
    shown = format(scaled, section.layout)
    if has_exponent:
        mantissa, exponent = shown.split("E")
        return f"{mantissa}E{int(exponent):+03d}"
    optional = section.optional
    while optional and shown.endswith("0") and "." in shown:  # 1.50 in 0.0# -> "1.5"
        shown = shown[:-1]
        optional -= 1
    whole, _, fraction = shown.partition(".")
    lacking = max(0, len(section.places) - len(whole.replace(",", "")))
    whole = "0" * section.places[:lacking].count("0") + whole  # 501 in 00000 -> "00501"
    count = len(whole)
    for digits_after, text in reversed(section.breaks):  # from the right
        start = max(0, count - digits_after)
        whole = whole[:start] + text + whole[start:]
    return f"{whole.lstrip()}{'.' if fraction else ''}{fraction}"  # 1 in `# ##0` -> "1"


def _decimals(fraction: str) -> int:
    """Return the number of decimals of the placeholders after the point."""
    return min(_MAX_DECIMALS, sum(fraction.count(sign) for sign in "0#?"))


# Styles of cells

# The formats that are known by number alone; dates and times are in ISO 8601.
_BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;(#,##0);-",
    42: '"$"#,##0;"$"(#,##0);"$"-', 43: "#,##0.00;(#,##0.00);-", 44: '"$"#,##0.00;"$"(#,##0.00);"$"-', 48: "##0.0E+0",
    22: "yyyy-mm-dd hh:mm", 46: "[h]:mm:ss",
    **dict.fromkeys((14, 15, 16, 17, 27, 28, 29, 30, 31, 36, *range(50, 59)), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 47), "hh:mm:ss"),
}  # fmt: skip


_SHOWS_NOTHING = ";;;"  # a format whose sections are empty, also that for text


class Formats:
    """Number formats by the index of a cell's style (clause 18.8.45). `is_1904` changes the epoch of dates."""

    def __init__(self, root: XmlElement | None, is_1904: bool) -> None:
        self._is_1904 = is_1904
        codes = dict(_BUILT_IN)
        self._codes: list[str] = []
        self.reasons: dict[str, str] = {}  # by index of a style: why its text is not seen
        if root is None:
            return
        for item in root.iter("x:numFmt"):
            codes[integer(item.get("numFmtId"))] = item.get("formatCode", "")
        fonts, fills = children(root, "x:fonts", "x:font"), children(root, "x:fills", "x:fill")
        for index, item in enumerate(children(root, "x:cellXfs", "x:xf")):
            code = codes.get(integer(item.get("numFmtId")), "")
            self._codes.append(code)
            number, fill = integer(item.get("fontId"), -1), integer(item.get("fillId"), -1)
            reason = unseen.MARKED if code.replace(" ", "") == _SHOWS_NOTHING else ""
            if not reason and 0 <= number < len(fonts):
                reason = _reason(fonts[number], fills[fill] if 0 <= fill < len(fills) else None)
            self.reasons.update({str(index): reason} if reason else {})

    def text(self, value: str, style: int) -> str:
        """Return a number as its format shows it."""
        code = self._codes[style] if 0 <= style < len(self._codes) else ""
        return format_value(value, code, self._is_1904)


def _reason(font: XmlElement, fill: XmlElement | None) -> str:
    """Return why text in a font on a fill is not seen, or "" (clauses 18.8.22 and 18.8.20)."""
    pattern = child(fill, "x:patternFill")
    background = unseen.PAGE
    if pattern is not None and pattern.get("patternType", "none") != "none":
        background = _colour(child(pattern, "x:fgColor")) if pattern.get("patternType") == "solid" else ""
    points = attribute(font, "x:sz", "val")
    is_number = points.replace(".", "", 1).isdecimal() and len(points) < 10
    return unseen.reason(_colour(child(font, "x:color")), background, float(points) if is_number else 12.0)


def _colour(node: XmlElement | None) -> str:
    """Return a colour as "#rrggbb"; "" if it is not known. The first colour of a theme is usually white."""
    if node is None:
        return ""
    if node.get("theme") == "0" and not node.get("tint"):
        return unseen.PAGE
    return unseen.hexadecimal_colour(node.get("rgb", "")[-6:])
