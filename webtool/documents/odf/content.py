"""Read OpenDocument paragraphs, tables and sheets. In: text:p, text:h or table:table. Out: Runs, tables, markdown.

A paragraph has text, links, note marks, pictures and formulas. Its elements are walked with an explicit stack; formats
and links are those of all open elements. White space is collapsed as in HTML. Cells of a sheet show the text that the
program stored with them; dates are in ISO 8601, as in xlsx. Rows and cells may be repeated by a number.
Specification: OASIS OpenDocument 1.2 part 1, sections 6 (text), 9 (tables), 10.4 (frames).
Tests: tests/documents/test_office.py, tests/documents/test_beside_the_text.py, tests/documents/test_bounds.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.documents import NODE_COST, Source, runs, tree, unseen
from webtool.documents.odf.styles import LOOK, Styles, reason_of
from webtool.documents.runs import Run, alt_text, picture, web_url
from webtool.documents.sheets import MAX_SHEETS, Book, Sheet, cell_markdown, place_name
from webtool.documents.tree import Notes, element
from webtool.documents.xmltree import attribute, child, child_text, children, integer, outermost
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget, Spent

# Elements that are not part of the text.
SKIPPED = frozenset((
    "text:tracked-changes", "office:annotation-end", "text:sequence-decls", "office:forms", "text:soft-page-break",
    "presentation:notes", "svg:title", "svg:desc", "text:hidden-text", "text:hidden-paragraph",
))  # fmt: skip
# Shapes, which may hold paragraphs of their own (section 10.3).
SHAPES = frozenset(
    f"draw:{name}"
    for name in (
        "custom-shape", "rect", "ellipse", "circle", "path", "polygon", "polyline", "line", "connector",
        "regular-polygon", "caption", "measure",
    )
)  # fmt: skip
NOTES = ("text:note", "office:annotation")
_WHITE_SPACE = {"text:tab": "\t", "text:line-break": "\n"}
_MAX_SPACES = 200  # of one text:s element, which gives their number; more are dropped
_OBJECTS = frozenset((*NOTES, "draw:frame"))  # elements that object_runs() represents in the text
_NOT_WALKED = SKIPPED | _OBJECTS | SHAPES | {"text:ruby-text"}


class Inlines:
    """Reads the paragraphs of one document.

    `object_of` returns the root of an embedded object by its link. `note_bodies` are the notes so far by the keys of
    their marks. Callers set `is_on_page` to False for paragraphs that may be on a colour, as in cells, and to True if
    the white page is behind them. The source counts the words that are not seen.
    """

    def __init__(
        self, styles: Styles, notes: Notes, object_of: Callable[[str], XmlElement | None], source: Source
    ) -> None:
        self._source = source
        self.is_on_page = False
        self._styles = styles
        self._notes = notes
        self._object_of = object_of
        self.note_bodies: dict[str, XmlElement] = {}

    def runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """Yield a paragraph's text with formats (section 6.1), without hidden text. Raises Spent."""
        if _is_hidden(paragraph):
            texts = [node for _, node in _inline_walk(paragraph) if isinstance(node, str)]
            self._source.hide(sum(len(text.split()) for text in texts), unseen.MARKED)
            return
        for run in self._runs(paragraph):
            self._source.budget.take(NODE_COST + len(run.text) + len(run.url))
            reason = reason_of(run.formats, self.is_on_page)
            if reason:
                self._source.hide(len(run.text.split()), reason)
            elif run.formats.isdisjoint(LOOK):
                yield run
            else:  # without its look: runs.linked() finds URLs in texts without formats only
                yield run._replace(formats=run.formats.difference(LOOK))

    def _runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """Yield all runs of a paragraph, hidden ones too; white space is collapsed (section 6.1.2)."""
        own = self._styles.formats(paragraph.get("text:style-name", ""))[0]
        formats: list[frozenset[str]] = [own & frozenset(LOOK)]
        urls = [""]
        was_space = True
        for event, node in _inline_walk(paragraph):
            if isinstance(node, str):
                text, was_space = _collapsed(node, was_space)
                yield Run(text, formats[-1], urls[-1])
            elif event == "close":
                formats.pop()
                urls.pop()
            elif event == "object":
                for run in self.object_runs(node, formats[-1], urls[-1]):
                    was_space = False
                    yield run
            else:
                tag = str(node.tag)
                style = node.get("text:style-name", "") if tag == "text:span" else ""
                on, off = self._styles.formats(style) if style else (frozenset(), frozenset())
                formats.append((formats[-1] | on) - off)
                urls.append(web_url(node.get("xlink:href", "")) if tag == "text:a" else urls[-1])
                text = _WHITE_SPACE.get(tag, "")
                if tag == "text:s":
                    text = " " * min(integer(node.get("text:c"), 1), _MAX_SPACES)
                if text:
                    was_space = False
                    yield Run(text, formats[-1], urls[-1])

    def object_runs(self, node: XmlElement, formats: frozenset[str] = frozenset(), url: str = "") -> Iterator[Run]:
        """Yield what represents an object in the text: a note's or comment's mark, a formula, a picture."""
        if node.tag != "draw:frame":
            mark = self._mark(node, node if node.tag == "office:annotation" else child(node, "text:note-body"))
            if mark:
                yield Run(mark, formats, url)
            return
        link = child(node, "draw:object")
        root = self._object_of(link.get("xlink:href", "")) if link is not None else None
        if root is not None and root.tag == "math:math":
            formula = math(root)
            yield Run(formula.text, node=formula)
            return
        alt = alt_text(child_text(node, "svg:title")) or alt_text(child_text(node, "svg:desc"))
        yield from picture(alt, attribute(node, "draw:image", "xlink:href"), url)

    def _mark(self, node: XmlElement, body: XmlElement | None) -> str:
        """Register a note and return its mark; "" without a body."""
        if body is None:
            return ""
        key = node.get("text:id") or f"note {len(self.note_bodies)}"
        self.note_bodies[key] = body
        return self._notes.mark(key)


def math(root: XmlElement) -> Element:
    """Return a MathML document as an HTML element."""
    formula = element("math")
    stack = [(root, formula)]
    while stack:
        source, target = stack.pop()
        for node in source:
            tag, text = str(node.tag).rpartition(":")[2], node.text or ""
            item = element(tag, [text] if text.strip() else (), **node.attrib)
            target.append(item)
            stack.append((node, item))
    return formula


def _is_hidden(paragraph: XmlElement) -> bool:
    """Return whether a field hides a paragraph; as in LibreOffice, a second field can show it again.

    A field in a note or a text box hides only the paragraph in it.
    """
    fields = outermost(paragraph, ("text:hidden-paragraph",), skipped=_NOT_WALKED)
    hides = [field.get("text:is-hidden") == "true" for field in fields]
    return any(hides) and all(hides)


def _inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement | str]]:
    """Yield ("text", string), ("open" or "close", node), ("object", node); a range's comment comes at its end."""
    ends = {node.get("office:name") for node in paragraph.iter("office:annotation-end")}
    waiting: dict[str | None, XmlElement] = {}  # comments by name, until their ranges end
    if paragraph.text:
        yield "text", paragraph.text
    stack: list[tuple[XmlElement, Iterator[XmlElement]]] = [(paragraph, iter(paragraph))]
    while stack:
        parent, rest = stack[-1]
        for node in rest:
            if node.tag in _NOT_WALKED:
                name = node.get("office:name")
                if node.tag == "office:annotation" and name in ends:
                    waiting[name] = node
                elif node.tag == "office:annotation-end" and name in waiting:
                    yield "object", waiting.pop(name)
                elif node.tag in _OBJECTS:
                    yield "object", node
                if node.tail:
                    yield "text", node.tail
                continue
            yield "open", node
            if node.text and not (node.tag == "text:page-number" and node.text == "<number>"):
                yield "text", node.text
            stack.append((node, iter(node)))
            break
        else:
            stack.pop()
            if stack:
                yield "close", parent
                if parent.tail:
                    yield "text", parent.tail


def _collapsed(text: str, was_space: bool) -> tuple[str, bool]:
    """Collapse white space; return the text, and whether it ends in a space. `was_space`: so does the text before."""
    if not text:
        return "", was_space
    before = " " if text[0].isspace() and not was_space else ""
    words = " ".join(text.split())
    if not words:
        return before, True
    after = " " if text[-1].isspace() else ""
    return f"{before}{words}{after}", bool(after)


# Tables and sheets

MAX_REPEATED = 1000  # times that a row or a cell is repeated; more is padding up to the edge of the sheet
_CELLS = ("table:table-cell", "table:covered-table-cell")
_ROW_GROUPS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")
_MAX_DRAWN = 200  # frames and shapes of one sheet; the rest is left out
_HIDDEN = ("collapse", "filter")
_MAX_UNSEEN_RANGES = 100  # of columns of one sheet; the text of cells in later ones is shown
_DATE = patterns.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)|\Z)")


def table_of(node: XmlElement, inlines: Inlines, budget: Budget) -> Element:
    """Return a table:table as an HTML table (section 9.1); each paragraph of a cell becomes a line of it."""
    is_on_page = inlines.is_on_page
    inlines.is_on_page = False  # a cell may have a colour, on which white text is seen
    table = tree.table(_row(row, inlines, budget) for row in outermost(node, ("table:table-row",), _ROW_GROUPS))
    inlines.is_on_page = is_on_page
    return table


def _row(row: XmlElement, inlines: Inlines, budget: Budget) -> Iterator[tree.Cell]:
    """Yield the cells of a table row. Raises Spent."""
    for item, times in repeated_cells(row):
        columns = min(times, MAX_REPEATED)
        budget.take(NODE_COST * columns)
        paragraphs = outermost(item, ("text:p", "text:h"), skipped=SKIPPED | set(NOTES), nested=True)
        content = runs.cell(list(inlines.runs(paragraph)) for paragraph in paragraphs)
        yield from tree.spanning(content, columns)


def repeated_cells(row: XmlElement) -> Iterator[tuple[XmlElement, int]]:
    """Yield the cells of a row, each with the number of columns that it fills."""
    for item in row:
        if item.tag in _CELLS:
            yield item, integer(item.get("table:number-columns-repeated"), 1) or 1


class _Unseen:
    """Knows the cells of a table whose style hides their text, as white text does."""

    def __init__(self, table: XmlElement, reasons: dict[str, str]) -> None:
        """Read the styles of columns. `reasons` are those of Styles.hiding_cells()."""
        if next(table.iter("calcext:conditional-formats"), None) is not None:  # white text may be on a colour
            reasons = {name: reason for name, reason in reasons.items() if reason != unseen.SAME_COLOUR}
        self._reasons = reasons
        self._columns: list[tuple[int, int, str]] = []  # ranges of columns whose default style hides text
        column = 0
        for item in table.iter("table:table-column"):
            stop = column + (integer(item.get("table:number-columns-repeated"), 1) or 1)
            style = item.get("table:default-cell-style-name", "")
            if style in reasons and len(self._columns) < _MAX_UNSEEN_RANGES:
                self._columns.append((column, stop, style))
            column = stop

    def reason(self, cell: XmlElement, row: XmlElement, column: int) -> str:
        """Return why the text of a cell is not seen, or "": its own style counts, else that of its row or column."""
        style = cell.get("table:style-name") or row.get("table:default-cell-style-name")
        if self._columns and not style:
            style = next((name for start, stop, name in self._columns if start <= column < stop), "")
        return self._reasons.get(style or "", "")


def sheets(
    source: Source, body: XmlElement, styles: Styles, blocks_of: Callable[[list[XmlElement]], list[Element]]
) -> str:
    """Write the visible sheets, each below its name. `blocks_of` gives the blocks of a sheet's boxes and charts."""
    reasons = styles.hiding_cells()
    tables = children(body, "table:table")
    book = Book(source, len(tables))
    for table in tables[:MAX_SHEETS]:
        if table.get("table:style-name") in styles.hidden_sheets:
            book.hidden_sheets += 1
            continue
        sheet = Sheet(table.get("table:name", ""))
        book.sheets.append(sheet)
        try:
            _fill(sheet, table, book, _Unseen(table, reasons))
            frames = [node for tag in ("draw:frame", *SHAPES) for node in table.iter(tag)][:_MAX_DRAWN]
            for block in blocks_of(frames):
                sheet.add_block(block)
        except Spent:
            pass  # the book is full
        if book.is_full():
            break
    return book.markdown()


def _fill(sheet: Sheet, table: XmlElement, book: Book, unseen_cells: _Unseen) -> None:
    """Add the rows of a table. Raises Spent."""
    number = column = 0
    budget = book.source.budget
    for item in table.iter("table:table-column"):
        times = integer(item.get("table:number-columns-repeated"), 1) or 1
        if item.get("table:visibility") in _HIDDEN:
            sheet.hide_columns(column, column + times)
        column += times
    for row in table.iter("table:table-row"):
        cells = _cells(row, number, sheet, book.source, unseen_cells)
        times = integer(row.get("table:number-rows-repeated"), 1) or 1
        if cells and row.get("table:visibility") == "filter":
            sheet.filtered_rows += 1
        if row.get("table:visibility") == "collapse":
            sheet.hidden_cells += len(cells)
            sheet.skip_row(number + times - 1)
        elif cells:
            for step in range(min(times, MAX_REPEATED)):
                book.cells_left -= len(cells)
                if step:  # _cells() took the text of the first row
                    budget.take(sum(map(len, cells.values())))
                sheet.add_row(number + step, cells)
                book.end_row()
        number += times


def _cells(row: XmlElement, number: int, sheet: Sheet, source: Source, unseen_cells: _Unseen) -> dict[int, str]:
    """Return the visible cells of a row as markdown by column; add its comments to the sheet. Raises Spent."""
    cells: dict[int, str] = {}
    column = 0
    for cell, times in repeated_cells(row):
        for comment in children(cell, "office:annotation"):  # section 14.1
            sheet.add_comment(place_name(number, column), _text_of(comment), child_text(comment, "dc:creator"))
        text = _text_of(cell)
        text = (text and _date_of(cell)) or text
        url = next((link.get("xlink:href", "") for link in cell.iter("text:a")), "")
        is_filled = text and cell.tag == "table:table-cell"
        if is_filled and (reason := unseen_cells.reason(cell, row, column)):
            source.hide(len(text.split()), reason)
        elif is_filled:
            inline = cell_markdown(text, web_url(url))
            for step in range(min(times, MAX_REPEATED)):
                source.budget.take(len(inline))
                if column + step in sheet.hidden_columns:
                    sheet.hidden_cells += 1
                else:
                    cells[column + step] = inline
        column += times
    return cells


def _date_of(cell: XmlElement) -> str:
    """Return a cell's date (section 19.372) as "2024-05-02 13:45:00", without the time at midnight; "" for others."""
    match = _DATE.match(cell.get("office:date-value", ""))
    return " ".join(part for part in match.groups() if part and part != "00:00:00") if match else ""


def _text_of(node: XmlElement) -> str:
    """Return the paragraphs of a cell or a comment as lines."""
    return "\n".join("".join(_texts(paragraph)) for paragraph in children(node, "text:p"))


def _texts(paragraph: XmlElement) -> Iterator[str]:
    """Yield the pieces of a paragraph's text, without the comments in it."""
    for node in paragraph.iter():
        if node.tag in ("text:s", "text:tab", "text:line-break"):
            yield " "
        if node.text and node.tag != "office:annotation":
            yield node.text
        if node.tail and node is not paragraph:
            yield node.tail
