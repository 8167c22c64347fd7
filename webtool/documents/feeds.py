"""Convert feeds, sitemaps and OPML outlines to lists of links. In: a Source. Out: a Document.

Each entry of a feed (RSS 0.9x to 2.0, Atom, JSON Feed) becomes one item: its title as a link, then date, author and a
short summary. XML that is not well-formed is read with parse_lenient(). A sitemap may list 50,000 pages, so its
markdown is written directly, without a tree.
Specifications: RSS 2.0 (and 0.91, 1.0), RFC 4287, JSON Feed 1.1, sitemaps.org protocol, OPML 2.0.
Tests: tests/documents/test_feeds.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.documents import NODE_COST, Document, Source
from webtool.documents.text import read
from webtool.documents.tree import MAX_BASE, BlockBuilder, Child, collapse, element, link, markdown
from webtool.documents.xmltree import TOO_MUCH, XmlError, child, child_text, parse, parse_lenient, with_characters
from webtool.errors import InvalidUrl, abridged, counted
from webtool.html import parse_fragment
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, XmlElement
from webtool.markdown import escape_text
from webtool.urls import join

MAX_ENTRIES = 5000  # more are left out, with a note
MAX_SUMMARY = 500  # characters of an entry's summary; it is cut at a space
_ENTRY_NODES = 4  # elements (NODE_COST) that an entry costs in the budget
_MAX_MARKUP = 20_000  # characters of an entry's content that are read for its summary
_MAX_AUTHORS = 10  # of an entry; the number of the others is written
_MAX_DATE = 40  # characters of a date in another form; the rest is cut
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAY, _MONTH, _DAY = (
    r"(?:[A-Za-z]+[,.]?\s*)?",
    r"(?P<month>[A-Za-z]{3})[a-z]*\.?",
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)?",
)
_DATE_FORMS = (
    # RFC 822: "Thu, 02 May 2024 10:00:00 GMT", "Thu, 2-May-24"
    patterns.compile(rf"{_WEEKDAY}{_DAY}[\s-]+{_MONTH},?[\s-]+(?P<year>\d{{4}}|\d\d)\b"),
    # "Thursday, May 2nd, 2024 - 10:00", "Thu May  2 10:00:00 UTC 2024"
    patterns.compile(
        rf"(?:[A-Za-z]+[,.]?\s+)?{_MONTH}\s+{_DAY},?\s+(?:\d\d?:\d\d(?::\d\d)?\s+(?:[A-Z]{{1,5}}\s+)?)?(?P<year>\d{{4}})\b"
    ),
)
_SUMMARIES = ("description", "summary", "content", "content:encoded", "media:description", "itunes:summary")
_NOT_A_PAGE = patterns.compile(  # "tag:e.example,2024:1", "urn:uuid:1"; but not the port in "e.example:80"
    r"(?i)\s*(?!https?:|mailto:)[a-z][a-z0-9+.-]*:(?!\d)"
)
_YEAR_FIRST = patterns.compile(r"(\d{4})([-/])(\d\d)\2(\d\d)(?!\d)")  # "2024-05-02T10:00:00Z", "2024/05/02 10:00"
MAX_LINKS = 50_000  # of a sitemap, which may not have more; others are left out, with a note
MAX_OUTLINES = 20_000  # of an OPML file; others are left out, with a note
# Characters that would end a link between angle brackets.
_UNSAFE = patterns.compile(r"[\s<>\x00-\x1f]")


class Entry(NamedTuple):
    """One entry. `date` is ISO 8601 if it could be understood, else as the feed has it; the rest is plain text."""

    title: str
    url: str
    date: str
    authors: str
    summary: str


def convert(source: Source) -> Document:
    """Convert a feed, a sitemap or an outline. Raises ExtractFailed if it cannot be read as XML or JSON."""
    text = read(source)
    if source.kind == "sitemap":
        return _sitemap(root_of(text, source), source)
    if source.kind == "opml":
        return _outline(root_of(text, source), source)
    if text.lstrip()[:1] == "{":
        title, about, entries = _json_feed(text, source)
    else:
        root = root_of(text, source)
        channel = next((node for node in root.iter() if node.tag == "channel"), root)
        title = _plain(_text(channel, "title"))
        about = _plain(_text(channel, "description", "subtitle", "tagline"))
        bases = (source.url, root.get("xml:base", ""))
        entries = [_entry(node, *bases) for node in root.iter() if node.tag in ("item", "entry")]
    if len(entries) > MAX_ENTRIES:
        source.add_note(f"Only the first {MAX_ENTRIES:,} of {len(entries):,} entries are shown.")
    blocks = [element("h1", [title])] if title else []
    if about and about != title:
        blocks.append(element("p", [about]))
    items = element("ul")
    for entry in entries[:MAX_ENTRIES]:
        source.budget.left -= sum(map(len, entry)) + _ENTRY_NODES * NODE_COST  # not take(): the entries so far are kept
        if source.budget.is_spent:
            break
        items.append(element("li", _item(entry)))
    return Document(title, markdown([*blocks, items], source.url), source.kind)


def root_of(text: str, source: Source) -> XmlElement:
    """Return the root of XML, or of something like it. Raises ExtractFailed for declared entities, or without a tag."""
    try:
        root, left = parse(with_characters(text))
        if left < 0:
            source.add_note(TOO_MUCH)
        return root
    except XmlError as exc:
        if "declared" in str(exc):
            raise source.failed(f"is refused: {exc}") from exc
        lenient_root = parse_lenient(text)
        if lenient_root is None:
            raise source.failed(f"is not well-formed: {exc}") from exc
        return lenient_root


def _item(entry: Entry) -> list[Child]:
    """Return an entry's list item: "[Title](url) (2024-05-01, Ada): summary"."""
    title = entry.title or entry.url or "Untitled"
    children: list[Child] = [link([title], entry.url) if entry.url else title]
    details = ", ".join(part for part in (entry.date, entry.authors) if part)
    if details:
        children.append(f" ({details})")
    if entry.summary and entry.summary != entry.title:
        children.append(f": {entry.summary}")
    return children


def _entry(node: XmlElement, *bases: str) -> Entry:
    """Read one item or entry, whose links are relative to `bases`, see resolved()."""
    title = _plain(_text(node, "title"))
    date = _text(node, "pubDate", "published", "updated", "dc:date", "issued", "modified", "dcterms:modified")
    summary = _text(node, *_SUMMARIES)
    if not summary:
        summary = next((_text(group, *_SUMMARIES) for group in node if group.tag == "media:group"), "")
    url = resolved(_link_of(node), *bases, node.get("xml:base", ""))
    return Entry(title, _page(url), iso_date(date), _authors(node), _shortened(_plain(summary)))


def _page(link: str) -> str:
    """Return a link if it leads to a page, else "": RFC 4287 section 2 allows any IRI, e.g. "urn:uuid:1"."""
    return "" if _NOT_A_PAGE.match(link) else link


def resolved(link: str, *bases: str) -> str:
    """Resolve a link against bases, outermost first; unchanged if that gives no URL or they exceed MAX_BASE."""
    base = ""
    if sum(map(len, bases)) > MAX_BASE:
        return link
    try:
        for outer in filter(None, bases):
            base = join(base, outer) if base else outer
        return join(base, link) if base and link else link
    except InvalidUrl:
        return link


def _text(node: XmlElement, *names: str) -> str:
    """Return the text of the first child with one of the names, with that of its elements; "" if all are empty.

    In XHTML (RFC 4287, section 3.1.1.3) spaces separate the words of blocks.
    """
    for name in names:
        for field in node:
            if field.tag == name:
                for block in [item for item in field.iter() if str(item.tag).rpartition(":")[2] in _BLOCKS]:
                    block.text, block.tail = f" {block.text or ''}", f" {block.tail or ''}"
                text = "".join(field.itertext()).strip()[:_MAX_MARKUP]
                if field.get("type") == "text":  # of Atom: "a <b> c" is no HTML, so it becomes HTML that shows this
                    text = text.replace("&", "&amp;").replace("<", "&lt;")
                if text:
                    return text
    return ""


def _authors(node: XmlElement) -> str:
    """Return an entry's authors: Atom's names, or those of RSS, Dublin Core or a podcast."""
    for tag in ("author", "dc:creator", "itunes:author"):
        fields = [child_text(field, "name") or field.text or "" for field in node if field.tag == tag]
        names = _listed(_name_in(_plain(field)) for field in fields)
        if names:
            return names
    return ""


def _listed(authors: Iterable[str]) -> str:
    """Return names of authors, each once: ("A", "", "B", "A") -> "A, B"."""
    return abridged(list(dict.fromkeys(filter(None, authors))), _MAX_AUTHORS)


def _name_in(author: str) -> str:
    """Return the name after an address, as RSS has it: "ada@e.example (Ada)" -> "Ada"; another text as it is."""
    address, _, name = author.partition(" (")
    return (name[:-1] or address) if "@" in address and name.endswith(")") else author


def _link_of(node: XmlElement) -> str:
    """Return an entry's link: Atom's alternate link or RSS's link; else guid or id, another link, rdf:about, enclosure.

    A guid or an id counts if it is a URL.
    """
    other = ""
    for field in node:
        if field.tag != "link":
            continue
        target = field.get("href", "").strip() or (field.text or "").strip()
        if target and field.get("rel", "alternate") == "alternate":
            return target
        other = other or target
    guid = next((field for field in node if field.tag in ("guid", "id")), None)
    if guid is not None and guid.get("isPermaLink", "true") == "true" and "://" in (guid.text or ""):
        return (guid.text or "").strip()
    enclosure = next((field.get("url", "") for field in node if field.tag == "enclosure"), "")
    return other or node.get("rdf:about", "") or enclosure


def _json_feed(text: str, source: Source) -> tuple[str, str, list[Entry]]:
    """Return the title, the description and the entries of a JSON Feed. Raises ExtractFailed."""
    import json

    try:
        feed = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise source.failed(f"is not JSON: {exc}") from exc
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise source.failed("has no items")
    entries = [_json_entry(item) for item in items if isinstance(item, dict)]
    return collapse(_string(feed, "title")), collapse(_string(feed, "description")), entries


def _json_entry(item: dict[str, Any]) -> Entry:
    authors = item.get("authors")
    people = authors if isinstance(authors, list) and authors else [item.get("author")]
    names = _listed(_string(person, "name") for person in people if isinstance(person, dict))
    summary = _string(item, "summary") or _string(item, "content_text")
    if not summary:
        summary = _plain(_string(item, "content_html")[:_MAX_MARKUP])
    identity = _string(item, "id")
    url = _page(_string(item, "url") or _string(item, "external_url") or (identity if "://" in identity else ""))
    date = iso_date(_string(item, "date_published") or _string(item, "date_modified"))
    return Entry(collapse(_string(item, "title")), url, date, names, _shortened(collapse(summary)))


def _string(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _plain(text: str) -> str:
    """Return text or HTML, which feeds mix freely, as plain text on one line."""
    if _TAG.search(text):
        text = parse_fragment(_UNSEEN.sub("", _BREAKS.sub(lambda match: f" {match[0]}", text))).text
    elif "&" in text:
        import html

        text = html.unescape(text)
    return collapse(text.replace("\xa0", " "))


_TAG = patterns.compile(r"</?[A-Za-z][^<>]{0,2000}>|<!--")
_UNSEEN = patterns.compile(r"(?is)<(script|style)\b[^>]{0,2000}>.*?(?:</\1\s*>|\Z)")
_BLOCKS = ("p", "br", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "td")
_BREAKS = patterns.compile(rf"(?i)</?(?:{'|'.join(_BLOCKS)})\b")


def _shortened(text: str) -> str:
    """Return a text of at most MAX_SUMMARY characters, cut at a space."""
    if len(text) <= MAX_SUMMARY:
        return text
    return text[:MAX_SUMMARY].rpartition(" ")[0].rstrip(".,;: ") + "…"


def iso_date(text: str) -> str:
    """Return a date as "2024-05-02": "Thu, 02 May 2024 10:00 GMT", "May 2, 2024", ISO 8601; another text as it is."""
    text = text.strip()
    if match := _YEAR_FIRST.match(text):
        return f"{match[1]}-{match[3]}-{match[4]}"
    for form in _DATE_FORMS:
        match = form.match(text)
        if match and match["month"].lower() in _MONTHS:
            year = int(match["year"])
            if year <= 99:
                year += 1900 if year > 69 else 2000
            return f"{year:04}-{_MONTHS.index(match['month'].lower()) + 1:02}-{int(match['day']):02}"
    return collapse(text)[:_MAX_DATE]


# Sitemaps and outlines


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
        headline = escape_text.text(collapse(child_text(child(node, "news:news"), "news:title")))
        details = (f" ({date})" if date else "") + (f": {headline}" if headline else "")
        lines.append(f"- <{url}>{details}")
        source.budget.left -= len(lines[-1])
        if source.budget.is_spent:
            break
    title = (
        f"Sitemap index: {counted(len(entries), 'sitemap')}"
        if is_index
        else f"Sitemap: {counted(len(entries), 'page')}"
    )
    note = f"Only the first {MAX_LINKS:,} links are shown." if len(entries) > MAX_LINKS else ""
    return Document(title, "\n".join([f"# {title}", "", *lines]) + "\n", source.kind, note)


def _outline(root: XmlElement, source: Source) -> Document:
    """Write an OPML outline as nested lists with the page and the feed of each item: "[Title](page) ([feed](feed))"."""
    head = next(root.iter("head"), None)
    title = collapse(child_text(head, "title"))
    builder = BlockBuilder()
    if title:
        builder.add_block(element("h1", [title]))
    for count, (node, depth) in enumerate(_outlines(root)):
        if count >= MAX_OUTLINES:
            source.add_note(f"Only the first {MAX_OUTLINES:,} links are shown.")
            break
        text, feed = collapse(node.get("text") or node.get("title") or ""), node.get("xmlUrl") or ""
        url = node.get("htmlUrl") or node.get("url") or feed
        item: list[Child] = [link([text or url], url) if url else text or "Untitled"]
        if feed and feed != url:
            item.extend([" (", link(["feed"], feed), ")"])
        builder.add_item(item, depth)
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
