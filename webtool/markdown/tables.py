"""The cells of a data table, as markdown, in; a GFM table out. What a data table is says table_kind.py.

Specification: HTML Standard section 4.9 (spans are clamped to 1,000 columns and 65,534 rows), GFM 4.10. A GFM table has
one header row and no spans: the first row becomes the header, and the places that a cell covers are empty, but for
those of a header cell, whose value is repeated: each column and row has its own.
"""

from __future__ import annotations

from webtool.lean import patterns

_MAX_COLUMNS = 1000
_MAX_ROWS = 65534
_REPEATED = 20000  # characters that repeated values may add to one table
MAX_FILLED = 200000  # places that spanning cells may fill in one document; further ones stay out


class Grid:
    """Collects the cells of one data table."""

    def __init__(self, fills: list[int]) -> None:
        self._fills = fills  # one number, the document's: places that may still be filled
        self._rows: list[list[tuple[int, str, str]]] = []  # (column, text, alignment)
        self._covered: dict[int, tuple[int, str]] = {}  # column: rows still covered by a cell above, its text
        self._column = 0
        self._starts: set[int] = set()
        self.has_head = False  # the first row has header cells
        self._budget = _REPEATED
        self._row: list[tuple[int, str, str]] = []
        self._order: list[int] = []  # of each row: its number, or that of the row before it
        self._numbered: dict[int, list[tuple[int, str, str]]] = {}

    def begin_row(self, number: int | None = None) -> None:
        """A tr opens, or an ARIA row with its number: rows stand in that order, and one may come in parts."""
        if number is not None and number in self._numbered:
            self._row = self._numbered[number]
        else:
            self._row = []
            self._rows.append(self._row)
            self._order.append(number if number is not None else max(self._order[-1:], default=0))
            if number is not None:
                self._numbered[number] = self._row
        self._column = len(self._row)
        self._cover()

    def end_row(self) -> None:
        """A tr closes; what still covers places to the right of its last cell is filled in."""
        rest = [column for column in self._covered if column >= self._column]
        for column in sorted(rest):
            if column in self._covered:
                self._cover_one(column)

    def _cover(self) -> None:
        while self._column in self._covered:
            self._cover_one(self._column)
            self._column += 1

    def _cover_one(self, column: int) -> None:
        rows, text = self._covered[column]
        self._fills[0] -= 1
        if self._fills[0] < 0:
            self._covered.clear()
            return
        self._row.append((column, self._again(text), ""))
        if rows <= 1:
            del self._covered[column]
        else:
            self._covered[column] = (rows - 1, text)

    def _again(self, text: str) -> str:
        """A repeated value, or nothing once repetitions have filled their allowance."""
        if len(text) > self._budget:
            return ""
        self._budget -= len(text)
        return text

    def add(self, text: str, attrs: dict[str, str], *, is_header: bool) -> None:
        """Add a cell; `text` is inline markdown on one line."""
        if not self._rows:
            self.begin_row()
        if is_header and len(self._rows) == 1:
            self.has_head = True
        if not attrs and not self._covered:  # nearly every cell of data
            self._starts.add(self._column)
            self._row.append((self._column, text.replace("|", "\\|"), ""))
            self._column += 1
            return
        if "aria-colindex" in attrs and self._numbered:
            self._column = span(attrs["aria-colindex"], _MAX_COLUMNS) - 1
        self._cover()
        if "aria-colindex" in attrs:  # a grid may leave out columns that are out of sight
            self._column = max(self._column, min(span(attrs["aria-colindex"], _MAX_COLUMNS), _MAX_COLUMNS) - 1)
        across, down = attrs.get("colspan", attrs.get("aria-colspan")), attrs.get("rowspan", attrs.get("aria-rowspan"))
        columns = span(across, _MAX_COLUMNS) if across is not None else 1
        columns = min(columns, max(self._fills[0], 1))
        self._fills[0] -= columns - 1
        rows = span(down, _MAX_ROWS) if down is not None else 1
        alignment = alignment_of(attrs)
        text = text.replace("|", "\\|")
        again = text if is_header else ""
        start = self._column
        self._starts.add(start)
        for column in range(start, start + columns):
            if column > start and column in self._covered:
                break
            self._row.append((column, text if column == start else "\x00" + again, alignment))
            if rows > 1:
                self._covered[column] = (rows - 1, again)
            self._column = column + 1
        self._cover()

    def markdown(self) -> str:
        """The GFM table, "" when no cell has anything in it."""
        if self._numbered:
            order = sorted(range(len(self._rows)), key=self._order.__getitem__)
            self._rows = [sorted(self._rows[place]) for place in order]
        columns = sorted(self._starts)  # a column in which no cell begins shows nothing of its own
        place = {column: index for index, column in enumerate(columns)}
        delimiters = [_DELIMITERS[alignment] for alignment in self._alignments(columns)]
        has_text, width, lines = False, 0, [""]
        head: list[str] = []
        self._rows.reverse()
        while self._rows:  # a row that is written is not kept: it takes four times as much memory
            row = self._line(self._rows.pop(), place)
            if row:
                has_text, width = has_text or any(row), max(width, len(row))
                head = head or row
                lines.append("| " + " | ".join(row) + " |")
        if not has_text:
            return ""
        head += [""] * (width - len(head))
        delimiters = delimiters[:width] + ["---"] * (width - len(delimiters))
        lines[:2] = ["| " + " | ".join(row) + " |" for row in (head, delimiters)]
        return "\n".join(lines)

    def _line(self, row: list[tuple[int, str, str]], place: dict[int, int]) -> list[str]:
        cells: list[str] = []
        for column, text, _ in row:
            index = place.get(column)
            if index is None:
                continue
            if text.startswith("\x00"):
                text = self._again(text[1:])
            while len(cells) < index:
                cells.append("")
            cells.append(text)
        return cells

    def _alignments(self, columns: list[int]) -> list[str]:
        found: dict[int, str] = {}
        for row in self._rows[:20]:
            for column, _, alignment in row:
                if alignment and column not in found:
                    found[column] = alignment
        return [found.get(column, "") for column in columns]


_DELIMITERS = {"": "---", "left": ":---", "center": ":---:", "right": "---:"}
_digits = patterns.compile(r"\s*\+?([0-9]+)").match


def span(value: str, most: int) -> int:
    """A colspan or rowspan, clamped; a rowspan of 0 reaches to the end of its row group."""
    match = _digits(value[:40])
    if not match:
        return 1
    number = int(match[1])
    if number == 0:
        return most if most == _MAX_ROWS else 1
    return min(number, most)


_text_align = patterns.compile(r"(?i)text-align\s*:\s*(left|right|center)").search


def alignment_of(attrs: dict[str, str]) -> str:
    """left, right, center or "" from the align attribute or the style."""
    value = attrs.get("align", "").strip().lower()
    match = _text_align(attrs.get("style", "")) if "style" in attrs else None
    if match:
        value = match[1].lower()
    return value if value in _DELIMITERS else ""
