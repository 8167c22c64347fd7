"""Show a command's answer on the terminal, through a pager if it is longer than the screen.

In: an answer and the settings color and pager. Out: text on the terminal. The pager is PAGER, else less; a machine
without less gets the text at once.

Tests: tests/cli/terminal/test_screen.py
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from webtool.cli.terminal import lists
from webtool.cli.terminal.markdown_lines import Layout
from webtool.cli.terminal.style import Pen, is_on
from webtool.cli.terminal.width import columns_of, text_width
from webtool.context import Result
from webtool.output import is_terminal, printable, write_terminal
from webtool.settings import Settings

_HEIGHT = 24  # of a terminal that does not say its size
_UNWRAPPED = 1 << 30  # columns; nothing is wrapped for --color always in a pipe
# Media types whose lines have a meaning, so that they are not wrapped.
_PLAIN_TYPES = ("application/json", "text/csv", "text/plain", "text/xml", "application/xml", "application/x-ndjson")
_HASH_COLUMNS = 14  # of `cache list`
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
        show(lists.search_lines(text, rows, width, pen, layout), current.pager and is_recall)
    elif "pages" in result.data:
        show(lists.hanging_lines(text, width, _HASH_COLUMNS), current.pager)
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
    show(lists.manual_lines(text, _width(), Pen(is_on(1, current.color))), current.pager)


def show_findings(findings: Mapping[str, tuple[str, str]], color: str) -> None:
    """Show the findings of doctor as a table."""
    show(lists.finding_lines(findings, _width(), Pen(is_on(1, color))), False)


def show_rows(rows: Sequence[Sequence[str]], is_bold: Callable[[Sequence[str]], bool], current: Settings) -> None:
    """Show rows in columns; those for which is_bold() is true are bold, the others are dim."""
    show(lists.row_lines(rows, is_bold, _width(), Pen(is_on(1, current.color))), current.pager)


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
        rows += 1 + max(text_width(line) - 1, 0) // columns
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
