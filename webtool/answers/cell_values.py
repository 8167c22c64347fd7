"""Read what the cells of a table mean. In: columns of text. Out: the columns with numbers and dates. Pure.

    "1,234.5" "€ 12" "12 %" "(3)" "1 234,50"  ->  1234.5, 12, 12, -3, 1234.5
    "3 May 2024" "2024-05-03" "05/2024"       ->  "2024-05-03", "2024-05-03", text
    "05/03/2023" in a column with "28/03/2023" ->  "2023-03-05"

05/03/2023 is 5 March or May 3. Dates in a column are written in one way, so a value with a part over 12 decides for
all of them; a column without such a value follows the other columns of its table. If none decides, it stays text.

A column is typed if at least _MIN_SHARE of its cells have one kind of value, numbers or dates. Its other cells become
None (NULL in SQL, which sorts any text after all numbers). If a value is written differently, as 1200 for "$1,200", the
text of the cells is kept in a further column, NAME_text.
Tests: tests/answers/test_sql.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MIN_SHARE = 0.8  # of a column's filled cells that must be numbers, or dates
_CURRENCIES = "$€£¥₹₽₩₺₪฿₫₴"
# "(1,234.5)", "-$ 12", "12.5 km/h", "3 m²", "20 °C"
_number = patterns.compile(
    rf"(?P<open>\()?(?P<sign>[-+\u2212\u2013]?)[{_CURRENCIES}]?[ \u00a0]?(?P<sign2>[-\u2212]?)"
    r"(?P<digits>[0-9][0-9., \u00a0\u202f'\u2019_]*[0-9]|[0-9]|\.[0-9]+)"
    r"(?P<unit>[ \u00a0\u202f]?[^\W\d_\u4e00-\u9fff]{1,6}[.]?(?:/[^\W\d_]{1,4})?[\u00b2\u00b3]?"
    r"|[ \u00a0\u202f]?[%\u2030°"
    rf"{_CURRENCIES}][CF]?)?(?P<close>\))?"
).fullmatch
# Marks of notes at the end: "12[a]", "12*"
_reference = patterns.compile(r"(?:\[[0-9a-z]{1,3}\]|[*\u2020\u2021])+\Z").sub
# "USD 5", "ca. 12", "US$5": what is before the number
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
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # other languages have months that begin like these
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
        (order,) = orders if len(orders) == 1 else (None,)
        values = _values(column, order)
        if len(orders) > 1:
            typed.ambiguous.append(names[index])
        if not values:
            continue
        typed.columns[index] = values
        text_name = f"{names[index]}_text"
        if text_name not in typed.names and any(str(value) != cell for value, cell in zip(values, column)):
            typed.names.append(text_name)
            typed.columns.append(list(column))
    return typed


def _values(column: list[str], order: tuple[int, int] | None) -> list[object]:
    """Return the numbers or dates of a column; [] if it is text. `order` is that of its dates with slashes."""
    filled = _filled(column)
    has_comma = _has_decimal_comma(filled)
    units = {_unit_of(cell) for cell in filled if number_of(cell, has_comma) is not None}
    has_several_units = len(units - {""}) > 1  # "183 g" and "$499" cannot be compared; "free" is not a unit
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


def _has_decimal_comma(cells: list[str]) -> bool:
    """Return whether a column writes decimals with a comma: "3,5" and "12,25", but not "3,500" alone."""
    has_comma = any(_ends_in_comma(cell) for cell in cells)
    has_one_point = any(cell.count(".") == 1 and cell.rpartition(".")[2][:1].isdigit() for cell in cells)
    groups_by_point = any(cell.count(".") > 1 or (0 <= cell.find(".") < cell.find(",")) for cell in cells)  # "1.234,5"
    return has_comma and (groups_by_point or not has_one_point)


# "3,5" and "1.234,50"; not "3,500", whose comma may divide thousands
_ends_in_comma = patterns.compile(r"\D*[0-9][0-9. \u00a0\u202f]*,(?:[0-9]{1,2}|[0-9]{4,})(?![0-9])").match


def number_of(cell: str, has_decimal_comma: bool = False) -> float | int | None:
    """Return the number of a cell, or None: "$ 1,200" -> 1200, "12 %" -> 12."""
    text = _reference("", cell.strip())
    code = _code_before(text)
    match = _number(text[code.end() :] if code else text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    if (match["unit"] or "").strip().rstrip(".").lower() in _MONTHS_LIKE_UNITS:
        return None
    digits = "".join(c for c in match["digits"] if c.isdigit() or c in ".,")
    digits = digits.replace(".", "").replace(",", ".") if has_decimal_comma else digits.replace(",", "")
    if digits.count(".") > 1 or len(digits) > 30:
        return None
    is_negative = bool(match["open"]) or match["sign"] in ("-", "\u2212", "\u2013") or bool(match["sign2"])
    value = float(digits) if "." in digits or len(digits) > 18 else int(digits)  # SQLite's integers have 64 bits
    return -value if is_negative else value


def date_of(cell: str, order: tuple[int, int] | None = None) -> str | None:
    """Return the date of a cell in ISO 8601, or None: "May 3, 2024" -> "2024-05-03".

    `order` says which numbers of 05/03/2023 are the day and the month. Without an order, dates with slashes give None.
    """
    text = _reference("", cell.strip())[:60]
    match = _iso_date(text)
    if match:
        date = f"{match[1]}-{match[2]}" + (f"-{match[3]}" if match[3] else "")
        return f"{date} {_padded(match[4])}" if match[4] else date
    for pattern, (day, month, year) in ((_day_first, (1, 2, 3)), (_month_first, (2, 1, 3))):
        match = pattern(text)
        if match and match[month][:3].lower() in _MONTHS:
            return f"{match[year]}-{_MONTHS.index(match[month][:3].lower()) + 1:02}-{int(match[day]):02}"
    match = _slashed(text) if order else None
    if match and order:
        day, month = order
        date = f"{match[4]}-{int(match[month]):02}-{int(match[day]):02}"
        return f"{date} {_padded(match[5])}" if match[5] else date
    match = _dotted(text)
    return f"{match[3]}-{int(match[2]):02}-{int(match[1]):02}" if match else None


def _padded(time: str) -> str:
    """Return a time that sorts as text: "9:05:00" -> "09:05:00"."""
    return time if time[2] == ":" else f"0{time}"
