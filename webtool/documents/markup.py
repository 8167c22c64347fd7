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
_MARKUP = patterns.compile(
    r"(?s)<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!.*?(?:>|\Z)"
    r"|<(/?)(?:atom:)?([A-Za-z_][\w:.-]{0,100})([^<>]{0,5000}?)(/?)>"
)
_ATTRIBUTE = patterns.compile(r"""([A-Za-z_][\w:.-]{0,100})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')""")


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

    builder = TreeBuilder()
    names: list[str] = []  # of the elements that are open
    count = at = 0

    def close(name: str) -> None:
        while name in names:
            builder.end(names[-1])
            if names.pop() == name:
                break

    for match in _MARKUP.finditer(text):
        section, slash, name, attributes, is_empty = match.groups()
        if names:
            builder.data(html.unescape(text[at : match.start()]) + (section or ""))
        at = match.end()
        if slash:
            close(name)
        elif name and len(names) < MAX_DEPTH and count < _MAX_ELEMENTS and (names or not count):
            count += 1
            found = _ATTRIBUTE.findall(attributes)
            builder.start(name, {key: html.unescape(double or single) for key, double, single in found})
            names.append(name)
            if is_empty:
                close(name)
    if names:
        builder.data(html.unescape(text[at:]))
        close(names[0])
    return builder.close() if count else None
