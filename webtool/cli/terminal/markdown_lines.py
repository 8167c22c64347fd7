"""Lay out markdown for a terminal. In: markdown, a width, a pen. Out: lines with escape sequences.

The markdown stays as it is, so that lines can be quoted and copied. Long lines are wrapped under their own beginning:
`- item` and `> quote` go on at the same depth. Code, tables and the header block are not wrapped. Headings are bold
with dim marks, link targets are dim. One pass over the lines, each of a bounded amount of work. Layout has a state.
Tests: tests/cli/terminal/test_layout.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.cli.terminal.style import Pen, text_width, wrap
from webtool.lean import patterns

Spans = list[tuple[int, int, str]]  # (start, end, attribute) of a part of a line

# The ">" of quotes, list markers and indentation at the beginning of a line (CommonMark sections 5.1 and 5.2).
_PREFIX = patterns.compile(r"(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))*[ \t]*")
_MARKER = patterns.compile(r"[-*+]|\d{1,9}[.)]")
_FENCE = patterns.compile(r"(`{3,}|~{3,})")
_HEADING = patterns.compile(r"#{1,6}\s+")
# The target of a link or picture: the text between "](" and ")", and that of a definition. Bounded, so that each
# character is looked at a bounded number of times.
_TARGET = patterns.compile(r"\]\((?:<[^<>\n]{0,2000}>|[^()\s]{0,2000})(?: \"[^\"\n]{0,500}\")?\)")
_DEFINITION = patterns.compile(r"\[[^\]\n]{1,200}\]: (\S+)")
_GAP = "[...]"
_PLACE = patterns.compile(r"(?:.*, )?line \d+:")  # above a match of `find`: its headings and its line


class Layout:
    """Lays out lines one after the other; remembers whether it is in code or in a list."""

    def __init__(self, width: int, pen: Pen) -> None:
        self._width = max(width, 20)
        self._pen = pen
        self._fence = ""  # the marks that opened the code block, "" outside of one
        self._quote_depth = 0  # number of ">" before the fence that opened the code block
        self._is_in_list = False
        self._is_after_blank = True

    def lines(self, markdown: str) -> Iterator[str]:
        """Yield the lines to show. The text must be printable (webtool.output.printable)."""
        source = markdown.split("\n")
        header = _header_length(source)
        for line in source[:header]:
            yield self._pen.paint(line, "dim")
        for line in source[header:]:
            yield from self._line(line)
            self._is_after_blank = not line.strip()

    def _line(self, line: str) -> list[str]:
        """Return the lines that show one line of markdown."""
        prefix = _PREFIX.match(line)[0]  # type: ignore[index]
        rest = line[len(prefix) :]
        if self._is_code(prefix, rest, line):
            return [self._pen.paint(line, "dim") if _FENCE.match(rest) else line]
        if not rest or rest.startswith("|"):
            return [line]
        if _MARKER.search(prefix):
            self._is_in_list = True
        elif self._is_after_blank and not line[0].isspace():
            self._is_in_list = False
        heading = _HEADING.match(rest)
        if heading:
            start = len(prefix) + heading.end()
            spans = [(len(prefix), start, "dim"), (start, len(line), "bold")]
        else:
            spans = _spans(line)
        return self._wrapped(line, prefix, spans)

    def _is_code(self, prefix: str, rest: str, line: str) -> bool:
        """Return whether the line belongs to a code block, its fences included."""
        fence = _FENCE.match(rest)
        if self._fence:
            if prefix.count(">") < self._quote_depth:
                self._fence = ""  # the quote ended, and the code in it
            else:
                if fence and fence[1].startswith(self._fence) and not rest.strip("`~ "):
                    self._fence = ""
                return True
        if not self._is_in_list and line.startswith(("    ", "\t")):
            return True
        if fence and not (fence[1][0] == "`" and "`" in rest[fence.end() :]):
            self._fence, self._quote_depth = fence[1], prefix.count(">")
            return True
        return False

    def _wrapped(self, line: str, prefix: str, spans: Spans) -> list[str]:
        """Return the line broken at the width; further lines have the depth of the first."""
        hang = _MARKER.sub(lambda match: " " * len(match[0]), prefix)
        if text_width(hang) > self._width // 2:
            hang = ""
        slices = wrap(line, self._width, text_width(hang))
        return [
            (hang if number else "") + painted(line, start, end, spans, self._pen)
            for number, (start, end) in enumerate(slices)
        ]


def painted(text: str, start: int, end: int, spans: Spans, pen: Pen) -> str:
    """Return a part of a line with the attributes of its spans, which do not overlap."""
    if not pen.is_on or not spans:
        return text[start:end]
    parts = []
    position = start
    for first, last, name in spans:
        first, last = max(first, position), min(last, end)
        if first < last:
            parts += [text[position:first], pen.paint(text[first:last], name)]
            position = last
    return "".join([*parts, text[position:end]])


def _spans(line: str) -> Spans:
    """Return the link targets of a line, which are dim."""
    if line.strip() == _GAP or _PLACE.fullmatch(line):
        return [(0, len(line), "dim")]
    definition = _DEFINITION.match(line)
    if definition:
        return [(*definition.span(1), "dim")]
    return [(match.start() + 1, match.end(), "dim") for match in _TARGET.finditer(line)]


def _header_length(lines: list[str]) -> int:
    """Return the number of lines of the header block (title, source, time between two lines of dashes), 0 without."""
    if lines[0] != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:50], 1) if line == "---"), 0)
