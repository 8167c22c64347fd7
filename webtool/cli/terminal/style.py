"""Decide whether a stream gets colour, and write escape sequences (ECMA-48 SGR, OSC 8 links).

Only attributes that look right on light and dark backgrounds are used: bold, dim, red, green and yellow.

Tests: tests/cli/terminal/test_layout.py
"""

from __future__ import annotations

import os

from webtool import settings
from webtool.errors import WebtoolError
from webtool.output import is_terminal

# Name: parameters that begin and end the attribute.
CODES = {
    "bold": ("1", "22"), "dim": ("2", "22"), "under": ("4", "24"),
    "red": ("31", "39"), "green": ("32", "39"), "yellow": ("33", "39"),
}  # fmt: skip
_MAX_LINK = 2083  # characters; VTE, the library of many terminals, ignores longer addresses


def is_on(fd: int, choice: str) -> bool:
    """Return whether this file descriptor gets colour. `choice` is the setting color: auto, always or never.

    NO_COLOR and TERM=dumb turn auto off, and so does the old Windows console, which would show the sequences.
    """
    if choice != "auto":
        return choice == "always"
    if os.name == "nt" and not os.environ.get("WT_SESSION"):
        return False
    return is_terminal(fd) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def choice_of(words: list[str]) -> str:
    """Return the setting color of a command line that may be wrong in another place, such as an unknown flag."""
    flags = words[: words.index("--")] if "--" in words else words
    for word, following in reversed([*zip(flags, [*flags[1:], ""])]):  # the last one counts
        flag, equals, value = word.partition("=")
        value = value if equals else following
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
