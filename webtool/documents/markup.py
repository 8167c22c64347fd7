"""Feeds, sitemaps and outlines, which often are no XML: tags out of order, bare ampersands, cut off. In: text.

Out: elements. Where expat gives up, every tag is taken as it comes; an end tag closes the nearest open element of its
name, and none if there is none.
"""

from __future__ import annotations

from xml.etree.ElementTree import TreeBuilder

from webtool.documents import Source
from webtool.documents.xmltree import TOO_MUCH, XmlError, parse, with_characters
from webtool.lean import patterns
from webtool.lean.typing import XmlElement as Element

MAX_DEPTH = 100
_MAX_ELEMENTS = 600_000
_TAG = patterns.compile(r"<(/?)([A-Za-z_][\w:.-]{0,100})([^<>]{0,5000}?)(/?)>")
_ATTRIBUTE = patterns.compile(r"""([A-Za-z_][\w:.-]{0,100})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')""")
_SECTIONS = (("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>"), ("<!", ">"))


class _Tree:
    """A tree under construction."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._open: list[str] = []
        self._left = _MAX_ELEMENTS
        self.is_begun = False

    def text(self, text: str) -> None:
        if self._open and text:
            self._builder.data(text)

    def start(self, name: str, attrs: dict[str, str]) -> None:
        self._left -= 1
        if (self.is_begun and not self._open) or len(self._open) >= MAX_DEPTH or self._left < 0:
            return
        self.is_begun = True
        self._builder.start(name, attrs)
        self._open.append(name)

    def end(self, name: str) -> None:
        if name not in self._open:
            return
        while self._open:
            closed = self._open.pop()
            self._builder.end(closed)
            if closed == name:
                break

    def close(self) -> Element:
        while self._open:
            self._builder.end(self._open.pop())
        return self._builder.close()


def root_of(text: str, source: Source) -> Element:
    """The root element, of something like XML at least. Raises ExtractFailed for declared entities and for no XML."""
    try:
        root, left = parse(with_characters(text))
        if left < 0:
            source.add_note(TOO_MUCH)
        return root
    except XmlError as exc:
        if "declared" in str(exc):
            raise source.failed(f"is refused: {exc}") from exc
        found = lenient(text)
        if found is None:
            raise source.failed(f"is not well-formed: {exc}") from exc
        return found


def lenient(text: str) -> Element | None:
    """The tree of something like XML; None where there is not one tag."""
    import html

    tree = _Tree()
    at = 0
    while True:
        sign = text.find("<", at)
        if sign < 0:
            tree.text(html.unescape(text[at:]))
            break
        tree.text(html.unescape(text[at:sign]))
        after = _section(text, sign, tree)
        if after:
            at = after
            continue
        match = _TAG.match(text, sign)
        if not match:
            tree.text("<")
            at = sign + 1
            continue
        at = match.end()
        if match.group(1):
            tree.end(match.group(2))
            continue
        found = _ATTRIBUTE.findall(match.group(3))
        tree.start(match.group(2), {name: html.unescape(double or single) for name, double, single in found})
        if match.group(4):
            tree.end(match.group(2))
    return tree.close() if tree.is_begun else None


def _section(text: str, sign: int, tree: _Tree) -> int:
    """The position after a comment, CDATA section, instruction or declaration that begins here; 0 where none does."""
    for opening, closing in _SECTIONS:
        if text.startswith(opening, sign):
            end = text.find(closing, sign + len(opening))
            end = len(text) if end < 0 else end
            if opening == "<![CDATA[":
                tree.text(text[sign + len(opening) : end])
            return end + len(closing)
    return 0
