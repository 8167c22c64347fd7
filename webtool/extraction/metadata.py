"""Title, byline, date, language, site name and excerpt of a page. In: head, cut page, address. Out: Metadata.

Each field has a table of sources in order; the first that gives something usable wins. Nothing is guessed: a field
without a source stays empty. Specs: Open Graph, schema.org, Dublin Core and WHATWG's standard metadata names.
"""

from __future__ import annotations

from webtool.extraction import bylines, json_ld, published, titles
from webtool.extraction.blocks import BLOCK, KINDS
from webtool.html.charrefs import decode_text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from webtool.extraction.blocks import Page
    from webtool.extraction.head import Head
    from webtool.html.node import Element

MAX_BLOCKS = 3000
"""Blocks whose elements are looked at."""
MAX_INSIDE = 6
"""Blocks that an element with a byline or a date holds at most."""
MAX_TITLE = 500
MAX_BYLINE = 200
MAX_EXCERPT = 500
_WORKS = frozenset(
    """
    article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle scholarlyarticle
    techarticle discussionforumposting qapage question product recipe howto review liveblogposting report
    medicalscholarlyarticle socialmediaposting videoobject podcastepisode jobposting event course book
    """.split()
)
_WORDS = patterns.compile(r"\w+")
_TAG = patterns.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_FORUM_TYPES = frozenset(("discussionforumposting", "qapage", "socialmediaposting"))
_ARTICLES = published.DATED - _FORUM_TYPES - {"question", "videoobject"}
_FORUM_PATH = patterns.compile(
    r"(?i)/(?:forums?|threads?|topics?|t|questions?|discussions?|viewtopic|showthread|comments)\b|//[^/]*(?:forum|boards?\.|discuss)"
)


class Metadata(NamedTuple):
    """What a page says about itself; "" where it says nothing."""

    title: str = ""
    byline: str = ""
    published: str = ""
    """ISO 8601 date, with time and zone where the page gives them."""
    language: str = ""
    """BCP 47 tag."""
    site_name: str = ""
    excerpt: str = ""
    read_from: tuple[tuple[str, str], ...] = ()
    """(field, json-ld, meta, element, time, address, text or first post) of byline and date, where they are known."""


def is_forum(head: Head, address: str) -> bool:
    """Whether a page says, or its address does, that people discuss there."""
    return bool(head.schema_types & _FORUM_TYPES or _FORUM_PATH.search(address or head.address))


class cached:  # noqa: N801  # functools imports more than a small page costs
    """A property that is worked out once: its value takes its place."""

    def __init__(self, work: Callable[[Sources], Any]) -> None:
        self.work = work
        self.__doc__ = work.__doc__

    def __get__(self, instance: Sources, owner: type[Sources]) -> Any:
        value = instance.__dict__[self.work.__name__] = self.work(instance)
        return value


class Sources:
    """What the rules read from."""

    def __init__(self, head: Head, page: Page, address: str) -> None:
        self.head = head
        self.page = page
        self.address = address
        self.objects = json_ld.objects(head.json_ld)
        self.works = [entry for entry in self.objects if json_ld.types(entry) & _WORKS]

    def meta(self, *names: str) -> str:
        """The first meta element of these names that has content."""
        for name in names:
            value = " ".join(self.head.meta.get(name, "").split())
            if value:
                return value
        return ""

    def work(self, *names: str, among: frozenset[str] = _WORKS) -> Iterator[object]:
        """The members of the page's main works of these types, in order of the names."""
        for name in names:
            for entry in self.works[:20]:
                if entry.get(name) and json_ld.types(entry) & among:
                    yield entry[name]

    @cached
    def headline(self) -> int:
        """The number of the block with the headline: the h1 that shares most words with the title; else 0."""
        words = set(_WORDS.findall((self.head.title or self.head.meta.get("og:title", "")).casefold()))
        best, found = -1, 0
        for i, block in enumerate(self.page.blocks):
            if self.page.element[block.container].tag == "h1":
                shared = len(words.intersection(_WORDS.findall(block.text.casefold())))
                if shared > best:
                    best, found = shared, i
        return found

    @cached
    def has_headline(self) -> bool:
        """Whether the page has an h1 with text."""
        page = self.page
        return self.headline > 0 or (bool(page.blocks) and page.element[page.blocks[0].container].tag == "h1")

    @cached
    def is_article(self) -> bool:
        """Whether the page says that it is an article."""
        return self.head.og_type.startswith("article") or bool(self.head.schema_types & _ARTICLES)

    @cached
    def is_home(self) -> bool:
        """Whether it is the page that a site begins with."""
        host, _, path = (self.address or self.head.address).partition("//")[2].partition("/")
        return bool(host) and path.partition("?")[0].partition("#")[0] in ("", "index.html", "index.php")

    @cached
    def is_forum(self) -> bool:
        """Whether people discuss here."""
        return is_forum(self.head, self.address)

    @cached
    def is_shop(self) -> bool:
        """Whether something is sold here."""
        types = self.head.schema_types
        return self.head.og_type.startswith(("product", "og:product")) or ("product" in types and not types & _ARTICLES)

    def elements(self, matches: Callable[[Element], bool]) -> Iterator[Element]:
        """The elements around the page's text that match, in document order, the inner ones first."""
        return (element for _, element in self.elements_at(matches))

    def elements_at(self, matches: Callable[[Element], bool]) -> Iterator[tuple[int, Element]]:
        """The same, each with the number of its first block."""
        return ((at, element) for at, element in self._around if matches(element))

    @cached
    def _around(self) -> list[tuple[int, Element]]:
        """The elements around the page's text that have attributes, or are of a tag that says something."""
        found: list[tuple[int, Element]] = []
        seen: set[int] = set()
        page = self.page
        for at, block in enumerate(page.blocks[:MAX_BLOCKS]):
            for node in block.nodes[:20]:
                element = node.parent
                while element is not None and KINDS.get(element.tag) != BLOCK and id(element) not in seen:
                    seen.add(id(element))
                    if element.attrs or element.tag == "time":
                        found.append((at, element))
                    element = element.parent
            i = block.container
            while i >= 0 and page.last[i] - page.first[i] <= MAX_INSIDE and id(page.element[i]) not in seen:
                seen.add(id(page.element[i]))
                if page.element[i].attrs:
                    found.append((at, page.element[i]))
                i = page.parent[i]
        return found


def read(head: Head, page: Page, address: str = "") -> Metadata:
    """All fields; `address` is where the page came from."""
    sources = Sources(head, page, address)
    site_name = _first(sources, _SITE_NAMES)
    byline, of_byline = _first_of(sources, _BYLINES)
    date, of_date = published.find(sources)
    found = (("author", of_byline), ("published", of_date))
    return Metadata(
        title=_clip(titles.title(sources, site_name), MAX_TITLE),
        byline=_clip(byline, MAX_BYLINE),
        published=date,
        language=_first(sources, _LANGUAGES),
        site_name=_clip(site_name, MAX_BYLINE),
        excerpt=_clip(_first(sources, _EXCERPTS), MAX_EXCERPT),
        read_from=tuple(entry for entry in found if entry[1]),
    )


def _first(sources: Sources, rules: tuple[Callable[[Sources], str], ...]) -> str:
    for rule in rules:
        value = rule(sources)
        if value:
            return value
    return ""


def _first_of(sources: Sources, rules: tuple[tuple[str, Callable[[Sources], str]], ...]) -> tuple[str, str]:
    """The first value, and what it was read from."""
    return next(((value, name) for name, rule in rules if (value := rule(sources))), ("", ""))


def _clip(text: str, most: int) -> str:
    """The text without the character references that pages leave in attributes and data, cut to a length."""
    if "&" in text:
        text = " ".join(decode_text(text).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "\u2026"


def _publisher(sources: Sources) -> str:
    values = [entry.get("publisher") for entry in sources.works[:5]]
    values += [entry.get("name") for entry in sources.objects[:200] if "website" in json_ld.types(entry)]
    return next((name for value in values if (name := json_ld.name_of(value))), "")


def _language(tag: str) -> str:
    tag = tag.strip().replace("_", "-")
    return tag if _TAG.fullmatch(tag) else ""


def _lead(sources: Sources) -> str:
    for block in sources.page.blocks:
        if block.words >= 20 and 4 * block.link_words < block.words:
            return block.text
    return ""


_BYLINES = (
    ("json-ld", bylines.of_work),
    ("meta", bylines.of_meta),
    ("element", bylines.of_element),
    ("text", bylines.of_text),
    ("first post", bylines.of_first_post),
)
_LANGUAGES = (
    lambda sources: _language(sources.head.language),
    lambda sources: _language(sources.meta("content-language", "dc.language", "language")),
    lambda sources: _language(sources.meta("og:locale")),
    lambda sources: next((_language(value) for value in sources.work("inLanguage") if isinstance(value, str)), ""),
)
_SITE_NAMES = (
    lambda sources: sources.meta("og:site_name", "application-name", "apple-mobile-web-app-title"),
    _publisher,
    lambda sources: sources.meta("twitter:app:name:iphone", "al:ios:app_name", "dc.publisher", "copyright"),
)
_EXCERPTS = (
    lambda sources: sources.meta("description", "og:description", "twitter:description", "dc.description"),
    lambda sources: next((" ".join(v.split()) for v in sources.work("description") if isinstance(v, str)), ""),
    _lead,
)
