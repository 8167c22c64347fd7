"""Show a command's answer on the terminal, through a pager if it is longer than the screen.

In: an answer, findings or a text of the manual, and the settings color and pager. Out: text on the terminal. Functions
named *_lines lay it out and are pure. The pager is PAGER, else less; a machine without less gets the text at once.
Tests: tests/cli/terminal/test_screen.py, tests/cli/terminal/test_layout.py
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from webtool.cli.terminal.markdown_lines import Layout
from webtool.cli.terminal.style import Pen, columns_of, is_on, text_width, wrapped
from webtool.context import Result
from webtool.lean import patterns
from webtool.output import is_terminal, printable, write_terminal
from webtool.settings import Settings

_MIN_WIDTH = 20  # columns for a text beside another one, however narrow the terminal is
_MAX_INDENT = 8  # columns before the text of an indented line of the manual
_ENTRY = patterns.compile(r" {0,6}\d{1,4}\. ")
# A row of two columns: words, at least two spaces, an explanation.
_ROW = patterns.compile(r"( +\S(?:[^ ]| (?! ))*)( {2,})(?=\S)")
_STATES = {"ok": ("✓", "green"), "note": ("!", "yellow"), "bad": ("✗", "red")}


def search_lines(
    text: str, rows: Sequence[object], width: int, pen: Pen, layout: Layout | None = None
) -> Iterator[str]:
    """Yield the lines of search results: titles are bold links, addresses dim links, the rest is wrapped.

    The line above an address is the title. Addresses are known from `rows` and looked for in their order, so that a
    line of a snippet cannot pass for a title. With a `layout` the rest is markdown, as the passages of recall are.
    """
    addresses = [str(row.get("url", "")) if isinstance(row, Mapping) else "" for row in rows]
    lines = text.split("\n")
    number = 0  # results whose title was found
    is_address = False
    for line, below in zip(lines, [*lines[1:], ""]):
        address = printable(addresses[number]) if number < len(addresses) else ""
        is_title = address != "" and below.strip() == address
        column, style = len(line) - len(line.lstrip()), ""
        if is_title:
            number += 1
            entry = _ENTRY.match(line)
            column, style = entry.end() if entry else 0, "bold"
        elif is_address:
            style = "dim"
        is_address = is_title  # of a result: the line below its title
        if layout is not None and not style:
            yield from layout.lines(line)
            continue
        for place, part in enumerate(wrapped(line[column:], max(width - column, _MIN_WIDTH))):
            part = pen.link(pen.paint(part, style), addresses[number - 1]) if style else part
            yield (" " * column if place else line[:column]) + part


def row_lines(
    rows: Sequence[Sequence[str]], is_bold: Callable[[Sequence[str]], bool], width: int, pen: Pen
) -> Iterator[str]:
    """Yield rows in columns; a row that is wider than the terminal goes on below its second column."""
    columns = [min(max(text_width(row[place]) for row in rows), 26) for place in range(len(rows[0]) - 1)]
    for row in rows:
        padded = [cell + " " * (column - text_width(cell)) for cell, column in zip(row, columns)]
        for part in wrapped("  ".join([*padded, row[-1]]), width, columns[0] + 2):
            yield pen.paint(part, "bold" if is_bold(row) else "dim")


def finding_lines(findings: Mapping[str, tuple[str, str]], width: int, pen: Pen) -> Iterator[str]:
    """Yield a table of findings {name: (state, text)}: a sign in colour, name, wrapped text; then counts."""
    column = max(map(len, findings)) + 4
    for name, (state, text) in findings.items():
        sign, color = _STATES[state]
        colors = (color,) if state == "bad" else ()
        first = f"{pen.paint(sign, color, 'bold')} {pen.paint(f'{name:<{column - 2}}', *colors, 'bold')}"
        for part in wrapped(printable(text).replace("\n", " "), max(width - column, _MIN_WIDTH)):
            yield first + part
            first = " " * column
    states = [state for state, _ in findings.values()]
    bad, notes = states.count("bad"), states.count("note")
    counts = [pen.paint(f"{bad} bad", "red", "bold")] if bad else [pen.paint("nothing is bad", "green")]
    yield ""
    yield ", ".join(counts + ([pen.paint(f"{notes} worth knowing", "yellow")] if notes else []))


def manual_lines(text: str, width: int, pen: Pen) -> Iterator[str]:
    """Yield a manual text: paragraphs (from column one) filled, rows wrapped in their columns, code left alone."""
    paragraph: list[str] = []
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        if number == 0 or not line or line[0] == " ":
            yield from textwrap.wrap(" ".join(paragraph), width, break_long_words=False, break_on_hyphens=False)
            paragraph = []
        if number == 0:
            yield from (pen.paint(part, "bold") for part in wrapped(line, max(width, _MIN_WIDTH)))
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
    if row is None:
        hanging = indent if indent > _MAX_INDENT else indent + 4  # a deeper line is the rest of an explanation
    elif text_width(line) > width and row.end() > width * 3 // 5:  # less than 40 % of the columns would be left
        yield row[1]
        line, hanging = " " * (indent + 4) + line[row.end() :], indent + 4
    else:
        hanging = row.end()
    yield from wrapped(line, width, max(min(hanging, width - _MIN_WIDTH), 0))


# --- Showing the lines ---

_HEIGHT = 24  # lines of a terminal that does not say its size
_UNWRAPPED = 1 << 30  # columns; nothing is wrapped for --color always in a pipe
# Media types whose lines have a meaning, so that they are not wrapped.
_PLAIN_TYPES = ("application/json", "text/csv", "text/plain", "text/xml", "application/xml", "application/x-ndjson")
_HASH_COLUMNS = 14  # columns of the hash and the space after it in `cache list`
_ESCAPES = patterns.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")  # as style.Pen writes them
_LESS = "FRX"  # quit if all fits on the screen, let colour through, leave the text there at the end


def show_result(result: Result, current: Settings, *, as_json: bool) -> None:
    """Show an answer: search results as a list, markdown laid out, anything else as it is."""
    if as_json:
        import json

        show(printable(json.dumps(result.data, ensure_ascii=False, indent=2)).split("\n"), current.pager)
        return
    pen, width = Pen(is_on(1, current.color)), _width()
    rows = result.data.get("results")
    text = printable(result.text.rstrip("\n"))
    if isinstance(rows, list):
        is_recall = any("passage" in row for row in rows)
        pen.has_links = not is_recall  # some pagers know no links
        layout = Layout(width, pen) if is_recall else None
        # The results of a search fit on a screen; the passages of recall may be long.
        show(search_lines(text, rows, width, pen, layout), current.pager and is_recall)
    elif "pages" in result.data:
        lines = (part for line in text.split("\n") for part in wrapped(line, width, _HASH_COLUMNS))
        show(lines, current.pager)
    elif _is_plain(result.data):
        show(text.split("\n"), current.pager)
    elif text:
        show(Layout(width, pen).lines(text), current.pager)


def _is_plain(data: Mapping[str, object]) -> bool:
    """Return whether an answer's lines must not be wrapped: a raw body, JSON, CSV or plain text."""
    media_type = str(data.get("content_type", "")).partition(";")[0].strip().lower()
    return "raw" in data or media_type in _PLAIN_TYPES


def show_manual(text: str, current: Settings) -> None:
    """Show a text of the manual, or the help of a command."""
    show(manual_lines(text, _width(), Pen(is_on(1, current.color))), current.pager)


def show_findings(findings: Mapping[str, tuple[str, str]], color: str) -> None:
    show(finding_lines(findings, _width(), Pen(is_on(1, color))), False)


def show_rows(rows: Sequence[Sequence[str]], is_bold: Callable[[Sequence[str]], bool], current: Settings) -> None:
    """Show rows in columns; those for which is_bold() is true are bold, the others are dim."""
    show(row_lines(rows, is_bold, _width(), Pen(is_on(1, current.color))), current.pager)


def _width() -> int:
    """Return the columns to wrap at."""
    return columns_of(1) if is_terminal(1) else _UNWRAPPED


def show(lines: Iterable[str], has_pager: bool) -> None:
    """Write the lines, through a pager if they are more than the screen holds."""
    shown = list(lines)
    text = "\n".join(shown) + "\n"
    if not (has_pager and is_terminal(1) and _is_longer(shown) and _paged(text)):
        write_terminal(text)


def _is_longer(lines: list[str]) -> bool:
    """Return whether the lines, wrapped by the terminal, are more than the screen holds beside the prompt."""
    columns = columns_of(1)
    try:
        height = os.get_terminal_size(1).lines or _HEIGHT
    except (OSError, ValueError):
        height = _HEIGHT
    rows = 0
    for line in lines:
        rows += 1 + max(text_width(_ESCAPES.sub("", line)) - 1, 0) // columns
        if rows >= height:
            return True
    return False


def _paged(text: str) -> bool:
    """Show the text in a pager. Return False if none is installed or it cannot be started."""
    import shlex
    import shutil
    import signal
    import subprocess

    try:
        words = shlex.split(os.environ["PAGER"]) if "PAGER" in os.environ else ["less"]
    except ValueError:
        return False
    if not words or words[0] == "cat" or not shutil.which(words[0]):
        return False
    environ = {"LESS": _LESS, "LESSCHARSET": "utf-8", **os.environ}
    try:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, env=environ)
    except OSError:
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the pager
    try:
        process.communicate(text.encode("utf-8", "replace"))
    except OSError:
        pass  # the pager was closed before it had read all
    finally:
        process.wait()
        signal.signal(signal.SIGINT, before)
    return True
