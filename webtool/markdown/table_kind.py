"""Decide what a table element is for.

In: a table element. Out: DATA, LAYOUT (it arranges the page, so only its content is written) or CODE (a highlighter's
table of line numbers and lines).

A survey counts rows, cells, text, headers and the kinds of content, up to the first table inside. kind_of() decides by
these counts; the first rule that fits wins. Words for layout tables:

- A grid is a data table whose cells hold headings or form controls, such as a product comparison.
- An enumeration is a list written as a table: each row is a marker such as "(a)" and a text (laws).
Specification: HTML Standard section 4.9.1 says that tables must not lay out pages; many do. The sizes are chosen here,
not by the standard.
Tests: tests/markdown/test_tables.py
"""

from __future__ import annotations

from collections.abc import Container
from itertools import chain

from webtool.html.elements import role_of
from webtool.html.node import Element, short_text
from webtool.lean import patterns
from webtool.markdown.code import numbered_code

_MAX_DATA_CELL = 1500  # characters; a table with a longer cell is layout, unless it has headers
# A cell with more than this many characters and this share of the table's text is the page's main column: layout.
_MIN_MAIN_CELL = 400
_MIN_MAIN_SHARE = 0.6
_MAX_GRID_CELL = 400  # characters; a table with headings or controls and a longer cell is layout, not a grid
# More list items than this make a table of one column (a box) or of one row (a list in columns) a layout table.
_MAX_ITEMS = 5
_MAX_CELLS = 20  # children of a row; the cells of a longer row are not checked for markers
_MAX_SIGN_COLUMNS = 4  # columns of an enumeration: marker, text, and empty ones for the indent; with more it is data
_MARKER_AND_TEXT = 2  # cells with text in each row of an enumeration
_CODE_TABLES = frozenset((
    "highlighttable", "lntable", "rouge-table", "hljs-ln", "js-file-line-container", "codehilitetable",
    "crayon-table", "diff-table",
))  # fmt: skip
# Elements in a cell that suggest a layout table.
_LAYOUT_CONTENT = frozenset((
    "h1", "h2", "h3", "h4", "h5", "h6", "form", "article", "section", "main", "nav", "header", "footer", "iframe",
    "hr", "blockquote", "dl", "input", "select", "textarea",
))  # fmt: skip
# Elements that are never in a data table.
_SECTION_CONTENT = frozenset(("article", "section", "main", "nav", "header", "footer", "iframe"))
_FORM_CONTENT = frozenset(("form", "input", "select", "textarea"))  # controls

DATA, LAYOUT, CODE = "data", "layout", "code"
# Signs of items: "•"; "(1)", "[12a]"; "a)", "(iv)"; "b."
_BULLET = patterns.compile(r"[•·●○■□▪▫‣◦➢➤✓✔*–—−-]|[(\[][0-9]{1,3}[a-z]?[)\]]|[(\[]?[A-Za-z]{1,5}[)\]]|[A-Za-z]\.")
_is_number = patterns.compile(r"[0-9]{1,3}[.)]").fullmatch
_GROUPS = frozenset(("thead", "tbody", "tfoot"))
# Classes of cells with line numbers.
_GUTTERS = frozenset(("linenos", "gutter", "blob-num", "hljs-ln-numbers", "rouge-gutter", "diff-line-num"))


def kind_of(table: Element, hidden: Container[Element] = ()) -> str:
    """Return DATA, LAYOUT or CODE. Elements in `hidden` do not count.

    Looks no further than the first visible table inside, so that nested tables cost no more than their size.
    """
    if role_of(table.attrs) in ("presentation", "none"):
        return LAYOUT
    names = table.attrs.get("class", "")
    if not _CODE_TABLES.isdisjoint(names.lower().split()):
        return CODE
    if "ltx_eqn" in names or "ltx_equation" in names:
        return LAYOUT  # LaTeXML's formulas
    if table.parent is not None and "admonitionblock" in table.parent.attrs.get("class", ""):
        return LAYOUT  # Asciidoctor's callouts
    survey = _Survey(table, hidden)
    if survey.has_code_gutter or (survey.rows == 1 and survey.columns == 2 and numbered_code(table) is not None):
        return CODE
    if survey.has_header and survey.columns > 1:  # data, unless it arranges sections of the page
        return LAYOUT if survey.has_sections and survey.longest > _MAX_DATA_CELL else DATA
    if survey.has_table or survey.is_layout() or survey.is_one_big_cell():
        return LAYOUT
    if survey.has_header:  # one column with a header is a list with a title
        return DATA
    if 1 < survey.columns <= _MAX_SIGN_COLUMNS and _is_enumeration(table, survey.rows):
        return LAYOUT
    is_single_cell = survey.rows <= 1 and survey.columns <= 1
    return LAYOUT if is_single_cell else DATA


def is_sign(cell: Element) -> bool:
    """Whether a cell of a layout table contains only a bullet or number, and a later cell of the row has text."""
    if cell.parent is None or len(cell.parent.children) > _MAX_CELLS:
        return False
    text = short_text(cell).strip()
    if not (_BULLET.fullmatch(text) or _is_number(text)):
        return False
    cells = cell.parent.children
    begin = cells.index(cell) + 1
    later_cells = cells[begin : begin + _MAX_SIGN_COLUMNS]
    return any(short_text(node).strip() for node in later_cells if node.tag)


def _is_enumeration(table: Element, row_count: int) -> bool:
    """Whether each row is a marker and a text: `<tr><td>(a)<td>The lessor ...` (laws).

    Written as a data table, the first item would become the header. Several rows with plain numbers ("1.") stay data.
    """
    rows_in_groups = [part.children if part.tag in _GROUPS else (part,) for part in table.children]
    for row in chain.from_iterable(rows_in_groups):
        if row.tag != "tr":
            continue
        cells = [node for node in row.children if node.tag == "td" and short_text(node).strip()]
        if len(cells) != _MARKER_AND_TEXT or not is_sign(cells[0]):  # type: ignore[arg-type]
            return False
        if row_count > 1 and _is_number(short_text(cells[0]).strip()):
            return False
    return True


class _Survey:
    """Count what is in a table, up to the first table inside.

    `longest` is the text length of the longest cell (or of the caption), `items` the number of list items, `columns`
    the cells of the widest row.
    """

    def __init__(self, table: Element, hidden: Container[Element]) -> None:
        self.rows = self.columns = self.longest = self.items = 0
        self.has_header = self.has_table = self.has_code_gutter = self.has_picture = False
        self.has_sections = self.has_controls = self.has_layout_content = False
        self._cells = 0  # in the open row
        self._length = 0  # characters of the open cell
        self._total = 0  # characters of the table
        self._widths: dict[int, int] = {}  # number of cells -> number of rows with it
        stack = [iter(table.children)]
        while stack and not self.has_table:
            for node in stack[-1]:
                tag = node.tag
                if tag is None:
                    size = len(node.text.strip())
                    self._length += size
                    self._total += size
                elif tag not in ("script", "style", "template", "#comment") and node not in hidden:
                    self._count(node, tag)  # type: ignore[arg-type]
                    children = node.children
                    if len(children) == 1 and children[0].tag is None:  # as most cells have
                        size = len(children[0].text.strip())
                        self._length += size
                        self._total += size
                        continue
                    stack.append(iter(children))
                    break
            else:
                stack.pop()
        self._end_row()
        self.longest = max(self.longest, self._length)

    def is_one_big_cell(self) -> bool:
        """Whether one cell has most of the content. A single row with images and no header counts as one, too."""
        if self.longest > _MAX_DATA_CELL:
            return True
        if self.longest > _MIN_MAIN_CELL and self.longest > self._total * _MIN_MAIN_SHARE:
            return True
        return self.rows <= 1 and self.has_picture and not self.has_header

    def is_layout(self) -> bool:
        """Whether the content is that of a layout table: sections, many list items, or headings outside a grid."""
        if self.has_sections:
            return True
        if not self.has_layout_content:
            return self.items > _MAX_ITEMS and (self.columns <= 1 or self.rows <= 1)
        # Headings and controls are layout, unless the table is a regular grid of at least this size.
        # A form is often a table of two columns, labels and fields: a grid of controls must be larger than that.
        min_rows, min_columns = (5, 3) if self.has_controls else (3, 2)
        return self.rows < min_rows or self.columns < min_columns or not self._is_regular()

    def _is_regular(self) -> bool:
        """Whether four rows in five have the same number of cells, more than one, and no cell is long."""
        width = max(self._widths, key=self._widths.__getitem__)
        return width > 1 and self._widths[width] * 5 >= self.rows * 4 and self.longest <= _MAX_GRID_CELL

    def _end_row(self) -> None:
        if self._cells:
            self._widths[self._cells] = self._widths.get(self._cells, 0) + 1
        self._cells = 0

    def _count(self, element: Element, tag: str) -> None:
        if tag == "tr":
            self._end_row()
            self.rows += 1
        elif tag in ("td", "th"):
            self._cells += 1
            if self._cells > self.columns:
                self.columns = self._cells
            if self._length > self.longest:
                self.longest = self._length
            self._length = 0
            if tag == "th":
                self.has_header = True
            elif "class" in element.attrs and not _GUTTERS.isdisjoint(element.attrs["class"].split()):
                self.has_code_gutter = True
        elif tag in ("thead", "caption"):
            self.has_header = True
        elif tag == "table":
            self.has_table = True
        elif tag in _LAYOUT_CONTENT:
            self.has_layout_content = True
            self.has_sections = self.has_sections or tag in _SECTION_CONTENT
            self.has_controls = self.has_controls or tag in _FORM_CONTENT
        elif tag == "img":
            self.has_picture = True
        elif tag == "li":
            self.items += 1
