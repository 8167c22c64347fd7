"""Collect the inline content of one block and write it as markdown.

In: tokens, as the walk meets them. Out: one line of inline markdown ("" if nothing is visible).

A token is one of these (layout.py):

    str               text
    Raw               ready markdown, such as an image
    Code              the text of a code span
    Preserved         text with preserved spaces
    (True, Span)      an opening edge of emphasis or a link; (False, Span) is the closing edge
    BREAK, GAP        a <br>; a block's edge in a place that has only one line, such as a table cell
    SEAM              an empty element between two texts: a space may belong there

Run collects the tokens of a block. If a block ends while spans are open, as in `<b><p>a</p><p>b</p></b>`, take() closes
them and reopen() opens them in the next block. render() lays out the white space (layout.py), escapes the texts
(escape_text.py) and chooses the delimiters (emphasis.py).
Specification: CommonMark 0.31 section 6.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import escape, escape_text
from webtool.markdown.emphasis import resolve
from webtool.markdown.flanking import Delimiter
from webtool.markdown.layout import BREAK, GAP, SEAM, Code, Piece, Raw, Span, Token, lay_out, plain
from webtool.markdown.links import Links
from webtool.markdown.naming import Labels

# How a hard line break is written in a paragraph, in a table cell, and in a heading, which has only one line.
PARAGRAPH, CELL, LINE = "\\\n", "<br>", " "
MAX_SPANS = 8  # spans open at once; further ones are written as plain text
_MAX_OF_KIND = {"link": 1, "del": 1, "em": 3, "strong": 3}  # spans of one kind open at once; GFM has no links in links
_number = patterns.compile(r"\[(?=[0-9]{1,5}\])").split


def render(run: list[Token], line_break: str = PARAGRAPH) -> str:
    """Return the inline markdown of the tokens, "" if nothing is visible. Line starts are not escaped yet."""
    if len(run) == 1 and type(run[0]) is str:
        return escape_text.text(plain(run[0]).strip())
    return _write(lay_out(run), line_break)


def _write(pieces: list[Piece], line_break: str) -> str:
    """Return the markdown of laid-out pieces: texts are escaped, links, code spans and line breaks written out."""
    out: list[str | Delimiter] = []
    has_emphasis = any(type(piece) is tuple and piece[1].kind != "link" for piece in pieces)
    judge = escape_text.BESIDE_EMPHASIS if has_emphasis else escape_text.ALONE
    in_link = False
    begin = 0  # index in `out` of the open link's first piece
    guard = ""  # "" or " ", to write before the open link's closing parenthesis
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        kind = type(piece)
        if kind is str:
            if out and not has_emphasis:
                judge = escape_text.AFTER
            if piece[0] == "(" and out and type(out[-1]) is Raw and out[-1][-1] == "]":
                out.append("\\")  # after a footnote reference: "[^1](x)" would be a link
            if in_link:
                out.append(escape_text.link_text(piece, judge))
            else:
                is_followed = index < last and pieces[index + 1] is not BREAK and pieces[index + 1] is not GAP
                out.append(escape_text.text(piece, judge, is_followed=is_followed))
        elif kind is tuple:
            opens, span = piece
            if span.kind != "link":
                out.append(Delimiter(span.kind, opens))
            elif opens:
                if out and isinstance(out[-1], str):
                    out[-1] = escape_text.before_link(out[-1])
                out.append("[")
                in_link, begin, guard = True, len(out), ""
            else:
                in_link = False
                _end_link(out, begin, span, guard)
        elif piece is BREAK:
            if line_break is PARAGRAPH and pieces[index - 1] is BREAK:
                continue  # a line with only a backslash would show it
            # A backslash after an address would be a part of it; two spaces are the other spelling of a line break.
            before = out[-1]
            is_after_address = isinstance(before, str) and escape_text.ends_in_address(before)
            out.append("  \n" if line_break is PARAGRAPH and is_after_address else line_break)
        elif piece is GAP:
            out.append(line_break if line_break is CELL or in_link else " ")
        else:
            out.append(escape.code_span(piece) if kind is Code else piece)
            if "]:" in piece:  # "[`]:`](x)" would be a link reference definition; "[`]:`](x )" is a link
                guard = " "
    return escape_text.joined(resolve(out)) if has_emphasis else "".join(out)  # type: ignore[arg-type]


def _end_link(out: list[str | Delimiter], begin: int, span: Span, guard: str) -> None:
    """Write the end of a link whose text is out[begin:]; `guard` comes before the closing parenthesis."""
    if span.number:
        out.append(f"][{span.number}]")
        return
    title = span.title
    if len(out) > begin + 1:
        _guard_addresses(out, begin)
    if title and title == "".join([piece for piece in out[begin:] if isinstance(piece, str)]):
        title = ""  # the tooltip repeats the text
    out.append(f"]({escape.destination(span.url)}{escape.title(title)}{guard})")


def _guard_addresses(out: list[str | Delimiter], begin: int) -> None:
    """Stop a renderer from reading "http://a`b`" in a link text as one address, which would hide the link's end.

    If the link text from `begin` on has both an address and a code span, each address gets a backslash before "://".
    """
    texts = [piece for piece in out[begin:] if isinstance(piece, str)]
    if any("://" in text for text in texts) and any(text[:1] == "`" for text in texts):
        out[begin:] = [
            escape_text.without_addresses(piece) if isinstance(piece, str) and piece[:1] not in "`!" else piece
            for piece in out[begin:]
        ]


def _with_numbers_escaped(tokens: list[Any]) -> list[Any]:
    """Escape "[1]" in texts of a document whose links are numbered: it would refer to a link at the end."""
    escaped: list[Any] = []
    for token in tokens:
        if type(token) is str and "[" in token:
            first, *parts = _number(token)
            escaped.append(first)
            for text in parts:
                escaped += Raw("\\["), text
        else:
            escaped.append(token)
    return escaped


class Run(list):  # type: ignore[type-arg]  # list[Any] would make a class with a generic's slow construction
    """Collect the tokens of the block at hand. `spans` are the spans that are open, outermost first."""

    def __init__(self, links: Links, labels: Labels) -> None:
        super().__init__()
        self._links = links
        self._labels = labels
        self.spans: list[Span] = []
        self.signs = 0  # number of tokens at the start that are a list marker or a task box

    def add_sign(self, sign: str) -> None:
        """Begin the next paragraph with a list marker that the page has in another element, such as a table cell."""
        self.append(sign)
        self.signs = len(self)

    def add_box(self, box: str) -> None:
        """Begin the next paragraph with the box of a task list item: see layout.TaskBox."""
        self.add_sign(box)
        self.append(" ")

    def add_seam(self) -> None:
        """Mark an empty element between two texts, such as an icon: it may separate two words.

        `<b>12</b><i class=icon></i><b>34</b>` gives "12 34" instead of "1234".
        """
        last = self[-1]
        if type(last) is tuple or (type(last) is str and not last[-1:].isspace()):
            self.append(SEAM)

    def waits(self) -> bool:
        """Whether the run has a list marker or task box, and no text after it yet."""
        if not 0 < self.signs <= len(self):
            return False
        return all(type(token) is str and not token.strip() for token in self[self.signs :])

    def take(self) -> list[Any]:
        """Return all tokens, with the open spans closed at the end, and empty the run."""
        tokens = _with_numbers_escaped(self) if self._links.are_numbered else self[:]
        self.clear()
        self.signs = 0
        if self.spans:
            tokens += [(False, span) for span in reversed(self.spans)]
            for span in self.spans:
                span.goes_on = True
        return tokens

    def reopen(self, was_written: bool) -> None:
        """Open the spans again in the next block; `was_written` says whether the block before had any content.

        Of the blocks in a link the first with content is linked. If none has, the last may show the link's name.
        """
        if was_written:
            self.spans = [span for span in self.spans if span.kind != "link"]
        else:
            for span in self.spans:
                span.goes_on = False
        self[:] = [(True, span) for span in self.spans]

    def take_line(self, line_break: str = LINE) -> str:
        """Return the tokens as one line of markdown; spans that are open continue in the next block."""
        text = render(self.take(), line_break)
        if self.spans:
            self.reopen(bool(text))
        return text

    def open(
        self, kind: str, url: str = "", title: str = "", *, element: Element | None = None, tag: str = ""
    ) -> Span | None:
        """Open a span and return it; None if it is nested too deeply, a link in a link, or links are not written."""
        spans = self.spans
        if len(spans) >= MAX_SPANS or (spans and [span.kind for span in spans].count(kind) >= _MAX_OF_KIND[kind]):
            return None
        if kind == "link" and not self._links.are_written:
            return None
        span = Span(kind, url, title, element, tag)
        if kind == "link":
            span.number, span.labels = self._links.number(url), self._labels
        spans.append(span)
        self.append((True, span))
        return span

    def close(self, span: Span) -> None:
        """Close a span. Does nothing for a link that already ended with its first block."""
        if span in self.spans:
            self.spans.remove(span)
            self.append((False, span))
