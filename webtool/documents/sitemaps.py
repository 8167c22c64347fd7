"""Sitemaps, sitemap indexes and OPML outlines as lists of links. In: a Source. Out: a Document.

A sitemap may name 50,000 pages, so its list is written directly. Specifications: sitemaps.org protocol, OPML 2.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import Document, Source
from webtool.documents.feeds import iso_date, resolved
from webtool.documents.markup import root_of
from webtool.documents.text import read
from webtool.documents.tree import Child, ListBuilder, collapse, element, link, markdown
from webtool.documents.xmltree import child, child_text
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.markdown import escape

MAX_LINKS = 50_000
MAX_OUTLINES = 20_000
_UNSAFE = patterns.compile(r"[\s<>\x00-\x1f]")


def convert(source: Source) -> Document:
    """The links of a sitemap or an outline. Raises ExtractFailed where there are none to be found."""
    root = root_of(read(source), source)
    return _outline(root, source) if source.kind == "opml" else _sitemap(root, source)


def _sitemap(root: XmlElement, source: Source) -> Document:
    is_index = root.tag == "sitemapindex"
    lines: list[str] = []
    entries = [node for node in root if node.tag in ("url", "sitemap")]
    for node in entries[:MAX_LINKS]:
        location = child_text(node, "loc").strip()
        if not location:
            continue
        date = iso_date(child_text(node, "lastmod"))
        location = location if "://" in location else resolved(location, source.url)
        url = _UNSAFE.sub(lambda match: f"%{ord(match.group()):02X}", location)
        news = child(node, "news:news")  # a news sitemap says more of a page
        headline = escape.text(collapse(child_text(news, "news:title"))) if news is not None else ""
        lines.append(f"- <{url}>{f' ({date})' if date else ''}{f': {headline}' if headline else ''}")
        source.budget.left -= len(lines[-1])
        if source.budget.left < 0:
            break
    title = f"Sitemap index: {len(entries):,} sitemaps" if is_index else f"Sitemap: {len(entries):,} pages"
    note = f"Only the first {MAX_LINKS:,} links are shown." if len(entries) > MAX_LINKS else ""
    return Document(title, "\n".join([f"# {title}", "", *lines]) + "\n", source.kind, note)


def _outline(root: XmlElement, source: Source) -> Document:
    head = next(root.iter("head"), None)
    title = collapse(child_text(head, "title")) if head is not None else ""
    blocks = [element("h1", [title])] if title else []
    builder = ListBuilder(blocks)
    for count, (node, depth) in enumerate(_outlines(root)):
        if count >= MAX_OUTLINES:
            source.add_note(f"Only the first {MAX_OUTLINES:,} links are shown.")
            break
        builder.add(_item(node), depth)
    return Document(title, markdown(blocks, source.url), source.kind)


def _outlines(root: XmlElement) -> Iterator[tuple[XmlElement, int]]:
    """Outlines with their depth from 0, in order."""
    body = next(root.iter("body"), root)
    stack = [iter(body)]
    while stack:
        for node in stack[-1]:
            if node.tag == "outline":
                yield node, len(stack) - 1
                stack.append(iter(node))
                break
        else:
            stack.pop()


def _item(node: XmlElement) -> list[Child]:
    text = collapse(node.get("text") or node.get("title") or "")
    url = node.get("htmlUrl") or node.get("url") or node.get("xmlUrl") or ""
    feed = node.get("xmlUrl") or ""
    children: list[Child] = [link([text or url], url) if url else text or "Untitled"]
    if feed and feed != url:
        children.extend([" (", link(["feed"], feed), ")"])
    return children
