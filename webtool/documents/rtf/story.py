"""What stands in a rich text between its beginning and its end, or those of a note: paragraphs, lists, tables.

In: runs of text, and where paragraphs, cells and rows end. Out: blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents.docx.inline import trimmed
from webtool.documents.tree import Child, ListBuilder, Run, cell, element, inlines, linked, paragraph, table
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MAX_COLUMNS = 100
_INDENT = 360  # twips of a level of lists
_BULLETS = "•·▪◦–-* "
_NUMBER = patterns.compile(r"(\d{1,9})[.)]")
_LABEL = patterns.compile(r"\(?\w{1,6}(?:\.\w{1,4}){0,8}[.)]|\d[\d.]{0,20}")


class Paragraph(NamedTuple):
    """What \\pard takes back."""

    style: int = 0
    outline: int = 9
    depth: int = 0
    left: int = 0  # twips
    first: int = 0  # of the first line, against `left`
    is_in_table: int = 0


class Story:
    """Blocks as they come: of the document, of a note, of a text box."""

    def __init__(self) -> None:
        self.blocks: list[Element] = []
        self.runs: list[Run] = []
        self.label = ""
        self.paragraph = Paragraph()  # what holds for the one that is open
        self._lines: list[list[Run]] = []  # of the cell that is open
        self._cells: list[list[Child]] = []
        self._rows: list[tuple[list[list[Child]], list[int]]] = []
        self.edges: list[int] = []  # where the cells of a row end
        self._lists = ListBuilder(self.blocks)

    def end_paragraph(self, heading: int) -> None:
        """Append a heading of a level, an item, a line of a cell, or a paragraph where the level is 0."""
        form = self.paragraph
        runs, label, depth = trimmed(self.runs), self.label, form.depth
        self.runs, self.label = [], ""
        is_set_as_item = runs and form.first < 0 and not label
        before, tab, after = runs[0].text.partition("\t") if is_set_as_item else ("", "", "")
        if tab and (not before.strip(_BULLETS) or _LABEL.fullmatch(before)):  # a list that is only set as one
            label, depth, runs[0] = before, form.left // _INDENT, runs[0]._replace(text=after)
        if form.is_in_table:
            self._lines.append([Run(f"{label} "), *runs] if label else runs)
            return
        self.end_table()
        if not runs:
            return
        if heading:
            number = f"{label} " if _LABEL.fullmatch(label) else ""
            self._lists.add_block(element(f"h{heading}", [number, *inlines(runs, ("strong",))]))
        elif label:
            self._add_item(label, linked(runs), depth)
        else:
            self._lists.add_block(paragraph(runs))

    def _add_item(self, label: str, children: list[Child], depth: int) -> None:
        number = _NUMBER.fullmatch(label)
        if number:
            self._lists.add(children, depth, True, int(number.group(1)))
        else:  # markdown has no letters before items: they stay in the text
            self._lists.add([f"{label} ", *children] if _LABEL.fullmatch(label) else children, depth)

    def end_cell(self) -> None:
        self._lines.append(trimmed(self.runs))
        self._cells.append(cell(self._lines))
        self.runs, self._lines, self.label = [], [], ""

    def end_row(self) -> None:
        if self._cells:
            self._rows.append((self._cells, self.edges))
        self._cells = []

    def end_table(self) -> None:
        if self._lines:
            self.end_cell()
        self.end_row()
        if self._rows:
            self._lists.add_block(table(_in_columns(self._rows)))
        self._rows = []


def _in_columns(rows: list[tuple[list[list[Child]], list[int]]]) -> Iterator[list[list[Child]]]:
    """Rows whose cells stand in the columns at whose ends they end; the rest of what one spans is empty."""
    distinct = {id(edges): edges for _, edges in rows}  # rows share them until others are defined
    ends = sorted({edge for edges in distinct.values() for edge in edges})
    columns = {edge: at for at, edge in enumerate(ends)}
    for cells, edges in rows:
        if len(ends) > _MAX_COLUMNS or len(edges) < len(cells):
            yield cells
            continue
        row: list[list[Child]] = []
        for content, edge in zip(cells, edges):
            row.append(content)
            row.extend([] for _ in range(columns[edge] + 1 - len(row)))
        yield row
