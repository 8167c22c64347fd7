"""Excel workbooks (xlsx) as markdown tables. In: a Source. Out: a Document.

Values as Excel shows them, but for dates, which are in ISO 8601; a formula without a stored result is shown itself.
Hidden sheets, rows and columns are left out. Specification: ECMA-376 part 1, SpreadsheetML (clause 18).
"""

from __future__ import annotations

from webtool.documents import Document, Source
from webtool.documents.archive import Archive
from webtool.documents.sheets import MAX_CELLS, Sheet, cell_markdown, markdown
from webtool.documents.xlsx import extras
from webtool.documents.xlsx.formats import Formats
from webtool.documents.xmltree import TOO_MUCH, XmlError, child, read
from webtool.lean import patterns
from webtool.running.budget import Spent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.documents.archive import Relationship
    from webtool.running.budget import Budget

_REFERENCE = patterns.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_MAX_SHEETS = 500
_MAX_COLUMNS = 16384  # as many as Excel has
_MAX_NAME = 200  # Excel allows 31 characters
MAX_SHEET = 20_000_000  # weight of a part that no tree is made of


class _Enough(Exception):
    """As many cells as are shown have been read."""


def convert(source: Source) -> Document:
    """The visible sheets in order. Raises ExtractFailed for a damaged workbook."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("xl/workbook.xml")
    workbook = archive.xml(part)
    links = archive.relationships(part)
    properties = child(workbook, "x:workbookPr")
    is_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    formats = Formats(archive.optional_xml(archive.part_of_kind(part, "styles")), is_1904)
    strings = _shared_strings(archive, archive.part_of_kind(part, "sharedStrings"))
    sheets: list[Sheet] = []
    left = MAX_CELLS
    notes: list[str] = []
    hidden = unseen = 0
    listed = list(workbook.iter("x:sheet"))
    if len(listed) > _MAX_SHEETS:
        source.add_note(f"Only the first {_MAX_SHEETS:,} of {len(listed):,} sheets are read.")
    for item in listed[:_MAX_SHEETS]:
        link = links.get(item.get("r:id", ""))
        if link is None or link.target not in archive or link.kind != "worksheet":
            continue  # a chart sheet
        if item.get("state", "visible") != "visible":
            hidden += 1
            continue
        reader = _SheetReader(Sheet(item.get("name", "")[:_MAX_NAME]), strings, formats, source.budget, left)
        data, is_whole = archive.read(link.target)
        own = archive.relationships(link.target)
        reader.links = _links(data, own)
        try:
            if read(data, reader.start, reader.end, reader.text, not is_whole, most=MAX_SHEET) < 0:
                source.add_note(TOO_MUCH)
        except XmlError as exc:
            raise source.failed(f"is damaged at {link.target[:100]}: {exc}") from exc
        except (_Enough, Spent):
            reader.keep_row()
            notes.append(f"Only the first {MAX_CELLS - max(0, reader.left):,} cells are shown.")
        left = reader.left
        unseen += reader.unseen
        sheets.append(reader.sheet)
        if left <= 0 or source.budget.is_spent:
            break
        if source.is_late():
            notes.append(f"Only {len(sheets):,} sheets were read before the deadline.")
            break
        extras.add(reader.sheet, archive, own, source.budget)
    if hidden or unseen:
        notes.append(f"{hidden:,} hidden sheets and {unseen:,} cells in hidden rows or columns were left out.")
    return Document(title, markdown(sheets, source.budget), source.kind, " ".join(notes))


def _shared_strings(archive: Archive, name: str | None) -> list[str]:
    """Clause 18.4.9; phonetic runs, which say how to read the others, are left out."""
    if name is None or name not in archive:
        return []
    reader = _Strings()
    data, is_whole = archive.read(name)
    try:
        read(data, reader.start, reader.end, reader.text, not is_whole, most=MAX_SHEET)
    except XmlError as exc:
        raise archive.damaged(name, exc) from exc
    return reader.strings


class _Strings:
    """Handlers for shared strings: x:si, x:t, x:rPh. There may be a million of them, so no tree is made."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._parts: list[str] = []
        self._in_phonetic = self._collects = False

    def start(self, name: str, _attrs: dict[str, str]) -> None:
        """An element opens."""
        self._collects = name == "x:t" and not self._in_phonetic
        self._in_phonetic = self._in_phonetic or name == "x:rPh"

    def text(self, text: str) -> None:
        """Character data."""
        if self._collects:
            self._parts.append(text)

    def end(self, name: str) -> None:
        """An element closes."""
        self._collects = False
        if name == "x:rPh":
            self._in_phonetic = False
        elif name == "x:si":
            self.strings.append("".join(self._parts))
            self._parts = []


_HYPERLINK = patterns.compile(rb"<(?:\w+:)?hyperlink\s")


def _links(data: bytes, relationships: dict[str, Relationship]) -> dict[tuple[int, int], str]:
    """URLs by cell. They stand after the cells in the file, so they are read before."""
    urls: dict[tuple[int, int], str] = {}
    match = _HYPERLINK.search(data) if any(link.kind == "hyperlink" for link in relationships.values()) else None
    if not match:
        return urls

    def start(name: str, attrs: dict[str, str]) -> None:
        link = relationships.get(attrs.get("r:id", "")) if name == "x:hyperlink" else None
        if link and link.is_external:
            urls[_place(attrs.get("ref", "").partition(":")[0]) or (-1, -1)] = link.target

    try:
        read(data, start, lambda _name: None, lambda _text: None, most=MAX_SHEET)
    except XmlError:
        pass  # said when the cells are read
    return urls


class _SheetReader:
    """Handlers for the cells of one sheet (clause 18.3.1): x:row, x:c, x:v, x:is."""

    def __init__(self, sheet: Sheet, strings: list[str], formats: Formats, budget: Budget, left: int) -> None:
        self.sheet = sheet
        self._budget = budget
        self.links: dict[tuple[int, int], str] = {}
        self.left = left
        self.unseen = 0  # cells in hidden rows and columns
        self._strings = strings
        self._formats = formats
        self._hidden: set[int] = set()
        self._work = 4 * _MAX_COLUMNS
        self._row = -1
        self._column = -1
        self._is_hidden = False
        self._cells: dict[int, str] = {}
        self._type = self._style = ""
        self._parts: list[str] = []
        self._formula: list[str] = []
        self._collects = self._in_formula = self._in_phonetic = False

    def start(self, name: str, attrs: dict[str, str]) -> None:
        """An element opens."""
        if name == "x:c":
            place = _place(attrs.get("r", ""))
            self._column = place[1] if place else self._column + 1
            self._type, self._style = attrs.get("t", "n"), attrs.get("s", "")
            self._parts, self._formula = [], []
        elif name in ("x:v", "x:t"):
            self._collects = not self._in_phonetic
        elif name == "x:f":
            self._in_formula = True
        elif name == "x:rPh":
            self._in_phonetic = True
        elif name == "x:row":
            self._row = _integer(attrs.get("r"), self._row + 2) - 1
            self._column = -1
            self._is_hidden = attrs.get("hidden") in ("1", "true")
            self._cells = {}
        elif name == "x:col" and attrs.get("hidden") in ("1", "true"):
            first, last = _integer(attrs.get("min"), 1), _integer(attrs.get("max"), 1)
            columns = range(first - 1, min(last, _MAX_COLUMNS))
            self._work -= len(columns)
            if self._work > 0:  # a hostile sheet hides the same columns over and over
                self._hidden.update(columns)

    def keep_row(self) -> None:
        """Append the row that is being read."""
        self.sheet.add_row(self._row, self._cells)
        self._cells = {}

    def text(self, text: str) -> None:
        """Character data."""
        if self._collects:
            self._parts.append(text)
        elif self._in_formula:
            self._formula.append(text)

    def end(self, name: str) -> None:
        """An element closes."""
        if name in ("x:v", "x:t"):
            self._collects = False
        elif name == "x:f":
            self._in_formula = False
        elif name == "x:rPh":
            self._in_phonetic = False
        elif name == "x:c":
            self._end_cell()
        elif name == "x:row" and self._is_hidden:
            self.sheet.skip_row(self._row)
        elif name == "x:row":
            self.keep_row()
            if self.left <= 0:
                raise _Enough

    def _end_cell(self) -> None:
        if not (self._parts or self._formula):
            return
        if self._column in self._hidden or self._is_hidden:
            self.unseen += 1
            return
        self.left -= 1
        if self.left < 0:
            raise _Enough
        # Programs that cannot calculate leave the result to the next one that opens the file.
        text = self._value("".join(self._parts)) if self._parts else f"={''.join(self._formula)}"
        url = self.links.get((self._row, self._column), "")
        self._budget.take(len(text) + len(url))
        self._cells[self._column] = cell_markdown(text, url)

    def _value(self, raw: str) -> str:
        kind = self._type
        if kind == "s":
            index = _integer(raw.strip(), -1)
            return self._strings[index] if 0 <= index < len(self._strings) else ""
        if kind == "b":
            return "TRUE" if raw.strip() == "1" else "FALSE"
        if kind == "n":
            return self._formats.text(raw.strip(), _integer(self._style, 0))
        return raw


def _place(reference: str) -> tuple[int, int] | None:
    """Row and column, 0-based, of a reference such as B7."""
    match = _REFERENCE.match(reference)
    if not match:
        return None
    column = 0
    for letter in match.group(1):
        column = column * 26 + ord(letter) - 64
    return int(match.group(2)) - 1, column - 1


def _integer(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() and len(text) < 10 else default
