"""Lay out the white space of a block's inline content.

In: the run of tokens collected for one block. Out: its pieces, with exactly the white space that a browser shows.

White space follows CSS Text 3 section 4.1: runs collapse to one space, also across the edges of inline boxes; spaces at
the block's edges and around forced line breaks vanish. Spaces and line breaks at the edges of a span move out of it: a
delimiter beside a space is not a delimiter.

A span is "pending" from its opening edge until content comes: if its closing edge comes first, it vanishes. Marks among
the tokens: BREAK is a <br>, GAP a block's edge in a line, SEAM an empty element that may separate two words.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.typing import Any
from webtool.markdown.invisible import clean
from webtool.markdown.naming import Labels, name_of

Token = Any  # str, Raw, TaskBox, Code, Preserved, or (opens, Span) at the edge of a span
Piece = Any  # the types of Token, after layout
_FIRST_SPACELESS = "\u2e80"  # scripts from this code point on (CJK) put no spaces between words


class Span:
    """Hold an inline format: kind "em", "strong", "del" or "link"."""

    __slots__ = ("element", "goes_on", "kind", "labels", "number", "tag", "title", "url")

    def __init__(
        self, kind: str, url: str = "", title: str = "", element: Element | None = None, tag: str = ""
    ) -> None:
        self.kind = kind
        self.url = url
        self.title = title
        self.number = ""  # the link's number, if links are listed at the document's end; else ""
        self.element = element  # of a link; it names a link without text
        self.goes_on = False  # it is open at the end of its block, so the next block may have its text
        self.labels: Labels | None = None  # the page's aria-labelledby texts
        self.tag = tag  # the element's tag, or "" if the span was not made for an element

    def name(self) -> str:
        """Return the accessible name of a link without text, or "" without one, or if the link goes on."""
        if self.goes_on or self.element is None or self.labels is None:
            return ""
        return name_of(self.element, self.labels)


class Raw(str):
    """Mark ready markdown: an image, a formula."""

    __slots__ = ()


class TaskBox(Raw):
    """Mark the box of a task list item, or of a form. Without a text after it the box is left out."""

    __slots__ = ()


class EmptyTaskBox(TaskBox):
    """Mark the box of a task that an author wrote without a text: it stays."""

    __slots__ = ()


class Code(str):
    """Mark the text of a code span."""

    __slots__ = ()


class Preserved(str):
    """Mark a line of text whose spaces do not collapse."""

    __slots__ = ()


BREAK = Raw("\n")  # <br>
SEAM = Raw("\x01")  # an empty box drawn by a style sheet: the words or numbers at its sides stay two
GAP = Raw("\x00")  # a block's edge inside a table cell (becomes a line break) or a heading (becomes a space)

TASK_BOXES = (TaskBox("[ ]"), TaskBox("[x]"))  # by whether the task is done

_MAX_ENDS = 3  # pieces at the end of the output among which the last text is looked for, past edges of spans
_MAX_SPACE = 64  # characters of white space between two words; more are cut
# A single space does not match: most are single, and replacing each by itself would cost more than all else here.
_collapse = patterns.compile(r"[\t\n\r\f\u2028\u2029][ \t\n\r\f\u2028\u2029]*| [ \t\n\r\f\u2028\u2029]+").sub


def lay_out(run: list[Token]) -> list[Piece]:
    """Return the pieces of a block's inline content: texts, ready markdown and span edges, with the spaces between."""
    return _Layout().lay_out(run)


def collapsed(text: str) -> str:
    """Return `text` with each run of white space replaced by one space."""
    return _collapse(" ", text)


def plain(token: str) -> str:
    """Return a text token with its white space collapsed and invisible characters removed."""
    if token.isprintable() and "  " not in token:  # no white space but single spaces
        return token if token.isascii() else clean(token)
    return clean(_collapse(" ", token))


class _Layout:
    """Lay out any run: one token at a time, with the white space and the line breaks that wait for more content."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.text: list[str] = []  # parts of the text that is being written
        self.pending: list[Span] = []  # opened spans without content so far
        self.space = ""  # white space to write before the next content
        self.breaks: list[str] = []  # line breaks to write before the next content
        self.is_seam = False  # a SEAM came just before

    def lay_out(self, run: list[Token]) -> list[Piece]:
        """Return the pieces of the run."""
        for token in run:
            kind = type(token)
            if kind is str:
                self._text(token)
            elif kind is tuple:
                opens, span = token
                if opens:
                    self.pending.append(span)
                else:
                    self._close(span)
            elif token is BREAK or token is GAP:
                self.space = ""
                if token is BREAK or not self.breaks:
                    self.breaks.append(token)
            elif token is SEAM:
                self.is_seam = True
                continue
            elif kind is Preserved:
                self._preserved(token)
            else:
                self._content(token)
            if kind is not tuple:
                self.is_seam = False
        self._leave_space()
        return self.pieces

    def _leave_space(self) -> None:
        """Move white space and line breaks from the end of the output to `space` and `breaks`."""
        while self.text and self.text[-1][-1].isspace():
            last = self.text.pop()
            core = last.rstrip()
            self.space = (last[len(core) :] + self.space)[:_MAX_SPACE]
            if core:
                self.text.append(core)
        self._end_text()
        while self.pieces and (self.pieces[-1] is BREAK or self.pieces[-1] is GAP):
            self.breaks.insert(0, self.pieces.pop())

    def _text(self, token: str) -> None:
        """Add a text: collapse its white space, and keep its outer spaces until more content comes."""
        text = plain(token)
        core = text.strip(" ")
        if not core:
            if text and not self.space.endswith(" "):
                self.space += " "
            return
        if self.is_seam and not self.space and is_letter(core[0]) and is_letter(self._last()):
            self.space = " "
        if text[0] == " " and self.space[-1:] != " ":
            self.space += " "
        if core[0].isspace():
            core = self._without_wide_lead(core)
            if not core:
                self.space += " " if text[-1] == " " else ""
                return
        self._content(core)
        self.space = " " if text[-1] == " " else ""

    def _last(self) -> str:
        """Return the last character written, "" if it does not belong to a text."""
        if self.text:
            return self.text[-1][-1]
        pieces = [piece for piece in self.pieces[-_MAX_ENDS:] if type(piece) is not tuple]
        return pieces[-1][-1] if pieces and type(pieces[-1]) is str else ""

    def _without_wide_lead(self, core: str) -> str:
        """Remove no-break spaces from the text's beginning if they cannot stay there.

        Before a span's first word they move in front of the span; at the beginning of a block they are dropped.
        """
        rest = core.lstrip()
        if self.pending:
            self.space = (self.space + core[: len(core) - len(rest)])[:_MAX_SPACE]
            return rest
        return core if self.pieces or self.text else rest

    def _preserved(self, token: str) -> None:
        """Add a line with preserved spaces; leading ones become no-break spaces, which markdown does not strip."""
        text = clean(token.expandtabs(4))
        if not text.strip():
            self.space = (self.space + text)[:_MAX_SPACE]
            return
        core = text.strip(" ")
        lead = text[: len(text) - len(text.lstrip(" "))]
        if self.breaks or not (self.pieces or self.text):
            core = lead.replace(" ", "\u00a0") + core
        else:
            self.space = (self.space + lead)[:_MAX_SPACE]  # before the edges of spans that open here
        self._content(core)
        self.space = text[len(text.rstrip(" ")) :]

    def _content(self, content: str) -> None:
        """Write content: first the line breaks or space that wait, then the edges of pending spans."""
        if self.breaks:
            if self.pieces or self.text:
                self._end_text()
                self.pieces.extend(self.breaks)
            self.breaks = []
        elif self.space and (self.pieces or self.text):
            self.text.append(self.space)
        self.space = ""
        if self.pending:
            self._open_pending()
        if type(content) is str:
            self.text.append(content)
            return
        self._end_text()
        if type(content) is Code and self.pieces and type(self.pieces[-1]) is Code:
            content = Code(self.pieces.pop() + content)
        self.pieces.append(content)

    def _open_pending(self) -> None:
        """Write the opening edges of the pending spans."""
        self._end_text()
        for span in self.pending:
            last = self.pieces[-1] if self.pieces else None
            # Two strikethroughs that touch would make a run of four tildes: they become one.
            if span.kind == "del" and type(last) is tuple and not last[0] and last[1].kind == "del":
                self.pieces.pop()
            else:
                self.pieces.append((True, span))
        self.pending = []

    def _close(self, span: Span) -> None:
        """Close a span. An empty one vanishes, except a link that has an accessible name."""
        if self.pending:  # `span` is the last of them: spans nest
            name = span.name() if span.kind == "link" else ""
            if not name:
                self.pending.pop()
                return
            self._content(clean(collapsed(name)))
        self._leave_space()
        self.pieces.append((False, span))

    def _end_text(self) -> None:
        text = "".join(self.text)
        if text:
            self.pieces.append(text)
        self.text = []


def is_letter(char: str) -> bool:
    """Whether the character is a letter or digit of a script that separates words by spaces."""
    return is_alnum(char) and char < _FIRST_SPACELESS
