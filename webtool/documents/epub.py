"""EPUB books as markdown. In: a Source. Out: a Document with the chapters in reading order.

Chapters are HTML and go through webtool.markdown; links inside the book become plain text: nobody can follow them.
Specification: EPUB 3.3, sections 4 (container), 5 (package document); EPUB 2 is read the same way.
"""

from __future__ import annotations

import posixpath

from webtool import patterns
from webtool.documents import Document, Source
from webtool.documents.archive import Archive
from webtool.documents.text import decode
from webtool.documents.tree import collapse
from webtool.documents.xhtml import first, parse_xhtml
from webtool.html.node import Element, Text
from webtool.markdown import to_markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xml.etree.ElementTree import Element as XmlElement

MAX_CHAPTERS = 5000
_CHAPTERS = ("application/xhtml+xml", "text/html", "application/html+xml", "text/x-oeb1-document")
_ABSOLUTE = patterns.compile(r"(?i)(?:https?:|mailto:)")
_ESCAPED = patterns.compile("%([0-9A-Fa-f]{2})")


def convert(source: Source) -> Document:
    """The book's text. Raises ExtractFailed for a damaged or protected one."""
    archive = Archive(source)
    package = _package_path(archive, source)
    root = archive.xml(package)
    protected = _protected(archive)
    parts: list[str] = []
    for path in _spine(root, posixpath.dirname(package))[:MAX_CHAPTERS]:
        if path in protected:
            raise source.failed("is protected: its chapters are encrypted", "Only its seller's programs can open it.")
        if path in archive:
            text = _chapter(decode(archive.read(path), None, "xml")).strip("\n")
            if text:
                parts.append(text)
    if not parts:
        raise source.failed("has no chapters with text in it")
    title = next((node.text or "" for node in root.iter("dc:title")), "")
    return Document(collapse(title), "\n\n".join(parts) + "\n", source.kind)


def _package_path(archive: Archive, source: Source) -> str:
    container = archive.xml("META-INF/container.xml")
    path = next((node.get("full-path", "") for node in container.iter("rootfile")), "")
    if not path:
        raise source.failed("names no package document")
    return path


def _protected(archive: Archive) -> set[str]:
    """Paths of encrypted files; fonts are often obfuscated this way, chapters only in protected books."""
    root = archive.optional_xml("META-INF/encryption.xml")
    return {node.get("URI", "") for node in root.iter("enc:CipherReference")} if root is not None else set()


def _spine(root: XmlElement, folder: str) -> list[str]:
    """Paths of the chapters in reading order, without the navigation document."""
    items = {node.get("id", ""): node for node in root.iter("opf:item")}
    paths = []
    for reference in root.iter("opf:itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None or item.get("media-type", _CHAPTERS[0]) not in _CHAPTERS:
            continue
        if "nav" in item.get("properties", "").split():
            continue
        href = _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), item.get("href", "").partition("#")[0])
        href = (
            href.encode("latin-1", "ignore").decode("utf-8", "replace")
            if not href.isascii() and "%" in item.get("href", "")
            else href
        )
        paths.append(posixpath.normpath(posixpath.join(folder, href)))
    return paths


def _chapter(text: str) -> str:
    document = parse_xhtml(text)
    body = first(document, "body") or document
    _unlink(body)
    return to_markdown(body, None, keep_hidden=True)


def _unlink(body: Element) -> None:
    """Take away what only means something inside the book: references to its files."""
    stack: list[Element] = [body]
    while stack:
        node = stack.pop()
        if node.tag == "a" and not _ABSOLUTE.match(node.attrs.get("href", "")):
            node.attrs.pop("href", None)
        elif node.tag == "img" and not _ABSOLUTE.match(node.attrs.get("src", "")):
            _replace_by_text(node, node.attrs.get("alt", ""))
            continue
        stack.extend(item for item in node.children if isinstance(item, Element))


def _replace_by_text(image: Element, text: str) -> None:
    image.tag = "span"
    image.attrs = {}
    image.children = [Text(text, image)] if text else []
