"""Find the tables of a page. In: a Page of blocks, or the text of a file of values. Out: Tables, their cells. Pure.

    | Good | Paid [1](#n) |        Table("t1", line 12, head ["Good", "Paid 1"], row_lines [14])
    | --- | --- |
    | Rope | 12 |

A file of comma- or tab-separated values is one table, t1. cell_values.py says what the cells mean.
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
_DELIMITERS = ",;\t|"  # between the values of a file; if two are as frequent in the first record, the first is taken
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
    r"""Return the cells of a table's line as a reader sees them: | *a* | b \| c | -> ["a", "b | c"]."""
    inner = line.lstrip(" >\t").rstrip()  # ">" begins a line of a quotation
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
        is_header = block.first == block.header_line
        if not is_header:
            if page_tables and page_tables[-1].line == block.header_line:
                page_tables[-1].row_lines.append(block.first)
        elif len(page_tables) < MAX_TABLES:
            caption = page.headings[block.heading].title if block.heading >= 0 else ""
            head = cells(page.lines[block.first - 1])
            page_tables.append(Table(f"t{len(page_tables) + 1}", block.first, head, [], caption))
    return page_tables


def page_of(text: str) -> Page:
    """Return the page of a text of unknown type: of markdown, or of a file of values, as its lines are written.

    A file of values has at least _MIN_RECORDS records with one delimiter, all of the same length, and no space after
    the delimiter, as prose has it: "station,altitude" but not "On the pier, at night". Verses or arguments of a call
    that all end in one comma are not records of two values.
    """
    first = [line.rstrip() for line in text[:_MAX_FIRST_RECORD].split("\n") if line.strip()][:_MIN_RECORDS]
    if len(first) < _MIN_RECORDS:
        return parse(text)
    for delimiter in ",;\t":  # bars are those of markdown tables
        counts = {line.count(delimiter) for line in first}
        has_second_value = counts != {1} or not all(line.endswith(delimiter) for line in first)
        if len(counts) == 1 and counts != {0} and has_second_value and f"{delimiter} " not in "\n".join(first):
            return page_of_values(text, as_written=True)
    return parse(text)


def page_of_values(text: str, *, as_written: bool = False) -> Page:
    """Return a page with the table of a CSV or TSV file: each record is a row on the line on which it begins.

    "name;size\\nrope;12" -> t1 with the columns name and size. A file without a second record or a second column has no
    table, and a record that breaks the rules of CSV ends it.

    By default the lines of the page are rows of markdown, which cells() and sql.py read: "| name | size |". With
    `as_written` they are the lines of the file, which passages show: "name;size". Do not give cells() such lines.
    """
    import csv  # with its imports it takes 5 ms, and most pages are not CSV

    lines = text.split("\n")
    rows, blocks, header_line, begins = [""] * len(lines), [], 0, 1
    start = next((line for line in lines if line.strip()), "")[:_MAX_FIRST_RECORD]
    delimiter = max(_DELIMITERS, key=start.count)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    try:
        for record in reader:
            if any(cell.strip() for cell in record):
                header_line = header_line or begins
                row = " | ".join(_escape(r"\\\1", " ".join(cell.split())) for cell in record)
                rows[begins - 1] = f"| {row} |"
                last = reader.line_num if as_written else begins
                blocks.append(Block(ROW, begins, last, heading=-1, header_line=header_line))
            begins = reader.line_num + 1
    except csv.Error:
        pass
    is_table = len(blocks) > 1 and delimiter in start
    if as_written and not is_table:
        return parse(text)
    shown = lines if as_written else rows
    return Page(shown, headings=[], blocks=blocks if is_table else [], is_values=as_written)
