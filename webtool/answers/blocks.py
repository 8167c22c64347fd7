"""Split markdown into blocks with their lines and the headings above them. In: any markdown. Out: a Page.

One pass over the lines. Nesting is read only as far as answers need it: a list item, a quote and a heading inside a
list are known by their marks, not by CommonMark's rules for indentation. Lines are numbered from 1, as `offset` counts
them. Headings and blocks are referred to by their index in the Page's lists, -1 for none. Specification: CommonMark
0.31 section 4, GFM 4.10.

Specifications, prices and dates are often outside the main content. merged() puts both texts into one Page, so that
passages inside and outside compete: the lines of the main content, a line between, the lines of the whole page, of
which only the blocks that the main content lacks are listed.

    main "# Phone\\n\\nIt is light."   whole "Menu\\n\\n# Phone\\n\\nIt is light.\\n\\n| Weight | 180 g |"
    ->  outside: "Menu", "| Weight | 180 g |"
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.answers.reading import as_read
from webtool.answers.words import fold, has_word
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

HEADING, LABEL, PARAGRAPH, ITEM, ROW, CODE = "heading", "label", "paragraph", "item", "row", "code"
LINES = "lines"  # a paragraph whose lines are records: a log, values, an address
LABEL_LEVEL = 7  # of a line in bold alone (a label): it acts as a heading of the lowest level
_MAX_LABEL = 120  # characters; a longer bold line is text

_container = patterns.compile(r"(?:[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?=[ \t])|[ \t]*>)*[ \t]*").match
_item = patterns.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]").match
_fence = patterns.compile(r"(`{3,}|~{3,})([^`]*)\Z").match
_atx = patterns.compile(r"(#{1,6})(?:[ \t]+|\Z)").match
_underline = patterns.compile(r" {0,3}(=+|-+)[ \t]*\Z").match
_label = patterns.compile(r"(?:\*\*|__)(?=\S)(.+?)(?:\*\*|__):?\Z").match
# `<h1 align="center">Title</h1>`, as files on GitHub begin
_html_heading = patterns.compile(r"(?i)<h([1-6])(?:\s[^<>]*)?>(.*?)</h[1-6]>\s*\Z").match
_closing_hashes = patterns.compile(r"(?:\A|[ \t])#+[ \t]*\Z").search
# What a wrapped paragraph has at least, for _is_wrapped():
_MIN_WRAPPED = 40  # characters in its longest line
_MIN_FULL = 0.6  # share of lines without room for the first word of the next line
_MIN_GOING_ON = 0.2  # share of lines that begin with a small letter
_RULE = frozenset("-*_ \t")
_DELIMITER = frozenset("|:- \t")


class Heading(NamedTuple):
    """A heading, or a label."""

    level: int
    title: str
    line: int
    parent: int  # the index of the nearest heading before it with a smaller level; -1 without one


class Block(NamedTuple):
    """Lines that belong together: a heading, label, paragraph, list item, table row or code block."""

    kind: str
    first: int
    last: int
    heading: int  # the index of the nearest heading above, for a heading its own; -1 without one
    header_line: int = 0  # for a table's row, the line of the table's header; else 0


class Page(NamedTuple):
    """Markdown, split into blocks."""

    lines: list[str]
    headings: list[Heading]
    blocks: list[Block]
    is_values: bool = False  # the lines are those of a CSV file: its table has no bars and no rule row

    def searched(self, text: str) -> str:
        """Return text of the page as its words are looked for: in a CSV file, 41,200 are two values."""
        if not self.is_values or "," not in text:
            return text
        pieces = text.split('"')
        return '"'.join([piece if index % 2 else piece.replace(",", ", ") for index, piece in enumerate(pieces)])

    def path(self, heading: int) -> list[str]:
        """Return the titles from the top down to a heading."""
        titles: list[str] = []
        while heading >= 0:
            titles.append(self.headings[heading].title)
            heading = self.headings[heading].parent
        return titles[::-1]


def parse(markdown: str) -> Page:
    """Split markdown into blocks. Cost: linear."""
    return _Parser(markdown.split("\n") if markdown else []).parse()


def _html_title(content: str) -> str:
    """Return the text of a line that is a heading in HTML; "" for a logo alone, and for other lines."""
    match = _html_heading(content)
    return as_read(match[2]).strip() if match else ""


class _Parser:
    """Read lines one after the other. Lines of text stay open until it is known where their block ends."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._headings: list[Heading] = []
        self._blocks: list[Block] = []
        self._open: list[int] = []  # headings above the next block, outermost first
        self._start = -1  # index of the first line of the open paragraph or item; -1 if none is open
        self._kind = PARAGRAPH

    def parse(self) -> Page:
        """Read all lines. Each handler below gets a line index and returns the index of the next line to read."""
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
            elif mark == "<" and _html_title(content):
                self._flush(index)
                self._heading(int(_html_heading(content)[1]), _html_title(content), index)  # type: ignore[index]
                index += 1
            elif "|" in line and self._is_delimiter(index + 1):
                index = self._table(index)
            else:
                index = self._text(index, line, content)
        self._flush(count)
        return Page(lines, self._headings, self._blocks)

    def _text(self, index: int, line: str, content: str) -> int:
        """Read a line of a paragraph or list item, a setext underline, or a thematic break."""
        if self._start >= 0 and self._kind == PARAGRAPH and _underline(line):
            if index == self._start + 1:
                title, level = self._lines[self._start], 1 if line.lstrip()[0] == "=" else 2
                self._start = -1
                self._heading(level, title, index - 1)
                return index + 1
            self._flush(index)  # below several lines it only ends the paragraph
        if _item(line) and content:
            self._flush(index)
            self._start, self._kind = index, ITEM
        elif len(content) >= 3 and _RULE.issuperset(content) and len(set(content) - {" ", "\t"}) == 1:
            self._flush(index)
            return index + 1
        elif self._start < 0:
            is_in_list = bool(self._blocks) and self._blocks[-1].kind in (ITEM, CODE)
            self._start, self._kind = index, ITEM if line[0] in " \t" and is_in_list else PARAGRAPH
        return index + 1

    def _flush(self, end: int) -> None:
        """Close the open paragraph or item before line index `end`; a single bold line becomes a label."""
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
        is_record = self._kind == PARAGRAPH and not _is_wrapped(self._lines[start:end])
        self._add(LINES if is_record else self._kind, start, end)

    def _add(self, kind: str, start: int, end: int, header_line: int = 0) -> None:
        self._blocks.append(Block(kind, start + 1, end, self._open[-1] if self._open else -1, header_line))

    def _heading(self, level: int, content: str, index: int) -> None:
        """Add a heading or label; headings of its level or below are closed."""
        title = content.lstrip("#").strip() if level < LABEL_LEVEL else content
        closing = _closing_hashes(title)
        title = as_read(title[: closing.start()] if closing else title).strip()
        while self._open and self._headings[self._open[-1]].level >= level:
            self._open.pop()
        self._headings.append(Heading(level, " ".join(title.split()), index + 1, self._open[-1] if self._open else -1))
        self._open.append(len(self._headings) - 1)
        self._add(LABEL if level == LABEL_LEVEL else HEADING, index, index + 1)

    def _code(self, index: int, content: str) -> int:
        """Read a fenced code block; one that never closes goes to the end of the page (CommonMark 4.5)."""
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
        """Return whether this line is the delimiter row of a table: |---|:-:|."""
        if index >= len(self._lines):
            return False
        line = self._lines[index].lstrip("> \t")
        return "|" in line and "-" in line and _DELIMITER.issuperset(line)

    def _table(self, index: int) -> int:
        """Read a table. Its header is a row too, so that its words can be found."""
        self._flush(index)
        self._add(ROW, index, index + 1, index + 1)
        end = index + 2
        while end < len(self._lines) and "|" in self._lines[end]:
            self._add(ROW, end, end + 1, index + 1)
            end += 1
        return end


def _is_wrapped(lines: list[str]) -> bool:
    """Return whether a paragraph is one line, or one text that was wrapped: not records ("a: 1", "b: 2") or verses.

    Wrapped text leaves no room at the end of a line for the next word, and some lines go on with a small letter.
    """
    if len(lines) == 1:
        return True
    width, pairs = max(map(len, lines)), list(zip(lines, lines[1:]))
    full = sum(len(line) + 1 + len(after.split(None, 1)[0]) > width for line, after in pairs)
    going_on = sum(after.lstrip()[:1].isalpha() and not after.lstrip()[:1].isupper() for after in lines[1:])
    is_long = width >= _MIN_WRAPPED
    return is_long and full >= _MIN_FULL * len(pairs) and going_on >= _MIN_GOING_ON * len(pairs)


# The main content and what is beside it, as one Page.

_BETWEEN = "(outside the main content)"  # no block has this line, so it is never shown
_MAX_SEARCHED = 50_000_000  # characters of the main content that are searched for parts of its lines
_MARKS = " \t-*_|:`~>#=+."


def merged(main: str, whole: str) -> tuple[Page, int]:
    """Return the blocks of the main content, then those of the whole page that it lacks; and the main content's lines.

    After 10 lines of main content, line 12 of the Page is line 1 of the whole page.
    """
    inner, outer = parse(main), parse(whole)
    main_lines = len(inner.lines)
    shift, headings = main_lines + 1, len(inner.headings)
    is_outside = outside_of(main)
    beside: list[Block] = []
    for kind, first, last, heading, header_line in outer.blocks:
        if any(is_outside(line) for line in outer.lines[first - 1 : last]):
            heading = heading + headings if heading >= 0 else -1
            header_line = header_line + shift if header_line else 0
            beside.append(Block(kind, first + shift, last + shift, heading, header_line))
    if not beside:
        return inner, main_lines
    shifted = [
        heading._replace(line=heading.line + shift, parent=heading.parent + headings if heading.parent >= 0 else -1)
        for heading in outer.headings
    ]
    lines = [*inner.lines, _BETWEEN, *outer.lines]
    return Page(lines, [*inner.headings, *shifted], [*inner.blocks, *beside]), main_lines


def outside_of(main: str) -> Callable[[str], bool]:
    """Return the test whether a line of the whole page is absent from the main content. Empty lines are not."""
    own_lines = dict.fromkeys(map(_plain, main.split("\n")))
    joined = "\n".join(own_lines)
    room = _MAX_SEARCHED

    def is_outside(line: str) -> bool:
        nonlocal room
        text = _plain(line)
        if not text.strip(_MARKS) or text in own_lines:
            return False
        room -= len(joined)  # without room a line counts as absent: it is rather given twice than lost
        return room < 0 or not has_word(joined, text)  # "Art" is not in "party"

    return is_outside


def _plain(line: str) -> str:
    """Return the folded text of a line as a reader sees it, without marks at its ends."""
    return " ".join(fold(as_read(line.strip(" \t>#*-+|"))).split())
