"""Convert Excel workbooks (xlsx) to markdown tables. In: a Source. Out: a Document.

Values are written as Excel shows them, except dates, which are in ISO 8601. A formula without a stored result is
written as a formula. Comments and the text of drawings follow their sheet. Hidden sheets, rows and columns are left
out. A sheet may have a million cells, so SheetReader takes XML events, and no tree is made. A cell (x:c) has a type and
the index of a style; its x:v is a number, or the index of a shared string. Rows and columns are numbered from 1 in the
file and from 0 here.
Specification: ECMA-376 part 1, SpreadsheetML (clause 18).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from webtool.documents import NODE_COST, Document, Source, drawings, tree, unseen
from webtool.documents.archive import Archive, Links
from webtool.documents.number_formats import Formats
from webtool.documents.runs import web_url
from webtool.documents.sheets import MAX_CELLS, MAX_SHEETS, Book, Sheet, cell_markdown, cell_position, moved_formula
from webtool.documents.xmltree import TOO_MUCH, TRUE, XmlError, attribute, children, decoded, integer, outermost, read
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget, Spent

# Excel stores a threaded comment for its older versions too. The author is then "tc={ID}", and a notice in the language
# of the program precedes the text: "[Threaded comment]\n\nYour version of Excel ...\n\nComment:\n    Is it so?"
_THREAD_AUTHOR = "tc={"
_THREADED = "[Threaded comment]"
# A filter that may hide rows (clause 18.3.1.2).
_FILTER = patterns.compile(
    rb'<(?:\w+:)?autoFilter\s[^>]{0,500}?\bref="[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})"[^>]{0,500}(?<!/)>'
)
_COLOURING = (b"<conditionalFormatting", b"<tablePart ", b"<picture ")  # elements that may colour cells
# =HYPERLINK("https://e.example/","label"): a link that is a formula. Its label may also be another formula.
_LINK_FORMULA = patterns.compile(r'(?i)\s*HYPERLINK\(\s*"([^"]{1,2083})"\s*(?:,\s*"([^"]*)"\s*)?(?=[,)])')
_HYPERLINK = patterns.compile(rb"<(?:\w+:)?hyperlink\s")
_MOVING_COST = 3  # characters in the budget for each one of a shared formula that is written for another cell
_MAX_DRAWN = 200  # paragraphs and charts of a sheet's drawings; the rest is left out
# An XML element weighs 1, and 2 more if it has attributes; the rest of a heavier part is not read.
_MAX_WEIGHT = 20_000_000


def convert(source: Source) -> Document:
    """Convert the visible sheets in order. Raises ExtractFailed if the workbook is damaged."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("xl/workbook.xml")
    root = archive.xml(part)
    links = archive.relationships(part)
    is_1904 = attribute(root, "x:workbookPr", "date1904") in TRUE
    formats = Formats(archive.side_xml(links.first("styles")), is_1904)
    strings = _shared_strings(archive, links.first("sharedStrings"))
    listed = list(root.iter("x:sheet"))
    book = Book(source, len(listed))
    workbook = Workbook(strings, formats, book)
    for item in listed[:MAX_SHEETS]:
        link = links.get(item.get("r:id", ""))
        if link is None or link.target not in archive or link.kind != "worksheet":
            continue  # a chart sheet
        if item.get("state", "visible") != "visible":
            book.hidden_sheets += 1
            continue
        _add_sheet(archive, workbook, link.target, item.get("name", ""))
        if book.is_full():
            break
    return Document(title, book.markdown(), source.kind)


def _add_sheet(archive: Archive, workbook: Workbook, part: str, name: str) -> None:
    """Read one sheet up to the workbook's bounds. Raises ExtractFailed if it is damaged."""
    book, sheet = workbook.book, Sheet(name)
    data, is_whole = archive.read(part)
    own = archive.relationships(part)
    reader = SheetReader(workbook, sheet, _links(data, own), _filtered_rows(data))
    reader.may_be_coloured = any(tag in data for tag in _COLOURING)
    try:
        weight_left = read(data, reader.start, reader.end, reader.text, not is_whole, max_weight=_MAX_WEIGHT)
        if weight_left < 0:
            book.source.add_note(TOO_MUCH)
    except XmlError as exc:
        raise archive.damaged(part, exc) from exc
    except Spent:
        reader.end_cut_row()
    book.sheets.append(sheet)
    try:
        if not book.is_full():
            _add_extras(sheet, archive, own, book.source.budget)
    except Spent:
        pass  # the budget's note tells the reader


def _filtered_rows(data: bytes) -> range:
    """Return the rows from 0 that a sheet's filter may hide: "A1:C7" -> range(1, 7), as the first one is the head."""
    match = _FILTER.search(data)
    return range(int(match.group(1)), int(match.group(2))) if match else range(0)


def _shared_strings(archive: Archive, name: str | None) -> list[str]:
    """Return the strings of cells by index (clause 18.4.9), without phonetic guides and without a tree."""
    if name is None or name not in archive:
        return []
    data, is_whole = archive.read(name)
    strings: list[str] = []
    parts: list[str] = []
    is_text = in_phonetic = False

    def start(name: str, _attrs: dict[str, str]) -> None:
        nonlocal is_text, in_phonetic
        is_text = name == "x:t" and not in_phonetic
        in_phonetic = in_phonetic or name == "x:rPh"

    def end(name: str) -> None:
        nonlocal is_text, in_phonetic
        is_text = False
        if name == "x:si":
            strings.append(decoded("".join(parts)))
            parts.clear()
        elif name == "x:rPh":
            in_phonetic = False

    def text(text: str) -> None:
        if is_text:
            parts.append(text)

    try:
        read(data, start, end, text, not is_whole, max_weight=_MAX_WEIGHT)
    except XmlError as exc:
        raise archive.damaged(name, exc) from exc
    return strings


def _links(data: bytes, relationships: Links) -> Urls:
    """Return the URLs of cells. Links are after the cells in the file, so this reads it once more, before the cells."""
    urls: Urls = {}
    if not any(link.kind == "hyperlink" for link in relationships.values()) or not _HYPERLINK.search(data):
        return urls
    cells_left = MAX_CELLS  # of all ranges, also of ranges that overlap

    def start(name: str, attrs: dict[str, str]) -> None:
        nonlocal cells_left
        url = relationships.url(attrs.get("r:id")) if name == "x:hyperlink" else ""
        if not url:
            return
        first, _, last = attrs.get("ref", "").partition(":")
        top, left = cell_position(first) or (-1, -1)
        bottom, right = cell_position(last) or (top, left)
        width = max(0, right + 1 - left)
        count = min(max(0, bottom + 1 - top) * width, cells_left)
        cells_left -= count
        for index in range(count):
            urls[top + index // width, left + index % width] = url

    try:
        read(data, start, lambda _name: None, lambda _text: None, max_weight=_MAX_WEIGHT)
    except XmlError:
        pass  # reported when the cells are read
    return urls


def _add_extras(sheet: Sheet, archive: Archive, links: Links, budget: Budget) -> None:
    """Add the comments and drawings that a sheet's part is related to (clauses 18.7 and 20.5). Raises Spent."""
    for name in links.of_kind("comments"):
        root = archive.side_xml(name, is_kept=False)
        if root is not None:
            _add_comments(sheet, root, budget)
    for name in links.of_kind("drawing"):
        root = archive.side_xml(name, is_kept=False) if len(sheet.blocks) < _MAX_DRAWN else None
        for block in _drawn(root, archive, archive.relationships(name), budget) if root is not None else ():
            sheet.add_block(block)


def _add_comments(sheet: Sheet, root: XmlElement, budget: Budget) -> None:
    """Add the comments of a comments part, each with its author. Raises Spent."""
    authors = [item.text or "" for item in children(root, "x:authors", "x:author")]
    for item in children(root, "x:commentList", "x:comment"):
        text = "".join(node.text or "" for content in children(item, "x:text")[:1] for node in content.iter("x:t"))
        text = decoded(text)
        budget.take(len(text) + NODE_COST)
        number = integer(item.get("authorId"), len(authors))
        author = authors[number] if number < len(authors) else ""
        if author.startswith(_THREAD_AUTHOR) or text.startswith(_THREADED):
            after_first_line = text.partition("\n")[2]
            author, text = "", after_first_line.partition(":\n")[2] or text
        elif author:  # Excel starts a comment with its author's name
            text = text.removeprefix(f"{author}:")
        sheet.add_comment(item.get("ref", "")[:20], text, author)


def _drawn(root: XmlElement, archive: Archive, links: Links, budget: Budget) -> Iterator[Element]:
    """Yield the paragraphs of text boxes, and charts. Raises Spent."""
    nodes = outermost(root, ("a:p", *drawings.GRAPHICS))
    for node in islice(nodes, _MAX_DRAWN):
        if node.tag == "a:p":
            text = "".join(item.text or "" for item in node.iter("a:t")).strip()
            budget.take(len(text) + NODE_COST)
            yield tree.element("p", [text] if text else [])
        else:
            yield from drawings.graphic(node, archive, links, budget)


# Cells

Urls = dict[tuple[int, int], str]  # by row and column, from 0


class Workbook(NamedTuple):
    """Values that all sheets share."""

    strings: list[str]
    formats: Formats
    book: Book


class SheetReader:
    """XML handlers that fill a Sheet from x:row, x:c, x:v and x:is. `filtered` are rows that a filter may hide."""

    def __init__(self, workbook: Workbook, sheet: Sheet, urls: Urls, filtered: range) -> None:
        # True if more than the styles may colour cells: then text in the colour of its style's background may be seen.
        self.may_be_coloured = False
        self._filtered = filtered
        self.sheet = sheet
        self._workbook = workbook
        self._urls = urls
        self._row = -1
        self._is_hidden = False
        self._cells: dict[int, str] = {}  # of the open row, by column
        self._columns: dict[str, int] = {}  # by their letters
        # The open cell: its column, type, style, and the pieces of its value and of its formula.
        self._column = -1
        self._kind = self._style = ""
        self._parts: list[str] = []
        self._formula: list[str] = []
        self._shared = ""  # the id of the formula that the open cell shares with others
        self._formulas: dict[str, tuple[str, int, int]] = {}  # by id: a shared formula, and row and column of its cell
        self._target: list[str] | None = None  # takes the next text
        self._in_phonetic = False

    def start(self, name: str, attrs: dict[str, str]) -> None:
        if name == "x:c":
            self._column = self._column_of(attrs.get("r", ""))
            self._kind, self._style = attrs.get("t", "n"), attrs.get("s", "")
            self._parts, self._formula, self._shared = [], [], ""
        elif name in ("x:v", "x:t"):
            self._target = None if self._in_phonetic else self._parts
        elif name == "x:f":
            self._target = self._formula
            self._shared = attrs.get("si", "") if attrs.get("t") == "shared" else ""
        elif name == "x:rPh":
            self._in_phonetic = True
        elif name == "x:row":
            self._row = integer(attrs.get("r"), self._row + 2) - 1  # by default the next row
            self._is_hidden = attrs.get("hidden") in TRUE
            if self._is_hidden and self._row in self._filtered:
                self._is_hidden = False
                self.sheet.filtered_rows += 1
            self._cells = {}
            self._column = -1
        elif name == "x:col" and attrs.get("hidden") in TRUE:
            self.sheet.hide_columns(integer(attrs.get("min"), 1) - 1, integer(attrs.get("max"), 1))

    def text(self, text: str) -> None:
        if self._target is not None:
            self._target.append(text)

    def end(self, name: str) -> None:
        """Handle the end of an element. Raises Spent after the last cell that may be read."""
        if name in ("x:v", "x:t", "x:f"):
            self._target = None
        elif name == "x:rPh":
            self._in_phonetic = False
        elif name == "x:c":
            self._end_cell()
        elif name == "x:row" and self._is_hidden:
            self.sheet.skip_row(self._row)
        elif name == "x:row":
            self._end_row()
            self._workbook.book.end_row()

    def end_cut_row(self) -> None:
        """Append the cells of a row that was read in part. Does nothing between two rows."""
        if self._cells:
            self._end_row()

    def _end_row(self) -> None:
        self.sheet.add_row(self._row, self._cells)
        self._cells = {}

    def _column_of(self, reference: str) -> int:
        """Return the column of a cell by its name, e.g. 1 for "B7"; the next column for a cell without a name."""
        letters = reference.rstrip("0123456789")
        if letters not in self._columns or letters == reference:
            position = cell_position(reference)
            if position is None:
                return self._column + 1
            self._columns[letters] = position[1]
        return self._columns[letters]

    def _end_cell(self) -> None:
        """Store the open cell in its row, unless it is empty or hidden. Raises Spent."""
        formula = "".join(self._formula)
        if self._shared and formula:
            self._formulas[self._shared] = formula, self._row, self._column
        elif self._shared in self._formulas and not self._parts:
            formula, row, column = self._formulas[self._shared]
            self._workbook.book.source.budget.take(_MOVING_COST * len(formula))
            formula = moved_formula(formula, self._row - row, self._column - column)
        if not (self._parts or formula):
            return
        if self._column in self.sheet.hidden_columns or self._is_hidden:
            self.sheet.hidden_cells += 1
            return
        link = _LINK_FORMULA.match(formula) if formula else None
        if self._parts:
            text = self._value("".join(self._parts))
        elif link and formula[link.end() :].strip() == ")":
            text = link[2] or link[1]
        else:  # the program did not store a result
            text = f"={formula.replace('_xlfn.', '')}"  # what Excel writes before the names of newer functions
            link = None
        book = self._workbook.book
        reason = self._workbook.formats.reasons.get(self._style)
        if reason and not (self.may_be_coloured and reason == unseen.SAME_COLOUR):
            book.source.hide(len(text.split()), reason)
            return
        url = self._urls.get((self._row, self._column), "") or (web_url(link[1]) if link else "")
        book.cells_left -= 1
        if book.cells_left < 0:
            raise Spent
        book.source.budget.take(len(text) + len(url))
        self._cells[self._column] = cell_markdown(text, url)

    def _value(self, raw: str) -> str:
        """Return what the open cell shows, by its type (18.18.11 ST_CellType)."""
        strings = self._workbook.strings
        if self._kind == "s":
            index = integer(raw.strip(), -1)
            return strings[index] if 0 <= index < len(strings) else ""
        if self._kind == "b":
            return "TRUE" if raw.strip() == "1" else "FALSE"
        return self._workbook.formats.text(raw.strip(), integer(self._style)) if self._kind == "n" else decoded(raw)
