"""What the rules of metadata read from. In: head, cut page, address. Out: Sources.

Each answer is worked out once, when the first rule asks. The data are untrusted and bounded by head.py and json_ld.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.extraction.metadata import dates
from webtool.extraction.page import json_ld
from webtool.extraction.page.blocks import BLOCK, KINDS, Page
from webtool.extraction.page.head import Head
from webtool.html.elements import HEADINGS
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import Any

MAX_BLOCKS = 3000
"""Blocks whose elements are looked at."""
MAX_TEXT = 200_000
"""Characters whose words are looked at."""
MAX_INSIDE = 6
"""Blocks that an element with a byline or a date holds at most."""
_WORDS = patterns.compile(r"\w+")
DATED = frozenset(
    """
    article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle scholarlyarticle
    techarticle discussionforumposting qapage question recipe howto liveblogposting report medicalscholarlyarticle
    socialmediaposting videoobject podcastepisode advertisercontentarticle satiricalarticle backgroundnewsarticle
    """.split()
)
"""Types of works that somebody published on some day."""
_WORKS = DATED | {"product", "review", "jobposting", "event", "course", "book"}
_FORUM_TYPES = frozenset(("discussionforumposting", "qapage", "socialmediaposting"))
_ARTICLES = DATED - _FORUM_TYPES - {"question", "videoobject"}
_FORUM_PATH = patterns.compile(
    r"(?i)/(?:forums?|threads?|topics?(?=/[^/?]*\d)|t|questions?|discussions?|viewtopic|showthread|comments|d(?=/\d+-))\b"
    r"|[?&;]topic=\d|//[^/]*(?:forum|boards?\.|\bbbs\.|discuss)"
)

_STANDING_PATH = patterns.compile(
    r"(?i)//(?:docs?|developer)\.|/(?:docs|documentation|reference|manual|services?|solutions?|wiki)(?:/|$)"
    r"|/(?:topics?|categor(?:y|ies)|tags?|genres?|sections?|departments?|search|shop|store|list|products?)(?:/[^/]+)?/?$"
)
_TEXT_PATH = patterns.compile(r"(?i)[/.](?:blogs?|news|posts?|articles?|stor(?:y|ies)|releases?)/|/(?:19|20)\d\d/")


def is_forum(head: Head, address: str) -> bool:
    """Whether a page says, or its address does, that people discuss there."""
    return bool(head.schema_types & _FORUM_TYPES or _FORUM_PATH.search(address or head.address))


def host_of(address: str) -> str:
    """The host of an address, lower-cased."""
    return address.partition("//")[2].partition("/")[0].lower()


def is_first(address: str) -> bool:
    """Whether an address has a host and no path."""
    path = address.partition("//")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    return bool(host_of(address)) and path in ("", "index.html", "index.php")


def is_article(head: Head) -> bool:
    """Whether a page says that it is an article."""
    return head.og_type.startswith("article") or bool(head.schema_types & _ARTICLES)


def is_product(head: Head) -> bool:
    """Whether a page says that it is about a product."""
    return "product" in head.og_type or not head.schema_types.isdisjoint(("product", "productgroup"))


LEAST_LINE, MOST_LINE = 4, 40
"""Words of a line that is known for the headline by being the beginning of the title, and of all lines above it."""


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
        self.objects = head.objects
        self.dated: list[tuple[int, str, str]] | None = None
        """The lines with a date, once published.py has looked for them."""
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
        """The number of the block with the headline: the h1 that shares most words with the title and has fewest
        others, where there is none a lower heading that shares half of them, a line that begins the title; else 0."""
        title = self.head.title or self.head.meta.get("og:title", "")
        words = set(_WORDS.findall(title.casefold()))
        best, found, is_above = (0, 0.5), 0, True
        for i, block in enumerate(self.page.blocks):
            tag = self.page.element[block.container].tag
            if tag in HEADINGS:
                own = set(_WORDS.findall(block.text.casefold()))
                shared = (tag == "h1", len(words & own) / max(1, len(words | own)))
                if shared > best:
                    best, found = shared, i
            elif is_above and block.words >= LEAST_LINE and not block.links and title.startswith(block.text):
                found, is_above = found or i, False
            is_above = is_above and block.words <= MOST_LINE
        return found

    @cached
    def has_headline(self) -> bool:
        """Whether the page has an h1 with text."""
        page = self.page
        return self.headline > 0 or (bool(page.blocks) and page.element[page.blocks[0].container].tag == "h1")

    @cached
    def is_article(self) -> bool:
        """Whether the page says that it is an article."""
        return is_article(self.head)

    @cached
    def site_names(self) -> list[str]:
        """What the site and the publisher of the page's work are called."""
        values = [entry.get("publisher") for entry in self.works[:5]]
        values += [entry.get("name") for entry in self.objects[:200] if "website" in json_ld.types(entry)]
        names = [self.meta("og:site_name", "application-name", "apple-mobile-web-app-title")]
        return [name for name in (*names, *map(json_ld.name_of, values)) if name]

    @cached
    def small_words(self) -> set[str]:
        """The words that the page has in small letters."""
        text = " ".join([block.text for block in self.page.blocks[:MAX_BLOCKS]])
        return {word for word in _WORDS.findall(text[:MAX_TEXT]) if word.islower()}

    @cached
    def day_first(self) -> bool | None:
        """Whether the day comes first in a date of numbers, by the page's language; None where that is unknown."""
        return dates.is_day_first(self.head.language or self.meta("content-language", "og:locale"))

    @cached
    def is_home(self) -> bool:
        """Whether it is the page that a site begins with, by its address and by the one it gives itself. One that gives
        none, and has a headline without the site's name, may be any page of which no more than its site is known."""
        address, own = self.address or self.head.address, self.head.address
        if not is_first(address) or (own and host_of(own) == host_of(address)):
            return is_first(address) and is_first(own)
        headline = self.page.blocks[self.headline].text.casefold() if self.has_headline else ""
        words = [word for word in _WORDS.findall(headline) if len(word) > 2]
        return bool(own) or not words or any(word in host_of(address) for word in words)

    @cached
    def is_forum(self) -> bool:
        """Whether people discuss here."""
        return is_forum(self.head, self.address)

    @cached
    def is_standing(self) -> bool:
        """Whether the address is that of a page that is kept up to date, with neither a day nor an author: a manual, an
        offer, a list of what is filed under a name."""
        address = (self.address or self.head.address).partition("?")[0].partition("#")[0]
        return bool(_STANDING_PATH.search(address)) and not (_TEXT_PATH.search(address) or self.is_forum)

    @cached
    def is_shop(self) -> bool:
        """Whether something is sold here."""
        types = self.head.schema_types
        return self.head.og_type.startswith(("product", "og:product")) or ("product" in types and not types & _ARTICLES)

    def elements_at(self, matches: Callable[[Element], bool]) -> Iterator[tuple[int, Element]]:
        """The elements around the page's text that match, the inner ones first, each with its first block's number."""
        return ((at, element) for at, element in self._around if matches(element))

    @cached
    def _around(self) -> list[tuple[int, Element]]:
        """The elements around the page's text that have attributes, or are of a tag that says something."""
        found: list[tuple[int, Element]] = []
        seen: set[Element] = set()
        page = self.page
        for at, block in enumerate(page.blocks[:MAX_BLOCKS]):
            for node in block.nodes[:20] if block.inline is not None or len(block.nodes) > 1 else ():
                element = node.parent
                while element is not None and element not in seen and KINDS.get(element.tag) != BLOCK:
                    seen.add(element)
                    if element.attrs or element.tag == "time":
                        found.append((at, element))
                    element = element.parent
            i = block.container
            while i >= 0 and page.last[i] - page.first[i] <= MAX_INSIDE and page.element[i] not in seen:
                element = page.element[i]
                seen.add(element)
                if element.attrs:
                    found.append((at, element))
                i = page.parent[i]
        return found
