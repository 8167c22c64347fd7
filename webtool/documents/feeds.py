"""Feeds (RSS 0.9x to 2.0, Atom, JSON Feed) as a list of links. In: a Source. Out: a Document.

Each entry is one item: its title as a link, its date, what it says in short. Feeds that are not well-formed are read as
far as they can be. Specifications: RSS 2.0 (and 0.91, 1.0), RFC 4287, JSON Feed 1.1.
"""

from __future__ import annotations

from webtool.documents import NODE, Document, Source
from webtool.documents.markup import root_of
from webtool.documents.text import read
from webtool.documents.tree import MAX_BASE, Child, collapse, element, link, markdown
from webtool.errors import InvalidUrl
from webtool.html import parse_fragment
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, XmlElement
from webtool.urls import join

MAX_ENTRIES = 5000
_ENTRY_NODES = 4  # elements that an entry makes
MAX_SUMMARY = 500  # characters
_MAX_MARKUP = 20_000  # characters of an entry's content that its summary is made from
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_RFC_822 = patterns.compile(r"(?:[A-Za-z]+,?\s+)?(\d{1,2})[\s-]+([A-Za-z]{3})[a-z]*[\s-]+(\d{4}|\d\d)\b")
_SUMMARIES = ("description", "summary", "content", "content:encoded", "media:description", "itunes:summary")
_NO_PAGE = patterns.compile(r"(?i)\s*(?!https?:|mailto:)[a-z][a-z0-9+.-]*:(?!\d)")
_ISO_8601 = patterns.compile(r"\d{4}-\d\d-\d\d")


class Entry(NamedTuple):
    """One entry. `date` is ISO 8601 where it could be understood; `summary` plain text."""

    title: str
    url: str
    date: str
    author: str
    summary: str


def convert(source: Source) -> Document:
    """The feed's title, description and entries. Raises ExtractFailed where no feed can be found in it."""
    text = read(source)
    if text.lstrip()[:1] == "{":
        title, about, entries = _json_feed(text, source)
    else:
        title, about, entries = _xml_feed(root_of(text, source), source.url)
    if len(entries) > MAX_ENTRIES:
        source.add_note(f"Only the first {MAX_ENTRIES:,} of {len(entries):,} entries are shown.")
    head = [element("h1", [title])] if title else []
    if about and about != title:
        head.append(element("p", [about]))
    items = element("ul")
    for entry in entries[:MAX_ENTRIES]:
        source.budget.left -= sum(map(len, entry)) + _ENTRY_NODES * NODE
        if source.budget.left < 0:
            break
        items.append(element("li", _item(entry)))
    return Document(title, markdown([*head, items], source.url), source.kind)


def _item(entry: Entry) -> list[Child]:
    title = entry.title or entry.url or "Untitled"
    children: list[Child] = [link([title], entry.url) if entry.url else title]
    details = ", ".join(part for part in (entry.date, entry.author) if part)
    if details:
        children.append(f" ({details})")
    if entry.summary and entry.summary != entry.title:
        children.append(f": {entry.summary}")
    return children


def _xml_feed(root: XmlElement, url: str) -> tuple[str, str, list[Entry]]:
    channel = next((node for node in root.iter() if node.tag == "channel"), root)
    bases = (url, root.get("xml:base", ""))
    entries = [_entry(node, *bases) for node in root.iter() if node.tag in ("item", "entry")]
    about = _text(channel, "description", "subtitle", "tagline")
    return _plain(_text(channel, "title")), _plain(about), entries


def _entry(node: XmlElement, *bases: str) -> Entry:
    title = _plain(_text(node, "title"))
    date = _text(node, "pubDate", "published", "updated", "dc:date", "issued", "modified", "dcterms:modified")
    author = _plain(_author(node))
    summary = _text(node, *_SUMMARIES) or next(
        (_text(group, *_SUMMARIES) for group in node if group.tag == "media:group"), ""
    )
    url = resolved(_link_of(node), *bases, node.get("xml:base", ""))
    return Entry(title, _page(url), iso_date(date), author, _shortened(_plain(summary)))


def _page(link: str) -> str:
    """The link, "" where it is not a page (RFC 4287 section 2 takes any IRI)."""
    return "" if _NO_PAGE.match(link) else link


def resolved(link: str, *bases: str) -> str:
    """A link resolved against bases, each of which stands in the one before it; as it is where that makes no URL."""
    base = ""
    if sum(map(len, bases)) > MAX_BASE:
        return link  # it would be written out with every link
    try:
        for outer in filter(None, bases):
            base = join(base, outer) if base else outer
        return join(base, link) if base and link else link
    except InvalidUrl:
        return link


def _text(node: XmlElement, *names: str) -> str:
    """The text of the first child that has one of the names and a text; Atom's xhtml content is read through."""
    for name in names:
        for child in node:
            if child.tag == name:
                text = "".join(child.itertext()).strip()
                if text:
                    return text[:_MAX_MARKUP]
    return ""


def _author(node: XmlElement) -> str:
    for child in node:
        if child.tag == "author":
            name = next((item.text for item in child if item.tag == "name"), None)
            return name or child.text or ""
    return _text(node, "dc:creator", "itunes:author")


def _link_of(node: XmlElement) -> str:
    """The page of an entry: Atom's alternate link, RSS's link, or a guid that is one."""
    other = ""
    for child in node:
        if child.tag != "link":
            continue
        target = child.get("href", "").strip() or (child.text or "").strip()
        if target and child.get("rel", "alternate") == "alternate":
            return target
        other = other or target
    guid = next((child for child in node if child.tag == "guid"), None)
    if guid is not None and guid.get("isPermaLink", "true") == "true" and "://" in (guid.text or ""):
        return (guid.text or "").strip()
    about = next((value for key, value in node.attrib.items() if key == "rdf:about"), "")
    enclosure = next((child.get("url", "") for child in node if child.tag == "enclosure"), "")
    return other or about or enclosure


def _json_feed(text: str, source: Source) -> tuple[str, str, list[Entry]]:
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
    author = authors[0] if isinstance(authors, list) and authors else item.get("author")
    name = _string(author, "name") if isinstance(author, dict) else ""
    summary = (
        _string(item, "summary") or _string(item, "content_text") or _plain(_string(item, "content_html")[:_MAX_MARKUP])
    )
    url = _page(_string(item, "url") or _string(item, "external_url"))
    date = iso_date(_string(item, "date_published") or _string(item, "date_modified"))
    return Entry(collapse(_string(item, "title")), url, date, name, _shortened(collapse(summary)))


def _string(members: dict[str, Any], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _plain(text: str) -> str:
    """Text or HTML, which feeds mix freely, as plain text on one line."""
    if _TAG.search(text):
        text = parse_fragment(_UNSEEN.sub("", _BREAKS.sub(r" \g<0>", text))).text
    elif "&" in text:
        import html

        text = html.unescape(text)
    return collapse(text.replace("\xa0", " "))


_TAG = patterns.compile(r"</?[A-Za-z][^<>]{0,2000}>|<!--")
_UNSEEN = patterns.compile(r"(?is)<(script|style)\b[^>]{0,2000}>.*?(?:</\1\s*>|\Z)")
_BREAKS = patterns.compile(r"(?i)</?(?:p|br|div|li|h[1-6]|tr|td)\b")


def _shortened(text: str) -> str:
    if len(text) <= MAX_SUMMARY:
        return text
    return text[:MAX_SUMMARY].rpartition(" ")[0].rstrip(".,;: ") + "…"


def iso_date(text: str) -> str:
    """The date of an RFC 822 or ISO 8601 date-time; any other text as it is, shortened."""
    text = text.strip()
    if _ISO_8601.match(text):
        return text[:10]
    match = _RFC_822.match(text)
    if match and match.group(2).lower() in _MONTHS:
        year = int(match.group(3))
        year += 0 if year > 99 else 1900 if year > 69 else 2000
        return f"{year:04}-{_MONTHS.index(match.group(2).lower()) + 1:02}-{int(match.group(1)):02}"
    return collapse(text)[:40]
