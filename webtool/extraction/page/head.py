"""Collect what a page says about itself outside its text: meta elements, links, title, language, JSON-LD.

In: the root of a tree. Out: Head. One pass over the whole tree, because pages put meta elements and JSON-LD into the
body as well. metadata/ and the model's features read from Head. Values are as written, untrusted, and bounded in
length.
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from webtool.extraction.page import json_ld
from webtool.html.node import Element, around, listed
from webtool.lean import patterns
from webtool.lean.memory import cached

_types = patterns.compile(r'"@type"\s*:\s*(\[[^\]{}]{0,1000}|"[^"]{0,100}")').findall  # one, or several in brackets
_type_names = patterns.compile(r'"(?:https?:(?:\\?/){2}schema\.org\\?/)?(\w{1,40})"').findall
MAX_VALUE = 10_000  # characters; the rest of a longer attribute is left out
MAX_SCRIPT = 2_000_000  # characters of one script of data; the rest is left out
_OF_READERS = ("Comment", "UserComments", "Review", "Answer")  # ends of types whose author is not the page's
MAX_TYPED = 200_000  # characters of a JSON-LD script that are searched for types


class Head:
    """Data that a page has about itself.

    meta          lower-cased property, name, itemprop or http-equiv of a meta element -> the first content
    authors       every content of those meta elements that name an author or creator, by the same keys; by "itemprop"
                  those of a microdata author
    links         rel -> href of the first link element
    base          the href of the first base element with one
    json_ld       the texts of JSON-LD scripts
    data          (element, text) of all other scripts with JSON
    schema_types  the schema.org types in the JSON-LD, lower-cased: {"newsarticle", "person"}
    title         the title element's text, white space collapsed
    language      the lang attribute of html
    """

    def __init__(self) -> None:
        self.meta: dict[str, str] = {}
        self.authors: dict[str, list[str]] = {}
        self.links: dict[str, str] = {}
        self.json_ld: list[str] = []
        self.data: list[tuple[Element, str]] = []
        self.schema_types: set[str] = set()
        self.base = ""
        self.title = ""
        self.language = ""

    @cached
    def objects(self) -> list[dict[str, object]]:
        """Every object in the JSON-LD, outer before inner; parsed when first asked for."""
        return json_ld.objects(self.json_ld)

    @property
    def titles(self) -> tuple[str, str]:
        """The title element's text and og:title, "" for one that is missing."""
        return self.title, self.meta.get("og:title", "")

    @property
    def og_type(self) -> str:
        """The Open Graph type, lower-cased."""
        return self.meta.get("og:type", "").strip().lower()

    @property
    def address(self) -> str:
        """The page's own address by its canonical link or og:url, lower-cased; "" if it has neither."""
        return (self.links.get("canonical") or self.meta.get("og:url") or "").strip().lower()


def read(root: Element) -> Head:
    """Return the Head of a tree."""
    head = Head()
    readers = _READERS
    for element in listed(root):
        if element.tag in readers and element.namespace == "html":
            readers[element.tag](head, element)
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
    _author_in_microdata(head, node)


def _author_in_microdata(head: Head, node: Element) -> None:
    """Note a name as videos have it: `<span itemprop=author><link itemprop=name content="Ann Lee"></span>`."""
    author = node.parent
    if node.attrs.get("itemprop") == "name" and author is not None and author.attrs.get("itemprop") == "author":
        work = next((outer.attrs["itemtype"] for outer in around(author, 9) if "itemtype" in outer.attrs), "")
        if (content := node.attrs.get("content")) and not is_of_reader(work):
            head.authors.setdefault("itemprop", []).append(content[:MAX_VALUE])


def is_of_reader(item_type: str) -> bool:
    """Return whether an itemtype is that of a comment, review or answer: "https://schema.org/Comment"."""
    return item_type.rstrip("/").endswith(_OF_READERS)


def _link(head: Head, node: Element) -> None:
    _author_in_microdata(head, node)
    href = node.attrs.get("href")
    for rel in node.attrs.get("rel", "").lower().split()[:5]:
        if href:
            head.links.setdefault(rel, href[:MAX_VALUE])


def _title(head: Head, node: Element) -> None:
    if not head.title:
        head.title = " ".join(node.text[:MAX_VALUE].split())


def _script(head: Head, node: Element) -> None:
    kind = node.attrs.get("type", "").lower()
    if "json" not in kind:
        return
    text = "".join(child.text for child in node.children)[:MAX_SCRIPT]
    if "ld+json" in kind:
        head.json_ld.append(text)
        for types in _types(text[:MAX_TYPED]):
            head.schema_types.update(name.lower() for name in _type_names(types))
    else:
        head.data.append((node, text))


def _html(head: Head, node: Element) -> None:
    head.language = (head.language or node.attrs.get("lang", "") or node.attrs.get("xml:lang", ""))[:MAX_VALUE]


def _base(head: Head, node: Element) -> None:
    head.base = head.base or node.attrs.get("href", "")[:MAX_VALUE]


_READERS = {"meta": _meta, "link": _link, "title": _title, "script": _script, "html": _html, "base": _base}
