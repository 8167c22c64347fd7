"""Measure text in columns of a terminal, wrap it, and style it with escape sequences (ECMA-48 SGR, OSC 8 links).

A wide character (Han, kana, Hangul, most emoji: UAX #11, W and F) takes two columns, a combining or invisible one takes
no column. A control character takes one: output.printable() shows a picture of it. A line is broken at spaces, and
beside wide characters, which are written without spaces: `東京は晴れ。` may be broken anywhere except before `。`. Only
attributes that look right on light and dark backgrounds are used: bold, dim, red, green and yellow. is_on() decides
whether a stream gets colour.
Tests: tests/cli/terminal/test_layout.py
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator

from webtool import settings
from webtool.errors import WebtoolError
from webtool.lean import patterns
from webtool.output import is_terminal

_COLUMNS = 80  # columns of a terminal that does not say its size
_TAB = 8  # columns that a tab takes at most
_PIECE = patterns.compile(r"\s*\S+")
# Characters that no line begins with, and characters that no line ends with (JIS X 4051, the common part).
_NOT_FIRST = frozenset("、。，．・：；？！）］｝」』】〉》〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…‥’”!?,.:;)]}»")
_NOT_LAST = frozenset("（［｛「『【〈《〔‘“([{«")
_MARKS = "*_`"  # of markdown: one that ends bold text, as in `**東京**`, stays with the character before it


def columns_of(fd: int) -> int:
    """Return the columns of a terminal; 80 if it does not say. COLUMNS wins, as in other programs."""
    variable = os.environ.get("COLUMNS", "")
    if variable.isascii() and variable.isdigit() and int(variable[:6]) > 0:
        return int(variable[:6])
    try:
        return os.get_terminal_size(fd).columns or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS


def char_width(char: str) -> int:
    """Return the columns that one character takes: 0, 1 or 2; _TAB for a tab."""
    if " " <= char <= "~":
        return 1
    if char == "\t":
        return _TAB
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return 0  # a skin tone, which changes the emoji before it
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def text_width(text: str) -> int:
    """Return the columns that a text takes."""
    return len(text) if text.isascii() and "\t" not in text else sum(map(char_width, text))


def wrap(text: str, width: int, hanging: int = 0) -> list[tuple[int, int]]:
    """Return (start, end) of each line that the text is broken into; spaces at a break belong to no line.

    Lines after the first have `hanging` columns less, for the caller's indent. A word that is longer than a line stays
    whole, as an address can be copied then: `wrap("one two", 5)` -> `[(0, 3), (4, 7)]`.
    """
    if text_width(text) <= width:
        return [(0, len(text))]
    lines: list[tuple[int, int]] = []
    start, end, column = 0, 0, 0
    limit = width
    for begin, last in _units(text):
        used = text_width(text[end:last])  # with the spaces before it
        if end > start and column + used > limit:
            lines.append((start, end))
            start, used = begin, text_width(text[begin:last])
            limit, column = width - hanging, 0
        column += used
        end = last
    return [*lines, (start, end)]


def wrapped(text: str, width: int, hanging: int = 0) -> Iterator[str]:
    """Yield the lines that wrap() breaks the text into; those after the first begin with `hanging` spaces."""
    for number, (start, end) in enumerate(wrap(text, width, hanging)):
        yield (" " * hanging if number else "") + text[start:end]


def _units(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each piece begins and ends that may not be broken: "see 東京" -> "see", "東", "京"."""
    for match in _PIECE.finditer(text.rstrip()):  # the pattern takes quadratic time for spaces at the end
        piece = match[0]
        word = match.start() + len(piece) - len(piece.lstrip())
        if piece.isascii():
            yield word, match.end()
            continue
        begin = word
        for index in range(word + 1, match.end()):
            if _is_break(text[index - 1], text[index]):
                yield begin, index
                begin = index
        yield begin, match.end()


def _is_break(before: str, after: str) -> bool:
    """Return whether a line may end between two characters of a word: one of them is wide, and no rule forbids it."""
    if char_width(after) == 0 or after in _NOT_FIRST or before in _NOT_LAST or before == "\u200d":
        return False
    return char_width(after) == 2 or (char_width(before) == 2 and after not in _MARKS)


# Name: parameters that begin and end the attribute.
CODES = {
    "bold": ("1", "22"), "dim": ("2", "22"), "under": ("4", "24"),
    "red": ("31", "39"), "green": ("32", "39"), "yellow": ("33", "39"),
}  # fmt: skip
_MAX_LINK = 2083  # characters; VTE, the library of many terminals, ignores longer addresses


def is_on(fd: int, choice: str) -> bool:
    """Return whether a descriptor gets colour: by setting; auto heeds NO_COLOR, TERM=dumb and old Windows consoles."""
    if choice != "auto":
        return choice == "always"
    if os.name == "nt" and not os.environ.get("WT_SESSION"):
        return False
    return is_terminal(fd) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def choice_of(words: list[str]) -> str:
    """Return the setting color of a command line that may be wrong in another place, such as an unknown flag."""
    flags = words[: words.index("--")] if "--" in words else words
    for index in reversed(range(len(flags))):  # the last --color counts: `--color=never` or `--color never`
        flag, equals, value = flags[index].partition("=")
        value = value if equals else "".join(flags[index + 1 : index + 2])
        if flag == "--color" and value in settings.choices_of("color"):
            return value
    try:
        return settings.from_environ(os.environ).color
    except WebtoolError:
        return "auto"


class Pen:
    """Adds escape sequences to text, or none if colour is off: `Pen(True).paint("a", "bold")` -> ESC[1maESC[22m."""

    def __init__(self, is_on: bool) -> None:
        self.is_on = self.has_links = is_on

    def paint(self, text: str, *names: str) -> str:
        """Return the text with these attributes."""
        if not self.is_on or not text or not names:
            return text
        begin, end = zip(*(CODES[name] for name in names))
        return f"\x1b[{';'.join(begin)}m{text}\x1b[{';'.join(end)}m"

    def link(self, text: str, url: str) -> str:
        """Return the text as a hyperlink (OSC 8), if the address can be part of an escape sequence."""
        url = "".join(char if "!" <= char <= "~" else _escaped(char) for char in url[: _MAX_LINK + 1])
        if not (self.is_on and self.has_links) or not url.startswith(("http://", "https://")) or len(url) > _MAX_LINK:
            return text
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"


def _escaped(char: str) -> str:
    """Return a character of an address in percent-encoding (RFC 3986 section 2.1)."""
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
