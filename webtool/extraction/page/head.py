"""What a page says about itself outside its text. In: the root. Out: Head: meta elements, links, title, JSON-LD texts.

One pass over the tree, before anything else looks at it; metadata.py and the features read from here. The values are
as written, untrusted, and bounded in length.
"""

from __future__ import annotations

from webtool.extraction.page import json_ld
from webtool.html.node import Element, listed
from webtool.lean import patterns

_TYPE = patterns.compile(r'"@type"\s*:\s*(?:\[\s*)?"(?:https?:(?:\\?/){2}schema\.org\\?/)?(\w{1,40})"')
MAX_VALUE = 10_000
MAX_SCRIPT = 2_000_000
"""Characters of one script of data that are looked at."""


class Head:
    """`meta` by lower-cased name, property or itemprop, the first of each kept; `authors` all that name an author, a
    name's together; `data` are scripts that hold JSON."""

    __slots__ = ("_objects", "authors", "data", "json_ld", "language", "links", "meta", "schema_types", "title")

    def __init__(self) -> None:
        self.meta: dict[str, str] = {}
        self.authors: dict[str, list[str]] = {}
        self.links: dict[str, str] = {}
        self.json_ld: list[str] = []
        self.data: list[tuple[Element, str]] = []
        self.schema_types: set[str] = set()
        self.title = ""
        self.language = ""
        self._objects: list[dict[str, object]] | None = None

    @property
    def objects(self) -> list[dict[str, object]]:
        """Every object of the JSON-LD, outer before inner."""
        if self._objects is None:
            self._objects = json_ld.objects(self.json_ld)
        return self._objects

    @property
    def titles(self) -> tuple[str, str]:
        """What the page is called in its title element and for those who link to it."""
        return self.title, self.meta.get("og:title", "")

    @property
    def og_type(self) -> str:
        """The Open Graph type, lower-cased."""
        return self.meta.get("og:type", "").strip().lower()

    @property
    def address(self) -> str:
        """What the page gives as its own address, lower-cased; "" when it does not."""
        return (self.links.get("canonical") or self.meta.get("og:url") or "").strip().lower()


def read(root: Element) -> Head:
    """Collect from the whole tree: pages put meta elements and JSON-LD in the body as well."""
    head = Head()
    rules = _RULES
    for element in listed(root):
        if element.tag in rules and element.namespace == "html":
            rules[element.tag](head, element)
    return head


def _meta(head: Head, node: Element) -> None:
    attrs = node.attrs
    content = attrs.get("content")
    if not content:
        return
    for attribute in ("property", "name", "itemprop", "http-equiv"):
        name = attrs.get(attribute)
        if name:
            key = name.strip().lower()[:100]
            head.meta.setdefault(key, content[:MAX_VALUE])
            if "author" in key or "creator" in key:
                head.authors.setdefault(key, []).append(content[:MAX_VALUE])


def _link(head: Head, node: Element) -> None:
    href = node.attrs.get("href")
    for rel in node.attrs.get("rel", "").lower().split()[:5]:
        if href:
            head.links.setdefault(rel, href[:MAX_VALUE])


def _title(head: Head, node: Element) -> None:
    if not head.title and node.namespace == "html":
        head.title = " ".join(node.text[:MAX_VALUE].split())


def _script(head: Head, node: Element) -> None:
    kind = node.attrs.get("type", "").lower()
    if "json" not in kind:
        return
    text = "".join(child.text for child in node.children)[:MAX_SCRIPT]
    if "ld+json" in kind:
        head.json_ld.append(text)
        head.schema_types.update(name.lower() for name in _TYPE.findall(text[:200_000]))
    else:
        head.data.append((node, text))


def _html(head: Head, node: Element) -> None:
    head.language = head.language or node.attrs.get("lang", "") or node.attrs.get("xml:lang", "")


def _base(head: Head, node: Element) -> None:
    if node.attrs.get("href"):
        head.links.setdefault("base", node.attrs["href"][:MAX_VALUE])


_RULES = {"meta": _meta, "link": _link, "title": _title, "script": _script, "html": _html, "base": _base}
