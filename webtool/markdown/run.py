"""The inline content of the block at hand. In: tokens, as the walk meets them. Out: the tokens of a whole block.

A block's edge may come while formats are open, as in <b><p>a</p><p>b</p></b>: they are closed there and opened again
behind it, so that each block is whole by itself.
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import inline
from webtool.markdown.layout import SEAM, Raw, Span
from webtool.markdown.links import Links
from webtool.markdown.naming import Labels

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

    def take_line(self, line_break: str = inline.LINE) -> str:
        """The tokens as one line; open spans go on behind it."""
        text = inline.render(self.take(), line_break)
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
