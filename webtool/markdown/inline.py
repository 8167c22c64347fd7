"""Inline content of one block. In: tokens, as the walk meets them. Out: inline markdown.

A block's edge may come while formats are open, as in <b><p>a</p><p>b</p></b>: they are closed there and opened again
behind it, so that each block is whole by itself. What is between the words and where spans end says layout.py.
Specification: CommonMark 0.31 section 6.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.node import Element, short_text
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import escape
from webtool.markdown.emphasis import resolve
from webtool.markdown.flanking import Delimiter
from webtool.markdown.layout import BREAK, GAP, SEAM, Code, Piece, Raw, Span, Token, is_letter, lay_out, plain
from webtool.markdown.links import Links
from webtool.markdown.naming import Labels

# How a line break is written: in a paragraph, in a table cell, where there is only one line.
PARAGRAPH, CELL, LINE = "\\\n", "<br>", " "


def render(run: list[Token], line_break: str = PARAGRAPH) -> str:
    """Inline markdown of `run`; line starts are not yet escaped. "" when there is nothing to see."""
    if len(run) == 1 and type(run[0]) is str:
        return escape.text(plain(run[0]).strip())
    return _write(lay_out(run), line_break)


def _write(pieces: list[Piece], line_break: str) -> str:
    out: list[str | Delimiter] = []
    has_emphasis = False
    for piece in pieces:
        if type(piece) is tuple and piece[1].kind != "link":
            has_emphasis = True
            break
    judge = escape.BESIDE_EMPHASIS if has_emphasis else escape.ALONE
    in_link, begin, guard, last = 0, 0, "", len(pieces) - 1
    for index, piece in enumerate(pieces):
        kind = type(piece)
        if kind is str:
            if out and not has_emphasis:
                judge = escape.AFTER
            if in_link:
                out.append(escape.link_text(piece, judge))
            else:
                is_followed = index < last and pieces[index + 1] is not BREAK and pieces[index + 1] is not GAP
                out.append(escape.text(piece, judge, is_followed=is_followed))
        elif kind is tuple:
            opens, span = piece
            if span.kind != "link":
                out.append(Delimiter(span.kind, opens))
            elif opens:
                if out and isinstance(out[-1], str):
                    out[-1] = escape.before_link(out[-1])
                in_link += 1
                begin, guard = len(out) + 1, ""
                out.append("[")
            else:
                in_link -= 1
                if span.number:
                    out.append(f"][{span.number}]")
                    continue
                title = span.title
                if len(out) > begin + 1:
                    _guard_addresses(out, begin)
                if title and title == "".join([piece for piece in out[begin:] if isinstance(piece, str)]):
                    title = ""  # it says what the text says
                out.append(f"]({escape.destination(span.url)}{escape.title(title)}{guard})")
        elif piece is BREAK:
            if line_break is not PARAGRAPH or pieces[index - 1] is not BREAK:  # no line is only a backslash
                in_address = line_break is PARAGRAPH and isinstance(out[-1], str) and escape.ends_in_address(out[-1])
                out.append("  \n" if in_address else line_break)
        elif piece is GAP:
            out.append(line_break if line_break is CELL or in_link else " ")
        else:
            out.append(escape.code_span(piece) if kind is Code else piece)
            if "]:" in piece:  # "[`]:`](x)" would define a reference; with a space inside the parentheses it cannot
                guard = " "
    return "".join(resolve(out) if has_emphasis else out)  # type: ignore[arg-type]


def _guard_addresses(out: list[str | Delimiter], begin: int) -> None:
    """Keep one renderer from reading "http://a`b`" in a link as one address, and from missing the link's end so."""
    texts = [piece for piece in out[begin:] if isinstance(piece, str)]
    if any("://" in text for text in texts) and any(text[:1] == "`" for text in texts):
        out[begin:] = [
            escape.without_addresses(piece) if isinstance(piece, str) and piece[:1] not in "`!" else piece
            for piece in out[begin:]
        ]


MAX_SPANS = 8  # open at the same time: more than any author means
_MAX_OF_KIND = {"link": 1, "del": 1, "em": 3, "strong": 3}  # GFM has no links in links


_number = patterns.compile(r"\[(?=[0-9]{1,5}\])").split


def _without_numbers(tokens: list[Any]) -> list[Any]:
    """The tokens, with [1] in their text kept from being a link to what is numbered so at the end."""
    found: list[Any] = []
    for token in tokens:
        if type(token) is str and "[" in token:
            first, *others = _number(token)
            found.append(first)
            for text in others:
                found += Raw("\\["), text
        else:
            found.append(token)
    return found


class Run(list):  # type: ignore[type-arg]  # list[Any] would make a class with a generic's slow construction
    """Tokens of layout, strings, and (True or False, Span) where a span begins or ends; `spans` are the open ones."""

    def __init__(self, links: Links, labels: Labels) -> None:
        super().__init__()
        self._links = links
        self._labels = labels
        self.spans: list[Span] = []
        self.signs = 0  # tokens at the start that the next paragraph begins with: an item's sign or box

    def add_sign(self, sign: str) -> None:
        """What the paragraph that follows begins with, wherever the page puts it."""
        self.append(sign)
        self.signs = len(self)

    def add_box(self, box: str) -> None:
        """The box of a task, TASKS, apart from what the task is."""
        self.add_sign(box)
        self.append(" ")

    def add_seam(self) -> None:
        """An empty box that is drawn between two texts, or behind one."""
        last = self[-1]
        if type(last) is tuple or (type(last) is str and not last[-1:].isspace()):
            self.append(SEAM)

    def waits(self) -> bool:
        """Whether nothing but a sign is here yet."""
        return 0 < self.signs <= len(self) and all(
            type(token) is str and not token.strip() for token in self[self.signs :]
        )

    def take(self) -> list[Any]:
        """The tokens, with the open spans closed at their end; none are left here."""
        tokens = _without_numbers(self) if self._links.are_numbered else self[:]
        self.clear()
        self.signs = 0
        if self.spans:
            tokens += [(False, span) for span in reversed(self.spans)]
            for span in self.spans:  # an empty link is written where it ends, and only if nothing was in it
                span.keep = None if span.keep else span.keep
        return tokens

    def reopen(self, has_written: bool) -> None:
        """Open the spans again, links only if nothing was written: of blocks in a link the first is linked."""
        if has_written:
            self.spans = [span for span in self.spans if span.kind != "link"]
        else:
            for span in self.spans:
                span.keep = span.keep is None
        self[:] = [(True, span) for span in self.spans]

    def take_line(self, line_break: str = LINE) -> str:
        """The tokens as one line; open spans go on behind it."""
        text = render(self.take(), line_break)
        if self.spans:
            self.reopen(bool(text))
        return text

    def open(
        self, kind: str, url: str = "", title: str = "", *, element: Element | None = None, tag: str = ""
    ) -> Span | None:
        """Begin a span; None, and nothing is begun, for one too deep, a link in a link or in a page without links."""
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
        """End a span; nothing happens where it is a link of which a block has been written."""
        if span in self.spans:
            self.spans.remove(span)
            self.append((False, span))


_MAX_SIBLINGS = 300  # among which the one before is looked for
_CURRENCIES = frozenset("$€£¥")
_ENDS = frozenset(":).")
_QUOTES = '"\u201c\u2018'
_PASSED = frozenset(("#comment", "input", "meta", "link", "script", "style", "template"))


def are_apart(before: str, element: Element, hidden: Container[Element]) -> bool:
    """Whether the last word of the text before and the first of the element are two."""
    last = before[-1:]
    if not (is_letter(last) or last in _ENDS) or element.parent is None:
        return False
    after = short_text(element)
    after = after.lstrip(_QUOTES) if last == "." else after
    siblings = element.parent.children
    if not (is_letter(after[:1]) or after[:1] in _CURRENCIES) or len(siblings) > _MAX_SIBLINGS:
        return False
    at = siblings.index(element) - 1
    while at >= 0 and (
        siblings[at].tag in _PASSED
        or siblings[at] in hidden
        or (siblings[at].tag == "span" and not siblings[at].children)
    ):
        at -= 1
    previous = siblings[at] if at >= 0 else None
    if previous is None or previous.tag is None:
        return element.tag == "a" and "class" in element.attrs and last.islower() and after[0].isupper()
    if "-" in element.tag or "-" in previous.tag:  # boxes of their own, made by a script
        return True
    said = short_text(previous).strip()  # type: ignore[arg-type]
    classes = previous.attrs.get("class", ""), element.attrs.get("class", "")
    if last == ".":  # of a sentence, not of a name in code
        return any(classes) and (" " in said or said[:-1].isdecimal()) and after[0].isupper()
    if "label" in (element.tag, previous.tag) or (element.tag == previous.tag == "a" and any(classes)):
        return True
    differ = classes[0] != classes[1] and all(classes)
    if len(said) < 2 or len(after.strip()) < 2:
        is_number = said.isdecimal() or after.strip().isdecimal()
        return differ and is_number and (last.isdigit() != after[0].isdigit() or len(said) > 2)
    return differ or (any(classes) and not after[0].islower())
