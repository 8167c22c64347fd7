"""Answer one read-only SQL query over the tables of a page. In: a Page, a SELECT, tokens. Out: columns and rows.

The tables are t1, t2 ... in the page's order. Columns are named after the table's head: "Max. speed (km/h)" is
max_speed_km_h. A column whose values are nearly all numbers, percentages, amounts of money or dates holds numbers or
ISO dates, so that it sorts and sums; its text as the page has it is in the column name_text. `line` is the line of a
row on the page.

    select name, mag from t1 order by mag desc limit 1

The query runs in a SQLite database in memory. An authorizer allows SELECT over these tables and the functions in
FUNCTIONS, and denies all else: other statements, PRAGMA, ATTACH, functions that make large values. Limits: length
of values and query (setlimit, Python 3.11), steps (progress handler), rows, tokens. No function can run long, as each
takes values of at most MAX_VALUE bytes. Before Python 3.11 || is refused: joining a text to itself doubles it.
webtool.pages runs queries in a worker besides.
"""

from __future__ import annotations

import math
import time

from webtool.answers import budget, tables
from webtool.answers.blocks import Page
from webtool.answers.cell_values import typed_columns
from webtool.answers.tables import Table
from webtool.answers.words import fold
from webtool.errors import InvalidArgument, UnsupportedContent
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_ROWS = 200  # of an answer
_MAX_TOKENS = 8000  # of the rows of an answer without max_tokens
_CELL_TOKENS = 2  # of a cell, besides its text: bar and spaces
MAX_CELL = 2000  # characters of a cell; the rest is not searched
MAX_VALUE = 20_000  # bytes of a value that a query makes: no function takes longer than half a second for it
MAX_QUERY = 4000  # characters
MAX_TABLE_ROWS = 100_000  # of a table; the others are not searched
MAX_COLUMNS = 100  # of a table
# "select 1", "-- a note\n(with a as ..."
_begins = patterns.compile(r"(?is)(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/|\()*(?:select|with|values)\b").match
# Texts, comments and quoted names of a query.
_quoted = patterns.compile(r"(?s)'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]").sub
# big in: with big as (select 1) ..., with "big"(a) as materialized (select 1) ...
_named_queries = patterns.compile(
    r"(?i)(\w+)[\"`\]]?\s*(?:\([^()]*\)\s*)?\bas\s+(?:not\s+)?(?:materialized\s*)?\("
).findall
_table_names = patterns.compile(r"t[0-9]+").findall
_MAX_SECONDS = 3.0
_STEPS = 10_000  # instructions of SQLite between two looks at the clock
_MAX_COUNTED = 100_000  # rows of a result that are counted
_HINT = "sql takes one SELECT over t1, t2 ...; outline lists their columns."

FUNCTIONS = frozenset(
    """
abs avg coalesce count cume_dist date datetime dense_rank first_value glob ifnull iif instr julianday lag last_value
lead length like likely unlikely lower ltrim max min nth_value ntile nullif percent_rank rank round row_number rtrim
sign strftime substr substring sum time timediff total trim typeof unicode unixepoch upper ceil ceiling floor sqrt
power pow exp ln log log10 log2 mod trunc sin cos tan pi group_concat string_agg
""".split()
)
"""Functions that a query may use. Absent: what makes large values or loads code (zeroblob, randomblob, printf, format,
replace, hex, quote, char, load_extension)."""


class Answer(NamedTuple):
    """The rows of a query's result."""

    columns: list[str]
    rows: list[list[object]]
    total: int  # rows of the whole result, at most _MAX_COUNTED
    ambiguous: tuple[str, ...] = ()
    """Columns of the tables asked that stay text because their dates may be day first or month first: t1.date."""


class _Joined:
    """The aggregate group_concat with a bound: SQLite's own would join a million values into one."""

    def __init__(self) -> None:
        self._values: list[str] = []
        self._room, self._separator = MAX_VALUE, ","

    def step(self, value: object, separator: object = ",") -> None:
        """Take a value. SQLite ends the query if this raises."""
        if value is None:
            return
        text = str(_shown(value))
        self._separator = str(separator)[:20]
        self._room -= len(text.encode("utf-8", "replace")) + len(self._separator.encode("utf-8", "replace"))
        if self._room < 0:
            raise ValueError
        self._values.append(text)

    def finalize(self) -> str | None:
        """Return the values as one text, NULL without values."""
        return self._separator.join(self._values) if self._values else None


class Shape(NamedTuple):
    """A table as a query sees it: its name, line, rows and columns."""

    name: str
    line: int
    rows: int
    columns: list[str]
    caption: str
    total_columns: int  # with those after MAX_COLUMNS, which are not searched


def shapes(page: Page) -> list[Shape]:
    """Return the tables of a page with their columns, without typed columns."""
    return [
        Shape(table.name, table.line, len(table.row_lines), column_names(table.head), table.caption, len(table.head))
        for table in tables.tables(page)
    ]


def column_names(head: list[str]) -> list[str]:
    """Return a name for each column of a head: ["Port", "Port", "", "Depth (m)"] -> port, port_2, c3, depth_m."""
    names: list[str] = []
    taken = {"line"}
    for number, title in enumerate(head[:MAX_COLUMNS], 1):
        base = "_".join("".join(c if c.isalnum() else " " for c in fold(title)).split())[:60] or f"c{number}"
        base = f"c_{base}" if base[0].isdigit() else base
        name, count = base, 1
        while name in taken:
            count += 1
            name = f"{base}_{count}"
        taken.add(name)
        names.append(name)
    return names


def run(page: Page, query: str, max_tokens: int = 0, seconds: float = _MAX_SECONDS) -> Answer:
    """Run a query over the tables of a page. Raises InvalidArgument; UnsupportedContent without sqlite3."""
    try:
        import sqlite3
    except ImportError:  # builds of Python without SQLite
        raise UnsupportedContent(
            "sql needs Python's sqlite3 module, which is absent", hint="Ask with query or find."
        ) from None
    page_tables = tables.tables(page)
    if not page_tables:
        raise InvalidArgument("the page has no tables", hint="Ask with query or find.")
    if len(query) > MAX_QUERY:
        raise InvalidArgument(f"sql is longer than {MAX_QUERY} characters", hint=_HINT)
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        mentioned = set(_table_names(query.lower()))
        ambiguous: list[str] = []
        selects_all = "*" in query.replace("(*)", "")  # not the star of count(*)
        for table in page_tables:
            if table.name in mentioned:
                unread = [name for name in _load(db, page, table) if selects_all or name in fold(query)]
                ambiguous += [f"{table.name}.{name}" for name in unread]
        answer = _answer(sqlite3, db, query, max_tokens, time.monotonic() + seconds, page_tables)
        return answer._replace(ambiguous=tuple(ambiguous))
    finally:
        db.close()


def _load(db: Any, page: Page, table: Table) -> list[str]:
    """Create a table of the database and insert its rows. Return the columns whose dates cannot be read."""
    names = column_names(table.head)
    rows = [tables.cells(page.lines[line - 1])[: len(names)] for line in table.row_lines[:MAX_TABLE_ROWS]]
    # SQLite takes no lone surrogates: they become question marks.
    rows = [[cell[:MAX_CELL].encode("utf-8", "replace").decode() for cell in row] for row in rows]
    rows = [row + [""] * (len(names) - len(row)) for row in rows]
    typed = typed_columns(names, [list(column) for column in zip(*rows)] if rows else [[] for _ in names])
    quoted = ", ".join(f'"{name}"' for name in [*typed.names, "line"])
    db.execute(f"CREATE TABLE {table.name} ({quoted})")
    marks = ", ".join("?" * (len(typed.names) + 1))
    db.executemany(f"INSERT INTO {table.name} VALUES ({marks})", zip(*typed.columns, table.row_lines))
    return typed.ambiguous


def _answer(sqlite3: Any, db: Any, query: str, max_tokens: int, until: float, page_tables: list[Table]) -> Answer:
    """Run the query under its limits."""
    if not _begins(query):
        raise InvalidArgument("sql is not a SELECT", hint=_HINT)
    names = {table.name for table in page_tables}
    if hasattr(db, "setlimit"):
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        db.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, 4 * MAX_QUERY)
        db.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 100)
        db.setlimit(sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 20)
        db.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
    elif "||" in query:
        raise InvalidArgument("sql with || needs Python 3.11", hint="Select the columns side by side.")
    for name in ("group_concat", "string_agg"):
        for arguments in (1, 2):
            db.create_aggregate(name, arguments, _Joined)
    db.set_authorizer(_authorizer(sqlite3, names, names.union(map(str.lower, _named_queries(query)))))
    is_late = False

    def check() -> int:
        nonlocal is_late
        is_late = time.monotonic() > until
        return int(is_late)

    db.set_progress_handler(check, _STEPS)
    try:
        cursor = db.execute(_with_strict_names(query, page_tables))
        if cursor.description is None:
            raise InvalidArgument("sql is not a SELECT", hint=_HINT)
        columns = [column[0][:200] for column in cursor.description]
        rows, total = _rows(cursor, columns, max_tokens)
        return Answer(columns, rows, total)
    except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError, MemoryError) as exc:
        raise _refusal(exc, is_late, page_tables) from exc


def _with_strict_names(query: str, page_tables: list[Table]) -> str:
    """Return the query with quoted names in brackets, and heads as the page has them replaced by column names.

    SQLite takes an unknown name in double quotes for a text, so that ORDER BY "Range (m)" would sort by a constant. A
    name in brackets is never a text. Example: order by "Range (m)" -> order by [range_m]
    """
    names: set[str] = set()
    titles: dict[str, str] = {}
    for table in page_tables:
        columns = column_names(table.head)
        names.update((table.name, *columns))
        for title, name in zip(table.head, columns):
            titles.setdefault(fold(title).strip(), name)

    def strict(match: Any) -> str:
        token: str = match[0]
        name = token[1:-1]
        if token[0] not in '"`[' or "]" in name:
            return token
        return f"[{name if name in names else titles.get(fold(name).strip(), name)}]"

    return _quoted(strict, query)


def _rows(cursor: Any, columns: list[str], max_tokens: int) -> tuple[list[list[object]], int]:
    """Return the first rows that fit, at least one, and the number of all."""
    room = (max_tokens or _MAX_TOKENS) - sum(map(budget.estimate_tokens, columns))
    rows: list[list[object]] = []
    total = 0
    for row in cursor:
        total += 1
        if len(rows) == total - 1 and len(rows) < MAX_ROWS:  # all rows before are shown
            values = [_shown(value) for value in row]
            room -= sum(budget.estimate_tokens(str(value)) + _CELL_TOKENS for value in values)
            if room >= 0 or not rows:
                rows.append(values)
        if total >= _MAX_COUNTED:
            break
    return rows, total


def _shown(value: object) -> object:
    """Return a value of a result for JSON: no bytes, no long texts, no endless decimals."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, float):
        if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"  # JSON has no such numbers
        return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.12g}")
    return value[:MAX_CELL] if isinstance(value, str) else value


def _authorizer(sqlite3: Any, names: set[str], counted: set[str]) -> Any:
    """Return the function that allows an action of a query, or denies it: everything that is not listed.

    `counted` are names whose rows may be counted without reading a column: of tables, and of queries after WITH.
    """

    def allow(action: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT or action == _SQLITE_RECURSIVE:
            return int(sqlite3.SQLITE_OK)
        if action == sqlite3.SQLITE_READ and (first or "").lower() in (names if second else counted):
            return int(sqlite3.SQLITE_OK)
        if action == _SQLITE_FUNCTION and (second or "").lower() in FUNCTIONS:
            return int(sqlite3.SQLITE_OK)
        return int(sqlite3.SQLITE_DENY)

    return allow


_SQLITE_FUNCTION, _SQLITE_RECURSIVE = 31, 33  # of sqlite3.h: Python 3.9 has no name for the second


def _refusal(exc: Exception, is_late: bool, page_tables: list[Table]) -> InvalidArgument:
    """Return the error for a query that failed."""
    if is_late:
        return InvalidArgument("the query takes too long", hint="Add a LIMIT, a WHERE, or fewer joins.")
    if isinstance(exc, MemoryError) or "too big" in str(exc) or "user-defined" in str(exc):
        return InvalidArgument("the query makes a value that is too large", hint="Select columns, not joined text.")
    if "no such column" in str(exc):
        exc = InvalidArgument(f"{exc}; write texts in single quotes")
    known = "; ".join(f"{table.name} ({', '.join(column_names(table.head)[:12])})" for table in page_tables[:5])
    return InvalidArgument(f"sql: {str(exc)[:200]}", hint=f"{_HINT} This page: {known}."[:900])
