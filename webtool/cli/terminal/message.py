"""Write a sentence to stderr for a person: wrapped at the terminal's width, errors red, notes dim.

Tests: tests/cli/terminal/test_screen.py
"""

from __future__ import annotations

from webtool.cli.terminal.style import Pen, is_on
from webtool.cli.terminal.width import columns_of, wrap
from webtool.output import is_terminal, printable, write_status

_UNWRAPPED = 1 << 30  # columns; for --color always in a pipe
_HANGING = "  "  # before further lines


def write(head: str, text: str, color: str, *, is_error: bool) -> None:
    """Write `webtool: CODE: what happened`. `color` is the setting color; `head` of an error is red."""
    pen = Pen(is_on(2, color))
    line = printable(f"{head}{text}")
    width = columns_of(2) if is_terminal(2) else _UNWRAPPED
    for number, (start, end) in enumerate(wrap(line, width, len(_HANGING))):
        part = line[start:end]
        if is_error and not number:
            part = pen.paint(part[: len(head)], "red", "bold") + part[len(head) :]
        elif not is_error:
            part = pen.paint(part, "dim")
        write_status(f"{_HANGING if number else ''}{part}\n")
