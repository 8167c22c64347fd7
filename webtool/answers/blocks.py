"""Markdown taken apart into blocks, with their lines and the headings that they stand under.

In: markdown of any origin. Out: a Page. One pass over the lines; what CommonMark would see in deep nesting is not
followed further than reading needs it: a list item, a quote and a heading inside a list are known by their marks.
Lines are numbered from 1, as `offset` counts them. Specification: CommonMark 0.31 section 4, GFM 4.10.
"""

from __future__ import annotations

from webtool.answers.reading import as_read
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

HEADING, LABEL, PARAGRAPH, ITEM, ROW, CODE = "heading", "label", "paragraph", "item", "row", "code"
LABEL_LEVEL = 7
"""A line in bold alone stands over what follows it, as a heading of the lowest level would."""
_MAX_LABEL = 120  # characters; a longer bold line is text

_container = patterns.compile(r"(?:[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?=[ \t])|[ \t]*>)*[ \t]*").match
_item = patterns.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]").match
_fence = patterns.compile(r"(`{3,}|~{3,})([^`]*)\Z").match
_atx = patterns.compile(r"(#{1,6})(?:[ \t]+|\Z)").match
_underline = patterns.compile(r" {0,3}(=+|-+)[ \t]*\Z").match
_label = patterns.compile(r"(?:\*\*|__)(?=\S)(.+?)(?:\*\*|__):?\Z").match
_closing_hashes = patterns.compile(r"(?:\A|[ \t])#+[ \t]*\Z").search
_RULE = frozenset("-*_ \t")
_DELIMITER = frozenset("|:- \t")


class Heading(NamedTuple):
    """A heading, or a line that stands over others like one."""

    level: int
    title: str
    line: int
    parent: int
    """The place of the heading that it stands under, -1 for none."""


class Block(NamedTuple):
    """Some lines that belong together."""

    kind: str
    first: int
    last: int
    heading: int
    """The place of the nearest heading above, -1 for none."""
    header: int = 0
    """Of a table row: the line of the table's header."""


class Page(NamedTuple):
    """Markdown, taken apart."""

    lines: list[str]
    headings: list[Heading]
    blocks: list[Block]

    def path(self, heading: int) -> list[str]:
        """The titles from the top down to a heading."""
        titles: list[str] = []
        while heading >= 0:
            titles.append(self.headings[heading].title)
            heading = self.headings[heading].parent
        return titles[::-1]


def parse(markdown: str) -> Page:
    """Take the markdown apart. Cost: linear."""
    return _Parser(markdown.split("\n") if markdown else []).parse()


class _Parser:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._headings: list[Heading] = []
        self._blocks: list[Block] = []
        self._open: list[int] = []  # headings that the next block stands under, outermost first
        self._start = -1  # index of the first line of the paragraph or item being read
        self._kind = PARAGRAPH

    def parse(self) -> Page:
        lines, index, count = self._lines, 0, len(self._lines)
        while index < count:
            line = lines[index]
            if not line or line.isspace():
                self._flush(index)
                index += 1
                continue
            content = line[_container(line).end() :]  # type: ignore[union-attr]
            mark = content[:1]
            if mark in ("`", "~") and _fence(content):
                index = self._code(index, content)
            elif mark == "#" and _atx(content):
                self._flush(index)
                self._heading(len(_atx(content)[1]), content, index)  # type: ignore[index]
                index += 1
            elif "|" in line and (mark == "|" or self._is_delimiter(index + 1)) and self._is_delimiter(index + 1):
                index = self._table(index)
            else:
                index = self._text(index, line, content)
        self._flush(count)
        return Page(lines, self._headings, self._blocks)

    def _text(self, index: int, line: str, content: str) -> int:
        """A line of a paragraph or of a list item."""
        if self._start >= 0 and self._kind == PARAGRAPH and _underline(line):
            if index == self._start + 1:
                title, level = self._lines[self._start], 1 if line.lstrip()[0] == "=" else 2
                self._start = -1
                self._heading(level, title, index - 1)
                return index + 1
            self._flush(index)
        if _item(line) and content:
            self._flush(index)
            self._start, self._kind = index, ITEM
        elif len(content) >= 3 and _RULE.issuperset(content) and len(set(content) - {" ", "\t"}) == 1:
            self._flush(index)
            return index + 1
        elif self._start < 0:
            self._start, self._kind = index, ITEM if line[0] in " \t" and self._is_in_list() else PARAGRAPH
        return index + 1

    def _is_in_list(self) -> bool:
        return bool(self._blocks) and self._blocks[-1].kind in (ITEM, CODE)

    def _flush(self, end: int) -> None:
        """Close the paragraph or item that ends before line index `end`."""
        if self._start < 0:
            return
        start, self._start = self._start, -1
        if end == start + 1:
            line = self._lines[start]
            content = line[_container(line).end() :].rstrip()  # type: ignore[union-attr]
            label = _label(content) if content[:2] in ("**", "__") else None
            if label and len(content) <= _MAX_LABEL and "**" not in label[1]:
                self._heading(LABEL_LEVEL, label[1], start)
                return
        self._add(self._kind, start, end)

    def _add(self, kind: str, start: int, end: int, header: int = 0) -> None:
        self._blocks.append(Block(kind, start + 1, end, self._open[-1] if self._open else -1, header))

    def _heading(self, level: int, content: str, index: int) -> None:
        title = content.lstrip("#").strip() if level < LABEL_LEVEL else content
        title = as_read(title[: end.start()] if (end := _closing_hashes(title)) else title).strip()
        while self._open and self._headings[self._open[-1]].level >= level:
            self._open.pop()
        self._headings.append(Heading(level, " ".join(title.split()), index + 1, self._open[-1] if self._open else -1))
        self._open.append(len(self._headings) - 1)
        self._add(LABEL if level == LABEL_LEVEL else HEADING, index, index + 1)

    def _code(self, index: int, content: str) -> int:
        """A fenced code block; one that never closes goes to the end, as CommonMark says."""
        self._flush(index)
        fence = _fence(content)[1]  # type: ignore[index]
        end = index + 1
        while end < len(self._lines):
            text = self._lines[end].lstrip(" \t>")
            end += 1
            if text.startswith(fence) and not text.strip().strip(fence[0]):
                break
        self._add(CODE, index, end)
        return end

    def _is_delimiter(self, index: int) -> bool:
        if index >= len(self._lines):
            return False
        line = self._lines[index].lstrip("> \t")
        return "|" in line and "-" in line and _DELIMITER.issuperset(line)

    def _table(self, index: int) -> int:
        """A table: its header is a row too, so that what it says can be found."""
        self._flush(index)
        self._add(ROW, index, index + 1, index + 1)
        end = index + 2
        while end < len(self._lines) and "|" in self._lines[end]:
            self._add(ROW, end, end + 1, index + 1)
            end += 1
        return end
