"""Convert EPUB books to markdown. In: a Source. Out: a Document with the chapters in reading order.

The container names the package document, whose spine lists the chapters. A chapter is HTML: _prepare() rewrites what is
special to books, then webtool.markdown renders it. Links inside the book become plain text, since nobody can follow
them, except those to notes of the same chapter: these become footnotes.
Specification: EPUB 3.3, sections 4 (container), 5 (package document), which also read EPUB 2.
Tests: tests/documents/test_office.py, tests/documents/test_producers.py
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator
from itertools import islice

from webtool.documents import NODE_COST, Document, Source, unseen
from webtool.documents.archive import Archive
from webtool.documents.text import decode
from webtool.documents.tree import collapse, element, renumbered
from webtool.documents.xmltree import TOO_MUCH, XmlError, read, with_characters
from webtool.html import parse_html
from webtool.html.elements import role_of
from webtool.html.node import Document as HtmlDocument
from webtool.html.node import Element, Text, elements, short_text, walk
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.markdown import to_markdown
from webtool.markdown.footnotes import Notes, is_back_link, may_refer
from webtool.running.budget import MAX_GROWTH, Spent
from webtool.urls.hosts import percent_decode
from webtool.visibility.hidden import find_hidden
from webtool.visibility.text_lengths import words_in

MAX_CHAPTERS = 20_000  # of a book; the rest is left out
_MAX_WEIGHT = 600_000  # of one chapter: a quarter of xmltree.MAX_WEIGHT, as an HTML element takes four times the memory
_SVG = "image/svg+xml"  # EPUB 3.3 section 3.2: a chapter may be a picture with text
_CHAPTER_TYPES = ("application/xhtml+xml", "text/html", "application/html+xml", "text/x-oeb1-document", _SVG)
_MAX_SHEETS = 50  # of a book; further style sheets are not read
_MAX_SHEET = 300_000  # bytes of a style sheet; the rest is not read
# What may hide text in a style sheet. Without a match, the styles of a chapter are not computed.
_HIDES = patterns.compile(r"(?i)none|hidden|collapse|opacity|transparent|clip|-\d|#f|white|font-size\s*:\s*0")
_ABSOLUTE = patterns.compile(r"(?i)(?:https?:|mailto:)")
# The ARIA roles that webtool.markdown reads, by values of epub:type.
_ROLES = {
    "noteref": "doc-noteref", "footnotes": "doc-endnotes", "endnotes": "doc-endnotes", "rearnotes": "doc-endnotes",
    "backlink": "doc-backlink", "referrer": "doc-backlink",
}  # fmt: skip
_PAGE_LISTS = frozenset(("landmarks", "page-list"))  # navigation for reading programs, not for people
_MAX_PAGE_NUMBER = 20  # characters of a page's number in the printed book; a longer text is part of the text
_MAX_BEFORE_NUMBER = 20  # elements of a note in which a link is searched, which would be its number
_NOTES = frozenset(("footnote", "endnote", "rearnote", "note"))
_NAMESPACES = {"html": "html", "math": "math", "svg2": "svg"}  # by the prefixes that xmltree gives


def convert(source: Source) -> Document:
    """Convert the book. Raises ExtractFailed if it is damaged or protected."""
    archive = Archive(source)
    container = archive.xml("META-INF/container.xml")
    package = next((node.get("full-path", "") for node in container.iter("rootfile")), "")
    if not package:
        raise source.failed("names no package document")
    root = archive.xml(package)
    parts: list[str] = []
    try:
        _read_chapters(source, archive, _spine(root, posixpath.dirname(package)), parts)
    except Spent:
        pass  # the budget's note tells the reader
    if not parts:
        raise source.failed("has no chapters with text in it")
    title = next((node.text or "" for node in root.iter("dc:title")), "")
    return Document(collapse(title), "\n\n".join(parts) + "\n", source.kind)


def _read_chapters(source: Source, archive: Archive, paths: list[str], parts: list[str]) -> None:
    """Append the markdown of the chapters to `parts`. Raises Spent, and ExtractFailed for a protected book."""
    encryption = archive.optional_xml("META-INF/encryption.xml")  # fonts are listed there too
    protected: set[str] = set()
    if encryption is not None:
        uris = (node.get("URI", "") for node in encryption.iter("enc:CipherReference"))
        protected.update(posixpath.normpath(percent_decode(uri)) for uri in uris)
    styles: dict[str, str] = {}
    note_count = 0
    for number, path in enumerate(paths):
        if path in protected:
            what = f"is protected: its chapters are encrypted, {len(paths):,} of them"
            raise source.failed(what, "Only its seller's programs can open it.")
        if path not in archive:
            continue
        if source.is_late():
            source.add_note(f"Only {number:,} of {len(paths):,} chapters were read before the deadline.")
            break
        data, is_whole = archive.read(path, source.budget.limit // MAX_GROWTH)
        document, is_read = _parse_xhtml(decode(data, None, "xml"))
        if not (is_whole and is_read):
            source.add_note(TOO_MUCH)
        if any(isinstance(node, Element) and node.tag == "svg" for node in document.children):
            body = _text_of_picture(document)  # the chapter is an SVG file
        else:
            body = next((n for _, n in walk(document) if isinstance(n, Element) and n.tag == "body"), document)
        hidden = _hidden(archive, document, posixpath.dirname(path), styles)
        source.hide(words_in(hidden), unseen.BY_HTML)
        _prepare(body, path)
        text = to_markdown(body, None, keep_nav=True, hidden=hidden).strip("\n")
        source.budget.take(len(text) + NODE_COST)
        if text:
            text, note_count = renumbered(text, note_count)
            parts.append(text)


def _hidden(archive: Archive, document: HtmlDocument, folder: str, styles: dict[str, str]) -> Collection[Element]:
    """Return a chapter's elements that its own and linked styles hide.

    `styles` has the book's style sheets by path, "" for those that hide nothing; it is filled here.
    """
    may_hide = False
    for node in [item for _, item in walk(document) if isinstance(item, Element)]:
        if node.tag == "link" and "stylesheet" in node.attrs.get("rel", "").lower():
            path = posixpath.normpath(posixpath.join(folder, percent_decode(node.attrs.get("href", ""))))
            if path not in styles and len(styles) < _MAX_SHEETS:
                data = archive.read(path, _MAX_SHEET)[0] if path in archive else b""
                text = data.decode("utf-8", "replace")
                styles[path] = text if _HIDES.search(text) else ""
            if styles.get(path):
                node.tag, node.attrs, node.children = "style", {}, [Text(styles[path], node)]
        may_hide = may_hide or node.tag == "style" or "hidden" in node.attrs
        may_hide = may_hide or _HIDES.search(node.attrs.get("style", "")) is not None
    return find_hidden(document, keep_panels=True) if may_hide else ()


def _spine(root: XmlElement, folder: str) -> list[str]:
    """Return the paths of the chapters in reading order, each once (EPUB 3.3 section 5.7.2)."""
    items = {node.get("id", ""): node for node in root.iter("opf:item")}
    paths: dict[str, None] = {}
    for reference in islice(root.iter("opf:itemref"), MAX_CHAPTERS):
        item = items.get(reference.get("idref", ""))
        if item is None or item.get("media-type", _CHAPTER_TYPES[0]) not in _CHAPTER_TYPES:
            continue
        href = percent_decode(item.get("href", "").partition("#")[0])
        paths.setdefault(posixpath.normpath(posixpath.join(folder, href)))
    return list(paths)


def _parse_xhtml(text: str) -> tuple[HtmlDocument, bool]:
    """Return the tree of an XHTML document, and whether it is whole. Never raises.

    Well-formed XHTML is read as XML, since an HTML parser reads `<a id="x"/>` as a tag that is never closed. Other
    text is read as HTML.
    """
    document = HtmlDocument()
    stack: list[Element] = [document]

    def start(name: str, attrs: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        node = Element(local, attrs, _NAMESPACES.get(prefix, "html"))
        stack[-1].append(node)
        stack.append(node)

    def end(_name: str) -> None:
        stack.pop()

    def add_text(text: str) -> None:
        stack[-1].append(Text(text))

    try:
        weight_left = read(with_characters(text), start, end, add_text, max_weight=_MAX_WEIGHT)
    except XmlError:
        return parse_html(text), True
    return document, weight_left >= 0  # negative: the document was cut


def _text_of_picture(picture: HtmlDocument) -> Element:
    """Return the texts of an SVG document as paragraphs: `<text>` elements in their order, with their lines.

    HTML inside a foreignObject stays as it is. Without either, the title and the description are the text.
    """
    shown: list[Element] = []
    described: list[Element] = []
    waiting: list[Element] = [picture]
    while waiting:
        node = waiting.pop()
        if node.tag == "text":
            shown.append(element("p", [collapse(" ".join(_texts(node)))]))
        elif node.tag == "foreignObject":
            shown.append(element("div", [item for item in node.children if isinstance(item, (Element, Text))]))
        elif node.tag in ("title", "desc"):
            described.append(element("p", [collapse(node.text)]))
        else:
            waiting.extend(item for item in reversed(node.children) if isinstance(item, Element))
    return element("body", shown or described)


def _texts(node: Element) -> Iterator[str]:
    """Yield the lines of an SVG text element: a tspan with a position (x, y or dy) starts a line."""
    pieces = [""]
    waiting = list(reversed(node.children))
    while waiting:
        item = waiting.pop()
        if type(item) is Text:
            pieces[-1] += item.text
        elif isinstance(item, Element) and item.tag not in ("title", "desc"):
            if not {"x", "y", "dy"}.isdisjoint(item.attrs):
                pieces.append("")
            waiting.extend(reversed(item.children))
    yield from filter(str.strip, pieces)


def _prepare(body: Element, chapter: str) -> None:
    """Rewrite a chapter in place: EPUB's notes as HTML roles, no links and pictures inside the book."""
    notes: list[Element] = []
    links: list[Element] = []
    stack: list[Element] = [body]
    while stack:
        node = stack.pop()
        kinds = node.attrs.get("epub:type", "").split()
        role = next((_ROLES[kind] for kind in kinds if kind in _ROLES), "")
        if role:
            node.attrs.setdefault("role", role)
        is_page_list = node.tag == "nav" and not _PAGE_LISTS.isdisjoint(kinds)
        is_page_break = "pagebreak" in kinds or role_of(node.attrs) == "doc-pagebreak"
        if is_page_list or (is_page_break and len(short_text(node).strip()) <= _MAX_PAGE_NUMBER):
            node.children = []
        if node.tag == "aside" and "id" in node.attrs and not _NOTES.isdisjoint(kinds):
            notes.append(node)
        if node.tag == "a" and not _ABSOLUTE.match(node.attrs.get("href", "")):
            links.append(node)
        elif node.tag == "img" and not _ABSOLUTE.match(node.attrs.get("src", "")):
            alt = node.attrs.get("alt", "")
            node.tag, node.attrs, node.children = "span", {}, [Text(alt, node)] if alt else []
            continue
        stack.extend(item for item in reversed(node.children) if isinstance(item, Element))
    for link in links:
        file, sign, fragment = link.attrs.get("href", "").partition("#")
        target = posixpath.join(posixpath.dirname(chapter), percent_decode(file))
        is_inside = sign and (not file or posixpath.normpath(target) == chapter)
        link.attrs["href"] = f"#{fragment}" if is_inside else ""
    if notes:
        _move_to_end(body, notes)
    if links:
        _unlink(links, Notes(body))


def _unlink(links: list[Element], notes: Notes) -> None:
    """Remove the targets of links inside the book, except those to and from the notes of the same chapter.

    The number of a note in another chapter gets brackets, so that it does not look like part of the word. An arrow back
    from there is removed.
    """
    for link in links:
        href = link.attrs["href"]
        is_reference = href and may_refer(link, href) and href[1:] in notes.labels
        if is_reference or (href and is_back_link(link)) or link in notes.back_links:
            continue
        role, text = role_of(link.attrs), link.text.strip()
        if is_back_link(link) and not any(map(str.isalnum, text)):
            link.children = []
        elif role == "doc-noteref" and not text.startswith(("[", "(")):
            link.children = [Text(f"[{text}]", link)]
        del link.attrs["href"]
        link.attrs.pop("role", None)


def _move_to_end(body: Element, notes: list[Element]) -> None:
    """Move notes from between the paragraphs into a list at the end of the chapter."""
    section = element("section", role="doc-endnotes")
    items = element("ol")
    section.append(items)
    moved = {id(note) for note in notes}
    for parent in {id(note.parent): note.parent for note in notes}.values():
        if parent is not None:
            parent.children = [child for child in parent.children if id(child) not in moved]
    for note in notes:
        note.tag, note.parent = "li", None
        items.append(note)
        _remove_number(note)
    body.append(section)


def _remove_number(note: Element) -> None:
    """Remove the number at the start of a note if it is a link back to the text: `<a href="#r">1</a>. Words`."""
    link = next((node for node in islice(elements(note), _MAX_BEFORE_NUMBER) if node.tag == "a"), None)
    href = link.attrs["href"] if link is not None else ""
    if link is None or not href or not may_refer(link, href):
        return
    if short_text(note).lstrip().startswith(link.text.strip()):
        link.children = []
        nodes = (node for _, node in islice(walk(note), 2 * _MAX_BEFORE_NUMBER))
        text = next((node for node in nodes if type(node) is Text and node.text.strip()), None)
        if text is not None:
            text.text = text.text.lstrip(".:)] \t\n\xa0")
