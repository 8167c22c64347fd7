"""Lay out search results, findings and texts of the manual for a terminal. In: text or rows. Out: lines. Pure.

Tests: tests/cli/terminal/test_layout.py
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence

from webtool.cli.terminal.markdown_lines import Layout
from webtool.cli.terminal.style import Pen
from webtool.cli.terminal.width import text_width, wrap
from webtool.lean import patterns
from webtool.output import printable

_ENTRY = patterns.compile(r" {0,6}\d{1,4}\. ")
# A row of two columns: words, at least two spaces, an explanation.
_ROW = patterns.compile(r"( +\S(?:[^ ]| (?! ))*)( {2,})(?=\S)")
_STATES = {"ok": ("✓", "green"), "note": ("!", "yellow"), "bad": ("✗", "red")}


def search_lines(
    text: str, rows: Sequence[object], width: int, pen: Pen, layout: Layout | None = None
) -> Iterator[str]:
    """Yield the lines of search results: titles are bold links, addresses dim links, the rest is wrapped.

    A title is the line before the next result's address, so a snippet cannot pass for one. With a
    `layout` the rest is markdown, as the passages of recall are.
    """
    addresses = [str(row.get("url", "")) if isinstance(row, Mapping) else "" for row in rows]
    lines = text.split("\n")
    names: tuple[str, ...]
    number = 0
    is_address = False
    for line, below in zip(lines, [*lines[1:], ""]):
        column, names = len(line) - len(line.lstrip()), ("dim",) if is_address else ()
        is_address = number < len(addresses) and below.strip() == printable(addresses[number]) != ""
        if is_address:
            number += 1
            entry = _ENTRY.match(line)
            column, names = entry.end() if entry else 0, ("bold",)
        if layout is not None and not names:
            yield from layout.lines(line)
            continue
        for place, part in enumerate(_wrapped(line[column:], width - column)):
            part = pen.link(pen.paint(part, *names), addresses[number - 1]) if names else part
            yield (" " * column if place else line[:column]) + part


def hanging_lines(text: str, width: int, hanging: int) -> Iterator[str]:
    """Yield lines; those that are too long go on below their column `hanging`."""
    for line in text.split("\n"):
        for place, (start, end) in enumerate(wrap(line, width, hanging)):
            yield (" " * hanging if place else "") + line[start:end]


def _wrapped(text: str, width: int) -> list[str]:
    """Return the text broken at the width."""
    return [text[start:end] for start, end in wrap(text, max(width, 20))]


def row_lines(
    rows: Sequence[Sequence[str]], is_bold: Callable[[Sequence[str]], bool], width: int, pen: Pen
) -> Iterator[str]:
    """Yield rows in columns; a row that is wider than the terminal goes on below its second column."""
    columns = [min(max(text_width(row[place]) for row in rows), 26) for place in range(len(rows[0]) - 1)]
    for row in rows:
        padded = [cell + " " * (column - text_width(cell)) for cell, column in zip(row, columns)]
        line = "  ".join([*padded, row[-1]])
        for place, (start, end) in enumerate(wrap(line, width, columns[0] + 2)):
            part = pen.paint(line[start:end], "bold" if is_bold(row) else "dim")
            yield (" " * (columns[0] + 2) if place else "") + part


def finding_lines(findings: Mapping[str, tuple[str, str]], width: int, pen: Pen) -> Iterator[str]:
    """Yield a table of findings {name: (state, text)}: a sign in colour, name, wrapped text; then counts."""
    column = max(map(len, findings)) + 4
    for name, (state, text) in findings.items():
        sign, color = _STATES[state]
        parts = _wrapped(printable(text).replace("\n", " "), width - column)
        colors = (color,) if state == "bad" else ()
        first = f"{pen.paint(sign, color, 'bold')} {pen.paint(f'{name:<{column - 2}}', *colors, 'bold')}"
        yield first + parts[0]
        yield from (" " * column + part for part in parts[1:])
    states = [state for state, _ in findings.values()]
    bad, notes = states.count("bad"), states.count("note")
    counts = [pen.paint(f"{bad} bad", "red", "bold")] if bad else [pen.paint("nothing is bad", "green")]
    yield ""
    yield ", ".join(counts + ([pen.paint(f"{notes} worth knowing", "yellow")] if notes else []))


def manual_lines(text: str, width: int, pen: Pen) -> Iterator[str]:
    """Yield a text of the manual: paragraphs filled, rows of two columns wrapped in their column, code left alone.

    Lines that begin in the first column make a paragraph; indented lines are rows or code.
    """
    paragraph: list[str] = []
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        if number == 0 or not line or line[0] == " ":
            yield from textwrap.wrap(" ".join(paragraph), width, break_long_words=False, break_on_hyphens=False)
            paragraph = []
        if number == 0:
            yield from (pen.paint(part, "bold") for part in _wrapped(line, width))
        elif not line:
            yield ""
        elif line[0] == " ":
            yield from _row(line, width)
        elif line.endswith(":") and not paragraph and len(line) < 30:
            yield pen.paint(line, "bold")
        else:
            paragraph.append(line)
    yield from textwrap.wrap(" ".join(paragraph), width, break_long_words=False, break_on_hyphens=False)


def _row(line: str, width: int) -> Iterator[str]:
    """Yield an indented line; an explanation in a second column is wrapped there, or below if the column is narrow."""
    row = _ROW.match(line)
    indent = len(line) - len(line.lstrip())
    column = row.end() if row else indent + (0 if indent > 8 else 4)
    if row is not None and text_width(line) > width and column > width * 3 // 5:
        yield row[1]
        line, column = " " * (indent + 4) + line[column:], indent + 4
    slices = wrap(line, width, column if column < width - 20 else indent)
    for number, (start, end) in enumerate(slices):
        yield " " * min(column, width - 20) + line[start:end] if number else line[start:end]
