"""Write to stderr for a person: a sentence (errors red, notes dim), or the progress of a long command.

A sentence is wrapped at the terminal's width. Progress is a bar, its numbers and the last failures, rewritten in place.
Tests: tests/cli/terminal/test_screen.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.cli.terminal.style import Pen, char_width, choice_of, columns_of, is_on, wrap
from webtool.output import is_terminal, printable, write_status

_UNWRAPPED = 1 << 30  # columns of a pipe: whoever reads it wraps the lines
_HANGING = "  "  # before the second and further lines of a sentence
_CELLS = 24  # columns of the bar
_EIGHTHS = " ▏▎▍▌▋▊▉█"


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


class Block:
    """Some lines at the end of the terminal; each call of draw() replaces them."""

    def __init__(self) -> None:
        self._pen = Pen(is_on(2, choice_of([])))  # a block has no settings: the environment and the terminal decide
        self._height = 0

    def draw(self, share: float, numbers: str, failures: Iterable[str]) -> None:
        """Show the share that is done (0 to 1), the numbers beside the bar, and a line for each failure."""
        width = columns_of(2) - 1  # a full line would wrap
        room = width - _CELLS - len(" ")  # beside the bar
        bar = f"{self._pen.paint(bar_of(share), 'green')} " if room > len(numbers) else ""
        lines = [bar + cut(numbers, room if bar else width)]
        lines += [self._pen.paint(cut(printable(f"  ✗ {text}"), width), "red") for text in failures]
        up = f"\x1b[{self._height - 1}A" if self._height > 1 else ""
        # K clears what is to the right of a line, J what is below the last one.
        write_status("\r" + up + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
        self._height = len(lines)


def bar_of(share: float) -> str:
    """Return a bar of _CELLS columns: `bar_of(0.5)` is filled in its first half."""
    full, rest = divmod(int(min(max(share, 0.0), 1.0) * _CELLS * 8), 8)
    return f"{'█' * full + (_EIGHTHS[rest] if rest else ''):<{_CELLS}}"


def cut(text: str, width: int) -> str:
    """Return the text in one line of at most `width` columns."""
    text = text.replace("\n", " ")
    column = 0
    for index, char in enumerate(text):
        column += char_width(char)
        if column > width:
            return text[: max(index - 1, 0)] + "…"
    return text
