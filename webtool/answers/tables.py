"""Read the tables of a page and what their cells mean. In: a Page of blocks. Out: Tables; columns with values. Pure.

A file of comma- or tab-separated values is one table, t1.

    | Good | Paid [1](#n) |        Table("t1", line 12, head ["Good", "Paid 1"], row_lines [14])
    | --- | --- |
    | Rope | 12 |

    "1,234.5" "€ 12" "12 %" "(3)" "1 234,50"  ->  1234.5, 12, 12, -3, 1234.5
    "3 May 2024" "2024-05-03" "05/2024"       ->  "2024-05-03", "2024-05-03", text
    "05/03/2023" in a column with "28/03/2023" ->  "2023-03-05"

05/03/2023 is 5 March or May 3. Dates in a column are written in one way, so a value with a part over 12 decides for
all of them; a column without such a value follows the other columns of its table. If none decides, it stays text.

A column is typed if nearly all of its cells have one kind of value. The others are NULL, as texts sort after all
numbers; the text of every cell is kept in a column NAME_text.
Specification: GFM 4.10.

Tests: tests/answers/test_sql.py
"""

from __future__ import annotations

from webtool.answers.blocks import ROW, Block, Page, parse
from webtool.answers.reading import as_read
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MAX_FIRST_RECORD = 10_000  # characters of it that are looked at for the delimiter
_MIN_RECORDS = 3  # lines that are alike in a text that is taken for a file of values
MAX_TABLES = 500  # of a page; the others have no name
_DELIMITERS = ",;\t|"  # between the values of a file; of two that cut the first record alike, the first is taken
_escape = patterns.compile(r"([\\`*_\[\]<>&|~!])").sub
_bars = patterns.compile(r"(?<!\\)\|").split


class Table(NamedTuple):
    """One table of a page, named by its place: t1 is the first."""

    name: str
    line: int  # the line of its head
    head: list[str]
    row_lines: list[int]
    caption: str  # the nearest heading above it


def cells(line: str) -> list[str]:
    """Return the cells of a table's line as a reader sees them: "| *a* | b \\\\| c |" -> ["a", "b | c"]."""
    inner = line.strip(" >\t")
    inner = inner[1:] if inner.startswith("|") else inner
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [as_read(cell.replace("\\|", "|")).strip() for cell in _bars(inner)]


def tables(page: Page) -> list[Table]:
    """Return the tables of a page, at most MAX_TABLES. Cost: linear."""
    page_tables: list[Table] = []
    for block in page.blocks:
        if block.kind != ROW:
            continue
        if block.first != block.header:
            if page_tables and page_tables[-1].line == block.header:
                page_tables[-1].row_lines.append(block.first)
        elif len(page_tables) < MAX_TABLES:
            caption = page.headings[block.heading].title if block.heading >= 0 else ""
            head = cells(page.lines[block.first - 1])
            page_tables.append(Table(f"t{len(page_tables) + 1}", block.first, head, [], caption))
    return page_tables


def page_of(text: str) -> Page:
    """Return the page of a text of unknown type: of markdown, or of a file of values, as its lines are written.

    A file of values has at least _MIN_RECORDS records with one delimiter, all of the same length, and no space after
    the delimiter, as prose has it: "station,altitude" but not "On the pier, at night".
    """
    first = [line for line in text[:_MAX_FIRST_RECORD].split("\n") if line.strip()][:_MIN_RECORDS]
    for delimiter in _DELIMITERS[:3]:
        counts = {line.count(delimiter) for line in first}
        if len(first) == _MIN_RECORDS and len(counts) == 1 and counts != {0} and f"{delimiter} " not in "".join(first):
            return page_of_values(text, as_written=True)
    return parse(text)


def page_of_values(text: str, *, as_written: bool = False) -> Page:
    """Return a page with the table of a CSV or TSV file: each record is a row on the line on which it begins.

    "name;size\\nrope;12" -> t1 with the columns name and size. A file without a second record or a second column has no
    table, and a record that breaks the rules of CSV ends it. `as_written`: the rows are the file's lines, as passages
    show them, and not rows of markdown, as cells() reads them.
    """
    import csv  # with its imports it takes 5 ms, and most pages are not CSV

    lines = text.split("\n")
    shown, blocks, header, begins = [""] * len(lines), [], 0, 1
    start = next((line for line in lines if line.strip()), "")[:_MAX_FIRST_RECORD]
    delimiter = max(_DELIMITERS, key=start.count)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    try:
        for record in reader:
            if any(cell.strip() for cell in record):
                header = header or begins
                row = " | ".join(_escape(r"\\\1", " ".join(cell.split())) for cell in record)
                shown[begins - 1] = f"| {row} |"
                blocks.append(Block(ROW, begins, reader.line_num if as_written else begins, -1, header))
            begins = reader.line_num + 1
    except csv.Error:
        pass
    is_table = len(blocks) > 1 and delimiter in start
    if as_written and not is_table:
        return parse(text)
    return Page(lines if as_written else shown, [], blocks if is_table else [], as_written)


# What the cells of a column mean.

_MIN_SHARE = 0.8  # of a column's filled cells that must be numbers, or dates
_CURRENCIES = "$€£¥₹₽₩₺₪฿₫₴"
_number = patterns.compile(
    rf"(?P<open>\()?(?P<sign>[-+\u2212\u2013]?)[{_CURRENCIES}]?[ \u00a0]?(?P<sign2>[-\u2212]?)"
    r"(?P<digits>[0-9][0-9., \u00a0\u202f'\u2019_]*[0-9]|[0-9]|\.[0-9]+)"
    r"(?P<unit>[ \u00a0\u202f]?[^\W\d_\u4e00-\u9fff]{1,6}[.]?(?:/[^\W\d_]{1,4})?[\u00b2\u00b3]?"
    r"|[ \u00a0\u202f]?[%\u2030°"
    rf"{_CURRENCIES}][CF]?)?(?P<close>\))?"
).fullmatch
_reference = patterns.compile(r"(?:\[[0-9a-z]{1,3}\]|[*\u2020\u2021])+\Z").sub
_code_before = patterns.compile(
    r"(?:USD|EUR|GBP|CHF|US|CAD|AUD|JPY|kr|Rs|~|\u2248|ca\.|c\.)[ .\u00a0]*(?=[-$€£¥0-9])"
).match
_iso_date = patterns.compile(
    r"([12][0-9]{3})[-/]([01][0-9])(?:[-/]([0-3][0-9]))?(?:[T ]([0-2]?[0-9]:[0-5][0-9](?::[0-9]{2})?).*)?"
).fullmatch
_day_first = patterns.compile(
    r"(?:[^\W\d]+,? )?([0-3]?[0-9])(?:st|nd|rd|th|\.)?[ -]([^\W\d]{3,9})\.?,?[ -]([12][0-9]{3})"
).fullmatch
_month_first = patterns.compile(
    r"(?:[^\W\d]+,? )?([^\W\d]{3,9})\.? ([0-3]?[0-9])(?:st|nd|rd|th)?,? ([12][0-9]{3})"
).fullmatch
_dotted = patterns.compile(r"([0-3]?[0-9])\.([01]?[0-9])\.([12][0-9]{3})").fullmatch
_slashed = patterns.compile(
    r"([0-3]?[0-9])([/-])([0-3]?[0-9])\2([12][0-9]{3})(?:,? ([0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?))?"
).fullmatch
_DAY_FIRST, _MONTH_FIRST = (1, 3), (3, 1)  # the groups of _slashed with the day and with the month
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
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
    decided = {order for orders in possible_orders if len(orders) == 1 for order in orders}
    for index, (column, orders) in enumerate(zip(columns, possible_orders)):
        if len(orders) > 1 and len(decided) == 1:  # the other columns of the table decide
            orders = orders & decided
        values = _values(column, next(iter(orders)) if len(orders) == 1 else None)
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
    filled = [cell for cell in column if cell.lower() not in _EMPTY]
    has_comma = _has_decimal_comma(filled)
    units = {_unit_of(cell) for cell in filled if number_of(cell, has_comma) is not None}
    is_mixed = len(units - {""}) > 1  # "183 g" and "$499"; "free" is not a unit
    is_code = is_mixed or any(cell[0] == "0" and cell.isdigit() and len(cell) > 1 for cell in filled)
    numbers: list[object] = [None if is_code else number_of(cell, has_comma) for cell in column]
    dates: list[object] = [date_of(cell, order) for cell in column]
    for values in (numbers, dates):
        if filled and sum(value is not None for value in values) >= _MIN_SHARE * len(filled):
            return values
    return []


def _orders(column: list[str]) -> set[tuple[int, int]]:
    """Return the orders of day and month that fit all dates with slashes of a column; the empty set for other columns.

    {_DAY_FIRST} for 05/03/2023 and 28/03/2023; both orders for 05/03/2023 alone.
    """
    dates = [date for date in map(_slashed, map(str.strip, column)) if date]
    if not dates or len(dates) < _MIN_SHARE * sum(cell.lower() not in _EMPTY for cell in column):
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


_ends_in_comma = patterns.compile(r"\D*[0-9][0-9. \u00a0\u202f]*,(?:[0-9]{1,2}|[0-9]{4,})(?![0-9])").match


def number_of(cell: str, has_decimal_comma: bool = False) -> float | int | None:
    """Return the number of a cell, or None: "$ 1,200" -> 1200, "12 %" -> 12."""
    text = _reference("", cell.strip())
    code = _code_before(text)
    match = _number(text[code.end() :] if code else text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    if (match["unit"] or "").strip()[:3].lower() in _MONTHS:
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

    `order` says which numbers of 05/03/2023 are the day and the month; without it this is None.
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
