"""Gather the blocks of one RTF story: the document, a footnote, a header or a text box. In: runs and ends. Out: blocks.

RTF has no elements: the reader adds runs and calls a method at each end of a paragraph, a cell or a row. A list item is
a paragraph with a label before it ("1." or "•"). A row of a table ends before its cells are known to be a table.
Tests: tests/documents/test_rtf.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents.runs import Run, cell, heading, linked, paragraph, trimmed
from webtool.documents.tree import BlockBuilder, Cell, Child, table
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MAX_COLUMNS = 100  # of a table; the cells of a wider one are not aligned
_TWIPS_PER_LEVEL = 360  # a list nests one level deeper for each quarter inch of its left indent
_BULLETS = "•·▪◦–-* "
_NUMBER = patterns.compile(r"(\d{1,9})[.)]")
# "(b)", "iv.", "2.1)", "3"
_LABEL = patterns.compile(r"\(?\w{1,6}(?:\.\w{1,4}){0,8}[.)]|\d[\d.]{0,20}")


class Paragraph(NamedTuple):
    """Paragraph properties, which \\pard resets."""

    style: int = 0
    outline: int = 9  # 0 to 8 for headings, 9 for body text
    depth: int = 0  # of the list level, from 0
    left: int = 0  # indent in twips
    first: int = 0  # indent of the first line in twips, relative to `left`; negative for a hanging label
    is_in_table: int = 0


class Story:
    """The blocks of one story so far. The reader sets `runs`, `label`, `paragraph` and `edges`, then calls an end."""

    def __init__(self) -> None:
        self._builder = BlockBuilder()
        self.blocks = self._builder.blocks
        self.runs: list[Run] = []  # of the open paragraph
        self.label = ""  # of the open paragraph, if it is a list item
        self.paragraph = Paragraph()  # properties of the open paragraph
        self.edges: list[int] = []  # right edges of the cells of the open row, in twips
        self._lines: list[list[Run]] = []  # ended paragraphs of the open cell
        self._cells: list[Cell] = []  # ended cells of the open row
        self._rows: list[tuple[list[Cell], list[int]]] = []  # ended rows of the open table, each with its edges

    def end_paragraph(self, level: int) -> None:
        """Append the open paragraph: a line of a table cell, a heading if `level` is not 0, a list item or a text."""
        runs, label, depth = trimmed(self.runs), self.label, self.paragraph.depth
        if runs and self.paragraph.first < 0 and not label:
            label, depth = self._hanging_label(runs)
        self.runs, self.label = [], ""
        if self.paragraph.is_in_table:
            self._lines.append([Run(f"{label} "), *runs] if label else runs)
            return
        self.end_table()
        if not runs:
            return
        if level:
            self._builder.add_block(heading(level, f"{label} " if _LABEL.fullmatch(label) else "", runs))
        elif label:
            self._add_item(label, linked(runs), depth)
        else:
            self._builder.add_block(paragraph(runs))

    def _hanging_label(self, runs: list[Run]) -> tuple[str, int]:
        """Cut the label off runs that start like a list item: "1.", a tab, text. Return it with the item's depth.

        Programs write such paragraphs if a list is only typeset as one. Returns "" for other runs.
        """
        before, tab, after = runs[0].text.partition("\t")
        if not tab or not (not before.strip(_BULLETS) or _LABEL.fullmatch(before)):
            return "", self.paragraph.depth
        runs[0] = runs[0]._replace(text=after)
        return before, self.paragraph.left // _TWIPS_PER_LEVEL

    def _add_item(self, label: str, children: list[Child], depth: int) -> None:
        number = _NUMBER.fullmatch(label)
        if number:
            self._builder.add_item(children, depth, True, int(number.group(1)))
        elif _LABEL.fullmatch(label):  # markdown has no letters as numbers, so the label is part of the text
            self._builder.add_item([f"{label} ", *children], depth)
        else:
            self._builder.add_item(children, depth)

    def end_cell(self) -> None:
        """End the open cell with the paragraphs in it."""
        self._lines.append(trimmed(self.runs))
        self._cells.append(cell(self._lines))
        self.runs, self._lines, self.label = [], [], ""

    def end_row(self) -> None:
        """End the open row."""
        if self._cells:
            self._rows.append((self._cells, self.edges))
        self._cells = []

    def end_table(self) -> None:
        """Append the rows so far as a table, also a row and a cell that are still open."""
        if self._lines:
            self.end_cell()
        self.end_row()
        if self._rows:
            self._builder.add_block(table(_in_columns(self._rows)))
        self._rows = []


def _in_columns(rows: list[tuple[list[Cell], list[int]]]) -> Iterator[list[Cell]]:
    """Align the cells of rows by their right edges: a cell that spans two columns is followed by an empty one."""
    distinct = {id(edges): edges for _, edges in rows}  # rows share a list until the file defines new edges
    ends = sorted({edge for edges in distinct.values() for edge in edges})
    columns = {edge: index for index, edge in enumerate(ends)}
    for cells, edges in rows:
        if len(ends) > _MAX_COLUMNS or len(edges) < len(cells):
            yield cells
            continue
        row: list[Cell] = []
        for content, edge in zip(cells, edges):
            row.append(content)
            row.extend([] for _ in range(columns[edge] + 1 - len(row)))
        yield row
