"""Inline layout: the run of tokens collected for one block in, its pieces with the white space that shows out.

White space is laid out as a browser does it (CSS Text 3 section 4.1): runs collapse to one space, also across the edges
of inline boxes; spaces at the block's edges and around forced line breaks vanish. Spaces and line breaks at the edges
of a span move out of it, because a delimiter beside a space is not a delimiter.
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown.invisible import clean
from webtool.markdown.naming import Labels, name_of

Token = Any  # str, or Raw, Code or Preserved, or (whether it opens, Span)
Piece = Any  # the same


class Span:
    """An open inline format: kind "em", "strong", "del" or "link"."""

    __slots__ = ("element", "keep", "kind", "labels", "number", "tag", "title", "url")

    def __init__(
        self, kind: str, url: str = "", title: str = "", element: Element | None = None, tag: str = ""
    ) -> None:
        self.kind = kind
        self.url = url
        self.title = title
        self.number = ""  # under which the URL is written at the end; "" for here
        self.element = element  # of a link, for a name where it holds no text
        # Whether a link that holds no text gets a name; None: not in the block at hand, which is not its last.
        self.keep: bool | None = element is not None
        self.labels: Labels | None = None  # of its page
        self.tag = tag  # of the element, "" where a rule of ours makes the span

    def name(self) -> str:
        """What an empty link is called; "" where nothing says so."""
        if not self.keep or self.element is None or self.labels is None:
            return ""
        return name_of(self.element, self.labels)


class Raw(str):
    """Markdown that is ready: an image, a formula."""

    __slots__ = ()


class Code(str):
    """The text of a code span."""

    __slots__ = ()


class Preserved(str):
    """A line of text whose spaces do not collapse."""

    __slots__ = ()


BREAK = Raw("\n")  # <br>
SEAM = Raw("\x01")  # an empty box, which a style sheet draws: two words or numbers at its sides are not one
GAP = Raw("\x00")  # the edge of a block where blocks are flattened: a line in a cell, a space in a heading

TASKS = (Raw("[ ]"), Raw("[x]"))  # the boxes of a task list

_MAX_ENDS = 3  # of spans between two words
_MAX_SPACE = 64  # wide spaces between two words
# A single space is left alone: most of them are, and replacing each by itself costs more than all else here.
_collapse = patterns.compile(r"[\t\n\r\f\u2028\u2029][ \t\n\r\f\u2028\u2029]*| [ \t\n\r\f\u2028\u2029]+").sub


def lay_out(run: list[Token]) -> list[Piece]:
    """The pieces of a block's inline content: texts, ready markdown and the ends of spans, with the spaces between."""
    while run and run[-1] is SEAM:
        run.pop()
    pieces = _usual(run)
    return _Layout().lay_out(run) if pieces is None else pieces


def collapsed(text: str) -> str:
    """`text` with each run of white space as one space."""
    return _collapse(" ", text)


def plain(token: str) -> str:
    """A text token with its white space collapsed and what is invisible removed."""
    if token.isascii() and token.isprintable():  # no white space but spaces, nothing invisible
        return _collapse(" ", token) if "  " in token else token
    return clean(_collapse(" ", token))


def _usual(run: list[Token]) -> list[Piece] | None:
    """The usual run laid out at once: words, pictures and breaks, and spans side by side with some in them, or with
    nothing. None for any other."""
    pieces: list[Piece] = []
    words: list[str] = []
    breaks: list[str] = []
    space, pending, is_inside = "", None, False
    for token in run:
        kind, behind = type(token), ""
        if kind is str:
            text = plain(token)
            core = text.strip(" ")
            if not core:
                space = " " if text else space
                continue
            if core[0].isspace() or core[-1].isspace():
                return None
            space, behind = " " if text[0] == " " else space, " " if text[-1] == " " else ""
        elif token is BREAK or token is GAP:
            space = ""
            if token is BREAK or not breaks:
                breaks.append(token)
            continue
        elif token is SEAM:
            if not space and (words or pieces):
                return None
            continue
        elif kind is Raw:
            core = token
        elif kind is not tuple or token[0] is (is_inside or pending is not None) or token[1].kind == "del":
            return None
        elif token[0]:
            pending = token
            continue
        elif is_inside:
            pieces += ("".join(words), token) if words else (token,)
            words, is_inside = [], False
            continue
        elif token[1].kind == "link" and token[1].name():
            return None
        else:
            pending = None
            continue
        if space and not breaks and (words or pieces):
            words.append(" ")
        if words and (breaks or pending or kind is Raw):
            pieces.append("".join(words))
            words = []
        if breaks:
            pieces += breaks if pieces else ()
            breaks = []
        if pending:
            pieces.append(pending)
            pending, is_inside = None, True
        (words if kind is str else pieces).append(core)
        space = behind
    if words:
        pieces.append("".join(words))
    return None if pending or is_inside else pieces


class _Layout:
    """The state of laying out one run."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.text: list[str] = []
        self.pending: list[Span] = []  # opened, with nothing in them yet
        self.space = ""  # to be written before the next content
        self.breaks: list[str] = []
        self.is_seam = False  # a box without text stands before the next token

    def lay_out(self, run: list[Token]) -> list[Piece]:
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
                self._break(token)
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
        """Take white space and line breaks off the end of what is written; they wait for more content."""
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
        """The last character of the text that is written, "" where it is no text."""
        if self.text:
            return self.text[-1][-1]
        pieces = [piece for piece in self.pieces[-_MAX_ENDS:] if type(piece) is not tuple]
        return pieces[-1][-1] if pieces and type(pieces[-1]) is str else ""

    def _without_wide_lead(self, core: str) -> str:
        """A text without the no-break spaces at its beginning, where they cannot stay: they go before the span that it
        begins, or at a block's beginning away."""
        rest = core.lstrip()
        if self.pending:
            self.space = (self.space + core[: len(core) - len(rest)])[:_MAX_SPACE]
            return rest
        return core if self.pieces or self.text else rest

    def _preserved(self, token: str) -> None:
        text = clean(token.expandtabs(4))
        if not text.strip():
            self.space = (self.space + text)[:_MAX_SPACE]
            return
        core = text.strip(" ")
        lead = text[: len(text) - len(text.lstrip(" "))]
        self._content(lead.replace(" ", "\u00a0") + core if self.breaks or not self.pieces else lead + core)
        self.space = text[len(lead) + len(core) :]

    def _content(self, content: str) -> None:
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
        if self.pending:  # then `span` is the last of them
            name = span.name() if span.kind == "link" else ""
            if not name:
                self.pending.pop()
                return
            self._content(clean(collapsed(name)))
        self._leave_space()
        self.pieces.append((False, span))

    def _break(self, token: Token) -> None:
        self.space = ""
        if token is BREAK or not self.breaks:
            self.breaks.append(token)

    def _end_text(self) -> None:
        text = "".join(self.text)
        if text:
            self.pieces.append(text)
        self.text = []


_SPACELESS = "\u2e80"  # from here on are scripts that put no spaces between words


def is_letter(char: str) -> bool:
    """Whether it is a letter or digit of a script that puts spaces between words."""
    return char.isalnum() and char < _SPACELESS
