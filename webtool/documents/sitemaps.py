"""Convert sitemaps, sitemap indexes and OPML outlines to lists of links. In: a Source. Out: a Document.

A sitemap may list 50,000 pages, so its markdown is written directly, without a tree.
Specifications: sitemaps.org protocol, OPML 2.0.
Tests: tests/documents/test_feeds.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import Document, Source
from webtool.documents.feeds import iso_date, resolved, root_of
from webtool.documents.text import read
from webtool.documents.tree import BlockBuilder, Child, collapse, element, link, markdown
from webtool.documents.xmltree import child, child_text
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.markdown import escape

MAX_LINKS = 50_000  # of a sitemap, which may not have more; others are left out, with a note
MAX_OUTLINES = 20_000  # of an OPML file; others are left out, with a note
# Characters that would end a link between angle brackets.
_UNSAFE = patterns.compile(r"[\s<>\x00-\x1f]")


def convert(source: Source) -> Document:
    """Convert a sitemap or an outline. Raises ExtractFailed if the text is not like XML at all."""
    root = root_of(read(source), source)
    return _outline(root, source) if source.kind == "opml" else _sitemap(root, source)


def _sitemap(root: XmlElement, source: Source) -> Document:
    """Write one line a page: "- <https://e.example/a> (2024-05-01): headline", the headline from news sitemaps."""
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
        news = child(node, "news:news")
        headline = escape.text(collapse(child_text(news, "news:title"))) if news is not None else ""
        lines.append(f"- <{url}>{f' ({date})' if date else ''}{f': {headline}' if headline else ''}")
        source.budget.left -= len(lines[-1])
        if source.budget.left < 0:
            break
    title = f"Sitemap index: {len(entries):,} sitemaps" if is_index else f"Sitemap: {len(entries):,} pages"
    note = f"Only the first {MAX_LINKS:,} links are shown." if len(entries) > MAX_LINKS else ""
    return Document(title, "\n".join([f"# {title}", "", *lines]) + "\n", source.kind, note)


def _outline(root: XmlElement, source: Source) -> Document:
    """Write an OPML outline as nested lists, each item with its page and its feed."""
    head = next(root.iter("head"), None)
    title = collapse(child_text(head, "title")) if head is not None else ""
    builder = BlockBuilder()
    if title:
        builder.add_block(element("h1", [title]))
    for count, (node, depth) in enumerate(_outlines(root)):
        if count >= MAX_OUTLINES:
            source.add_note(f"Only the first {MAX_OUTLINES:,} links are shown.")
            break
        builder.add_item(_item(node), depth)
    return Document(title, markdown(builder.blocks, source.url), source.kind)


def _outlines(root: XmlElement) -> Iterator[tuple[XmlElement, int]]:
    """Yield the outline elements in document order, each with its depth from 0."""
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
    """Return an outline's list item: "[Title](page) ([feed](feed))"."""
    text = collapse(node.get("text") or node.get("title") or "")
    url = node.get("htmlUrl") or node.get("url") or node.get("xmlUrl") or ""
    feed = node.get("xmlUrl") or ""
    children: list[Child] = [link([text or url], url) if url else text or "Untitled"]
    if feed and feed != url:
        children.extend([" (", link(["feed"], feed), ")"])
    return children
