"""Read what the cells of a table mean. In: columns of text. Out: the columns with numbers and dates. Pure.

    "1,234.5" "€ 12" "12 %" "(3)" "1 234.50"  ->  1234.5, 12, 12, -3, 1234.5
    "3 May 2024" "2024-05-03" "05/2024"       ->  "2024-05-03", "2024-05-03", text
    "05/03/2023" in a column with "28/03/2023" ->  "2023-03-05"

05/03/2023 is 5 March or May 3. Dates in a column are written in one way, so a value with a part over 12 decides for
all of them; a column without such a value follows the other columns of its table. If none decides, it stays text.

A column is typed if at least _MIN_SHARE of its cells have one kind of value, numbers or dates. Its other cells become
None, in SQL NULL: SQL takes any text for larger than all numbers, so "free" would be the largest price. If a value is
written differently, as 1200 for "$1,200", the text of the cells is kept in a further column, NAME_text.
Tests: tests/answers/test_sql.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MIN_SHARE = 0.8  # of a column's filled cells that must be numbers, or dates
_MAX_DIGITS = 30  # with their dividers; a cell with more has no number
_CURRENCIES = "$€£¥₹₽₩₺₪฿₫₴"
_DIVIDERS = r"[., \u00a0\u202f'\u2019_]"  # between the digits of a number: "1,234.5", "1 234", "1'234"
# "1,234.5", "-$ 12", "12.5 km/h", "3 m²", "20 °C". Not the list "1, 2": it has two dividers in a row.
_number = patterns.compile(
    rf"(?P<sign>[-+\u2212\u2013]?)[{_CURRENCIES}]?[ \u00a0]?(?P<sign2>[-\u2212]?)"
    rf"(?P<digits>[0-9]+(?:{_DIVIDERS}[0-9]+)*|\.[0-9]+)"
    r"(?P<unit>[ \u00a0\u202f]?[^\W\d_\u4e00-\u9fff]{1,6}[.]?(?:/[^\W\d_]{1,4})?[\u00b2\u00b3]?"
    rf"|[ \u00a0\u202f]?[%\u2030°{_CURRENCIES}][CF]?)?"
).fullmatch
_groups_of = patterns.compile(_DIVIDERS).split
_are_decimals = patterns.compile(r"[0-9]+|(?:[0-9]{3}[ \u00a0\u202f])+[0-9]{1,4}").fullmatch  # "5", "626 070 15"
_ends_in_decimals = patterns.compile(
    r"\D*[0-9][0-9. \u00a0\u202f]*,(?:[0-9]{1,2}|[0-9]{4,})(?![0-9,])"  # "3,5"; not "3,500", "1,00,000" or "1,2,3"
).match
_has_grouping_points = patterns.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]"  # "1.234,5"
    r"|(?:\.[0-9]{3}){2}(?![0-9.]))"  # "1.234.567"; not "192.168.100.101", an address of a computer
).search
# Units that multiply the number: "1.2M" is more than "900".
_SCALES = frozenset("k m b bn mn tn mio mrd tsd lakh crore".split())
# Marks of notes at the end: "12[a]", "12*"
_reference = patterns.compile(r"(?:\[[0-9a-z]{1,3}\]|[*\u2020\u2021])+\Z").sub
# What is before a number: the "USD" of "USD 5", the "ca." of "ca. 12", the "US" of "US$5"
_code_before = patterns.compile(
    r"(?:USD|EUR|GBP|CHF|US|CAD|AUD|JPY|kr|Rs|~|\u2248|ca\.|c\.)[ .\u00a0]*(?=[-$€£¥0-9])"
).match
# "2024-05-03", "2024/05", "2024-05-03T09:30"
_iso_date = patterns.compile(
    r"([12][0-9]{3})[-/]([01][0-9])(?:[-/]([0-3][0-9]))?(?:[T ]([0-2]?[0-9]:[0-5][0-9](?::[0-9]{2})?).*)?"
).fullmatch
# "Fri, 3rd May 2024", "3.-May-2024"
_day_first = patterns.compile(
    r"(?:[^\W\d]+,? )?([0-3]?[0-9])(?:st|nd|rd|th|\.)?[ -]([^\W\d]{3,9})\.?,?[ -]([12][0-9]{3})"
).fullmatch
# "Friday, May 3rd, 2024"
_month_first = patterns.compile(
    r"(?:[^\W\d]+,? )?([^\W\d]{3,9})\.? ([0-3]?[0-9])(?:st|nd|rd|th)?,? ([12][0-9]{3})"
).fullmatch
_dotted = patterns.compile(r"([0-3]?[0-9])\.([01]?[0-9])\.([12][0-9]{3})").fullmatch  # "3.5.2024"
# "05/03/2023", "5-3-2023 9:05"
_slashed = patterns.compile(
    r"([0-3]?[0-9])([/-])([0-3]?[0-9])\2([12][0-9]{3})(?:,? ([0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?))?"
).fullmatch
_DAY_FIRST, _MONTH_FIRST = (1, 3), (3, 1)  # the groups of _slashed with the day and with the month
# The first three letters of a month decide, so "sept", "juni" and "novembre" count too; "mai" and "dez" do not.
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# Months of up to six letters: "12 March" is not a number with a unit, "12 marks" is.
_MONTHS_LIKE_UNITS = frozenset(
    (
        "jan janv januar feb febr mar mars mart marts march marzo marz apr april aprile may jun june juni junio jul"
        " july juli julio aug august sep sept set oct nov dec"
    ).split()
)
_EMPTY = frozenset(("", "-", "\u2013", "\u2014", "n/a", "na", "?", "none", "null", "tba", "tbd", "..", "..."))


class Typed(NamedTuple):
    """The columns of a table with the values of their cells."""

    names: list[str]
    columns: list[list[object]]
    ambiguous: list[str]  # names of columns that stay text because 05/03/2023 may be 5 March or May 3


def typed_columns(names: list[str], columns: list[list[str]]) -> Typed:
    """Return the columns with values in place of text where nearly all are numbers or dates, and their text beside."""
    typed = Typed(list(names), [list[object](column) for column in columns], [])
    possible_orders = [_orders(column) for column in columns]
    certain_orders = set().union(*[orders for orders in possible_orders if len(orders) == 1])
    for index, (column, orders) in enumerate(zip(columns, possible_orders)):
        if len(orders) > 1 and len(certain_orders) == 1:  # the other columns of the table decide
            orders = certain_orders
        if len(orders) > 1:
            typed.ambiguous.append(names[index])
        values = _values(column, next(iter(orders)) if len(orders) == 1 else None)
        if not values:
            continue
        typed.columns[index] = values
        text_name = f"{names[index]}_text"
        if text_name not in typed.names and any(str(value) != cell for value, cell in zip(values, column)):
            typed.names.append(text_name)
            typed.columns.append(list(column))
    return typed


def _values(column: list[str], order: tuple[int, int] | None) -> list[object]:
    """Return the numbers or dates of a column; [] if it is text. `order` says how its dates with slashes are read."""
    filled = _filled(column)
    has_comma = _has_decimal_comma(filled)
    units = {_unit_of(cell) for cell in filled if number_of(cell, has_comma) is not None}
    # "183 g" and "$499" cannot be compared, and "1.2M" is more than "900".
    has_several_units = len(units - {""}) > 1 or ("" in units and any(map(_is_scale, units)))
    has_codes = any(cell[0] == "0" and cell.isdigit() and len(cell) > 1 for cell in filled)  # "00712"
    is_text = has_several_units or has_codes
    numbers: list[object] = [None if is_text else number_of(cell, has_comma) for cell in column]
    dates: list[object] = [date_of(cell, order) for cell in column]
    for values in (numbers, dates):
        if filled and sum(value is not None for value in values) >= _MIN_SHARE * len(filled):
            return values
    return []


def _filled(column: Iterable[str]) -> list[str]:
    """Return the cells that have a value: not "", "-" or "n/a"."""
    return [cell for cell in column if cell.strip().lower() not in _EMPTY]


def _orders(column: list[str]) -> set[tuple[int, int]]:
    """Return the orders of day and month that fit all dates with slashes of a column; the empty set for other columns.

    {_DAY_FIRST} for 05/03/2023 and 28/03/2023; both orders for 05/03/2023 alone.
    """
    dates = [date for date in map(_slashed, map(str.strip, column)) if date]
    if not dates or len(dates) < _MIN_SHARE * len(_filled(column)):
        return set()
    return {order for order in (_DAY_FIRST, _MONTH_FIRST) if all(0 < int(date[order[1]]) <= 12 for date in dates)}


def _unit_of(cell: str) -> str:
    """Return the letters and signs beside a number: "1,200 days" -> "day"."""
    text = _reference("", cell.strip()).lower()
    return "".join(c for c in text if c.isalpha() or c in f"{_CURRENCIES}%").rstrip("s")


def _is_scale(unit: str) -> bool:
    """Return whether a unit multiplies the number: "m" and "$m" for millions; also the "m" of metres."""
    return unit.strip(_CURRENCIES) in _SCALES


def _has_decimal_comma(cells: list[str]) -> bool:
    """Return whether a comma is the decimal sign of a column, and a point divides thousands.

    "1.234,5" and "1.234.567" show this. "3,5" shows it too, unless a cell like "3.5" contradicts. "3,500" does not.
    """
    if any(map(_has_grouping_points, cells)):
        return True
    has_one_point = any(cell.count(".") == 1 and cell.rpartition(".")[2][:1].isdigit() for cell in cells)
    return not has_one_point and any(map(_ends_in_decimals, cells))


def number_of(cell: str, has_decimal_comma: bool = False) -> float | int | None:
    """Return the number of a cell, or None: "$ 1,200" -> 1200, "12 %" -> 12.

    Thousands are divided into groups of three digits, or of two as in "12,34,567" (India). Else the cell has no number:
    "1 2 3", "1.2.3", "1,2" with a decimal point. Decimals may be in groups, too: "6.626 070 15" -> 6.62607015.
    """
    text = _reference("", cell.strip())
    code = _code_before(text)
    text = text[code.end() :] if code else text
    is_in_brackets = text[:1] == "(" and text[-1:] == ")"  # as accountants write a negative number
    match = _number(text[1:-1] if is_in_brackets else text)
    if match is None:
        return None
    if (match["unit"] or "").strip().rstrip(".").lower() in _MONTHS_LIKE_UNITS:
        return None
    whole, point, decimals = match["digits"].partition("," if has_decimal_comma else ".")
    first, *groups = _groups_of(whole)
    has_thousands = not groups or (len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups))
    if not has_thousands or (point and not _are_decimals(decimals)) or len(match["digits"]) > _MAX_DIGITS:
        return None
    digits = "".join((first, *groups))
    is_negative = is_in_brackets or match["sign"] in ("-", "\u2212", "\u2013") or bool(match["sign2"])
    is_integer = not point and len(digits) <= 18  # SQLite's integers have 64 bits
    value = int(digits) if is_integer else float(f"{digits}.{''.join(_groups_of(decimals))}")
    return -value if is_negative else value


def date_of(cell: str, order: tuple[int, int] | None = None) -> str | None:
    """Return the date of a cell in ISO 8601, or None: "May 3, 2024" -> "2024-05-03".

    `order` says which numbers of 05/03/2023 are the day and the month. Without an order, dates with slashes give None.
    """
    text = _reference("", cell.strip())[:60]
    match = _iso_date(text)
    if match:
        return _iso(match[1], match[2], match[3], match[4])
    for pattern, (day, month, year) in ((_day_first, (1, 2, 3)), (_month_first, (2, 1, 3))):
        match = pattern(text)
        if match and match[month][:3].lower() in _MONTHS:
            return _iso(match[year], _MONTHS.index(match[month][:3].lower()) + 1, match[day])
    match = _slashed(text) if order else None
    if match and order:
        day, month = order
        return _iso(match[4], match[month], match[day], match[5])
    match = _dotted(text)
    return _iso(match[3], match[2], match[1]) if match else None


def _iso(year: str, month: str | int, day: str | None, time: str | None = None) -> str | None:
    """Return a date in ISO 8601, with its day and its time if they are given; None for month 13 or day 32."""
    if not 1 <= int(month) <= 12 or not 1 <= int(day or 1) <= 31:
        return None
    date = f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")
    return f"{date} {_padded(time)}" if time else date


def _padded(time: str) -> str:
    """Return a time that sorts as text: "9:05:00" -> "09:05:00"."""
    return time if time[2] == ":" else f"0{time}"
